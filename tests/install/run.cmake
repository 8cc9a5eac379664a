# Runs one part of the installation's test. Given: PART, BUILD_DIR, SOURCE_DIR, COMPILER, GENERATOR, LIBDIR.
set(prefix ${BUILD_DIR}/tests/install/prefix)
set(consumer ${SOURCE_DIR}/tests/install/consumer)
set(work ${BUILD_DIR}/tests/install/${PART})

macro(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endmacro()

if(PART STREQUAL "install")
  file(REMOVE_RECURSE ${prefix})
  run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
  if(EXISTS ${prefix}/bin/bellwether)
    # Studies are found from where the program lies.
    execute_process(COMMAND ${prefix}/bin/bellwether run white2016 --dry-run --out ${work} COMMAND_ERROR_IS_FATAL ANY)
    if(NOT EXISTS ${prefix}/share/bellwether/studies/white2016/claims.toml)
      message(FATAL_ERROR "the studies are not installed")
    endif()
  endif()

elseif(PART STREQUAL "find_package")
  file(REMOVE_RECURSE ${work})
  run(${CMAKE_COMMAND} -S ${consumer} -B ${work} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
      -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF -DCMAKE_CXX_FLAGS=-DBELLWETHER_COMPILE_FAST)
  run(${CMAKE_COMMAND} --build ${work})
  run(${work}/consumer)

elseif(PART STREQUAL "pkg_config")
  file(MAKE_DIRECTORY ${work})
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
  execute_process(COMMAND ${PKG_CONFIG} --cflags bellwether OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run(${COMPILER} ${flags} ${SOURCE_DIR}/examples/control_loop.cpp -o ${work}/control_loop)
  run(${work}/control_loop)

elseif(PART STREQUAL "single_header")
  run(${SOURCE_DIR}/scripts/single_header ${work}/bellwether-single.hpp)
  # As its users compile it, in less than three seconds of a processor: a compiler that takes longer is killed.
  run(sh -c "ulimit -t 3 && exec \"$@\"" sh ${COMPILER} -std=c++20 -O2 -ffp-contract=off -I ${work} ${SOURCE_DIR}/tests/install/single_header.cpp
      -o ${work}/single_header)
  run(${work}/single_header)

elseif(PART STREQUAL "fetch_content")
  file(REMOVE_RECURSE ${work})
  run(${CMAKE_COMMAND} -S ${SOURCE_DIR}/examples/fetch_content -B ${work} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
      -DFETCHCONTENT_SOURCE_DIR_BELLWETHER=${SOURCE_DIR} -DCMAKE_CXX_FLAGS=-DBELLWETHER_COMPILE_FAST)
  run(${CMAKE_COMMAND} --build ${work})
  run(${work}/predict)
endif()
