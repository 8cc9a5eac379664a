// Carries the precompiled headers of the rooms (src/CMakeLists.txt).
