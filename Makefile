# Every target installs what it needs first (scripts/setup), and is quick about it when nothing is missing.
.DEFAULT_GOAL := build
.PHONY: build gpu test test-gpu test-slurm test-peers test-aarch64 reproduce readings bench bench-ranks sanitize memcheck fuzz fuzz-coverage torture mutants format lint docs dist clean

JOBS ?= $(shell nproc)
PRESET ?= release
# The Python module: AUTO builds it where Python and pybind11 are there, OFF leaves it out.
PYTHON ?= AUTO

build:
	@scripts/setup build optional mpi page
	@cmake --preset $(PRESET) -DBELLWETHER_BUILD_TESTS=OFF
	@scripts/build $(PRESET) $(JOBS)

test:
	@scripts/setup build test optional mpi page figures browser $(if $(filter OFF,$(PYTHON)),,python)
	@cmake --preset $(PRESET) -DBELLWETHER_BUILD_TESTS=ON -DBELLWETHER_BUILD_PYTHON=$(PYTHON) \
	    $(if $(filter OFF,$(PYTHON)),,-DPython_EXECUTABLE="$$(scripts/python_env build/$(PRESET)/python-venv)")
	@scripts/build $(PRESET) $(JOBS)
	@ctest --preset $(PRESET) -j $(JOBS)

# The program with kernels for NVIDIA's cards in it; nvcc is installed into build/cuda where it is missing.
gpu:
	@scripts/setup build optional mpi page
	@nvcc=$$(scripts/cuda_toolkit build/cuda) && \
	    cmake --preset $(PRESET) -DBELLWETHER_BUILD_TESTS=OFF -DBELLWETHER_NVCC="$$nvcc"
	@scripts/build $(PRESET) $(JOBS)

# With a card. PROGRAM and DEVICE_TEST may have been built elsewhere; without them both are built here first.
test-gpu:
ifndef PROGRAM
	@scripts/setup build test optional mpi page
	@nvcc=$$(scripts/cuda_toolkit build/cuda) && \
	    cmake --preset $(PRESET) -DBELLWETHER_BUILD_TESTS=ON -DBELLWETHER_NVCC="$$nvcc"
	@scripts/build $(PRESET) $(JOBS) bellwether device_test
endif
	@scripts/test-gpu $(or $(PROGRAM),build/$(PRESET)/bin/bellwether) \
	    $(or $(DEVICE_TEST),build/$(PRESET)/tests/engine/device_test)

# Starts daemons, and is therefore not a part of 'test'.
test-slurm: build
	@scripts/setup mpi slurm
	@scripts/test-slurm build/$(PRESET)/bin/bellwether

# Installs SCOPE-RL and the Open Bandit Pipeline, some 6 GB, and is therefore not a part of 'test'.
test-peers: build
	@scripts/test-peers build/$(PRESET)/bin/bellwether

# On 64-bit Arm by a cross compiler and an emulator: the same bits as here.
test-aarch64: build
	@scripts/setup aarch64
	@scripts/test-aarch64 $(JOBS) build/$(PRESET)/bin/bellwether

# A paper of studies/, or all of them one after the other.
STUDY ?= white2016
reproduce: build
	@scripts/setup optional figures
	@scripts/reproduce build/$(PRESET)/bin/bellwether $(STUDY)

# Other readings of a paper, as many as its readings.toml has, or of all papers one after the other.
readings: build
	@scripts/setup optional figures
	@scripts/readings build/$(PRESET)/bin/bellwether $(STUDY)

bench:
	@scripts/setup build bench
	@cmake --preset bench
	@cmake --build --preset bench -j $(JOBS)
	@scripts/bench build/bench/bin

bench-ranks:
	@scripts/setup build bench mpi
	@cmake --preset bench
	@cmake --build --preset bench -j $(JOBS) --target bellwether bellwether_ranks_bench
	@scripts/bench-ranks build/bench/bin

sanitize:
	@$(MAKE) test PRESET=asan
	@$(MAKE) test PRESET=tsan PYTHON=OFF  # the interpreter was not built with it
	@$(MAKE) memcheck

