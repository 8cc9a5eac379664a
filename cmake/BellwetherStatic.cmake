# BELLWETHER_STATIC: what the program and the Python module need is in them, so that they run on any machine with a C library
# that is not older (ON), or with none at all (ALL; the program alone, and without graphics cards, whose driver is loaded at run time).
# By default the distribution's shared libraries are linked.
# BELLWETHER_C_LIBRARY: a folder with an older C library, which is linked with instead of the system's (scripts/older_c_library); with ON.
set(BELLWETHER_C_LIBRARY "" CACHE PATH "A folder with an older C library to link with")
if(BELLWETHER_STATIC)
  find_library(SQLite3_LIBRARY libsqlite3.a REQUIRED)
  find_library(ZLIB_LIBRARY libz.a REQUIRED)
endif()

# BELLWETHER_FMT: the target of fmt. Debian ships no static library of it, but all of its source, as a header.
macro(bellwether_static_fmt)
  set(BELLWETHER_FMT fmt::fmt)
  if(BELLWETHER_STATIC)
    set(BELLWETHER_FMT bellwether_fmt)
    add_library(bellwether_fmt STATIC fmt_library.cpp)
    target_compile_features(bellwether_fmt PUBLIC cxx_std_20)
    target_compile_definitions(bellwether_fmt INTERFACE FMT_SHARED)  # as with the shared one: the same objects serve both
  endif()
endmacro()

# Symbols of archives stay inside: those that were not compiled for shared libraries can be linked into one then.
function(bellwether_static_link target)
  if(NOT BELLWETHER_STATIC)
    return()
  endif()
  target_link_libraries(${target} PRIVATE m pthread ${CMAKE_DL_LIBS})
  target_link_options(${target} PRIVATE -static-libstdc++)
  if(NOT APPLE)
    target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL -s)
  endif()
  get_target_property(type ${target} TYPE)
  if(BELLWETHER_STATIC STREQUAL ALL AND type STREQUAL EXECUTABLE)
    target_link_options(${target} PRIVATE -static)
  elseif(BELLWETHER_C_LIBRARY)
    # The library that unwinds is the system's, whose C library it goes with.
    set(folder lib/${CMAKE_LIBRARY_ARCHITECTURE})
    target_link_options(${target} PRIVATE --sysroot=${BELLWETHER_C_LIBRARY} -B${BELLWETHER_C_LIBRARY}/usr/${folder}
                        -L${BELLWETHER_C_LIBRARY}/usr/${folder} -L${BELLWETHER_C_LIBRARY}/${folder})
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/older_c_library.cpp)
  else()
    target_link_options(${target} PRIVATE -static-libgcc)
  endif()
endfunction()
