// Eigen's plugin on 64-bit Arm (EIGEN_DENSEBASE_PLUGIN: read after its packets, before its products), so that products round as
// on x86-64. Together with -U__ARM_FEATURE_FMA, which has its packets multiply and add in two roundings: CMakeLists.txt.

// Registers are blocked by this, and another block is another order of sums.
#undef EIGEN_HAS_SINGLE_INSTRUCTION_MADD

// Leaves out the kernel of products that is for Arm alone, and fuses.
#undef EIGEN_ARCH_ARM64
#define EIGEN_ARCH_ARM64 0