# The core's tests under valgrind, which sees what is read before it was written; no sanitizer above does.
CORE_TESTS := conformance expected_updates exponential forward_views fourier golden invariants lanes oracle parts shared_horde since_2016 state_body tile_coding
memcheck:
	@scripts/setup build test memcheck
	@cmake --preset $(PRESET) -DBELLWETHER_BUILD_TESTS=ON
	@scripts/build $(PRESET) $(JOBS) $(CORE_TESTS:%=%_test)
	@scripts/memcheck build/$(PRESET)/tests/core

# Every reader under libFuzzer for TIME seconds, one after the other; TARGETS may name some of them, EXECUTIONS say how many there are to be in all.
# SANITIZERS=OFF has ten times as many executions in that time; the next run with sanitizers takes up what they found.
TIME ?= 60
export EXECUTIONS
FUZZ := $(if $(filter OFF,$(SANITIZERS)),fuzz-fast,fuzz)
fuzz:
	@scripts/setup build fuzz
	@cmake --preset $(FUZZ)
	@cmake --build --preset $(FUZZ) -j $(JOBS) --target bellwether_fuzz
	@scripts/fuzz build/$(FUZZ)/bin/bellwether_fuzz $(TIME) $(TARGETS)

# Which share of each reader's lines the corpus reaches that 'make fuzz' has left.
fuzz-coverage:
	@scripts/setup build fuzz
	@cmake --preset fuzz-coverage
	@cmake --build --preset fuzz-coverage -j $(JOBS) --target bellwether_fuzz
	@scripts/fuzz --coverage build/fuzz-coverage/bin/bellwether_fuzz build/fuzz/corpus $(TARGETS)

# The program killed TIMES times, under every fault of the system that can be made, and TIMES losses of power.
TIMES ?= 1000
torture:
	@scripts/setup build test mpi
	@cmake --preset $(PRESET) -DBELLWETHER_BUILD_TESTS=ON
	@scripts/build $(PRESET) $(JOBS) bellwether bellwether_faults
	@scripts/torture build/$(PRESET)/bin/bellwether build/$(PRESET)/tests/faults/libbellwether_faults.so --times $(TIMES) \
	    $$(command -v mpirun >/dev/null && echo --mpirun mpirun)

# Some hundred small faults of the core headers and of the claims, one at a time: does a test notice?
mutants:
	@scripts/setup build test
	@scripts/mutants core --jobs $(JOBS)
	@scripts/mutants claims --number 200 --jobs $(JOBS)

format:
	@scripts/setup format
	@git ls-files '*.hpp' '*.cpp' | xargs clang-format -i

# clang-tidy reads what is compiled together at once: what files include is read, and searched, a dozen times less often. g++'s precompiled headers are not clang's.
lint:
	@scripts/setup build test mpi lint
	@cmake --preset $(PRESET) -B build/lint -DBELLWETHER_BUILD_TESTS=ON -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON
	@git ls-files '*.hpp' '*.cpp' | xargs clang-format --dry-run --Werror
	@git grep -lE '^#!.*\bsh$$|^#!.*\bbash$$' -- scripts | xargs shellcheck
	@run-clang-tidy -quiet -p build/lint -j $(JOBS) -checks=-bugprone-suspicious-include -extra-arg=-Wno-unknown-warning-option '^$(CURDIR)/(build/lint/)?(src|examples)/'

# The site, from docs/ and site/, in build/site/html; it opens from disk.
docs:
	@scripts/setup build optional mpi page browser python
	@cmake --preset $(PRESET) -DBELLWETHER_BUILD_TESTS=OFF -DBELLWETHER_BUILD_PYTHON=$(PYTHON) \
	    -DPython_EXECUTABLE="$$(scripts/python_env build/$(PRESET)/python-venv)"
	@scripts/build $(PRESET) $(JOBS)
	@scripts/docs build/$(PRESET)/bin/bellwether build/$(PRESET)/python build/$(PRESET)/page

# What others install, in dist/: source, wheels, a Debian package, a static program, the core as one header. Each is tried there.
dist:
	@scripts/setup build test page python dist
	@scripts/dist $(PARTS)

clean:
	@rm -rf build
