# bellwether_room(NAME [LIGHT] [PROGRAM name] SOURCES ... [USES room ...] [SEES room ...] [PUBLIC library ...] [PRIVATE library ...])
#
# A folder of src/ as the library bellwether_NAME, or as the program of that name. It finds the headers of the rooms it
# uses, of those that they use, and no others: every room shows its headers through a folder of its own, in which nothing
# but that room stands. USES: the rooms it includes headers of. SEES: headers only, nothing to link (an interface that
# somebody else implements). docs/architecture.md has the table of who may use whom; tests/architecture holds the includes
# and these lists to it. LIGHT: words are handled here, not numbers, so that the compiler need not try hard (-O1).
# The files of a room are compiled a dozen at a time (bellwether_together), so that no two of them may define the same name.
function(bellwether_room name)
  cmake_parse_arguments(ROOM "LIGHT" "PROGRAM" "SOURCES;USES;SEES;PUBLIC;PRIVATE" ${ARGN})
  set(door ${CMAKE_BINARY_DIR}/rooms/${name})
  file(MAKE_DIRECTORY ${door})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${door}/${name} SYMBOLIC)
  if(ROOM_PROGRAM)
    set(room_target ${ROOM_PROGRAM})
    add_executable(${room_target} ${ROOM_SOURCES})
    target_precompile_headers(${room_target} PRIVATE ${room_headers})  # those of libraries are not for programs
    target_link_options(${room_target} PRIVATE $<$<PLATFORM_ID:Linux>:LINKER:-z,relro,-z,now>)
  else()
    set(room_target bellwether_${name})
    add_library(${room_target} STATIC ${ROOM_SOURCES})
    set(headers_target bellwether_room_headers)
    if(ROOM_LIGHT)
      string(APPEND headers_target _light)
    endif()
    target_precompile_headers(${room_target} REUSE_FROM ${headers_target})
  endif()
  if(ROOM_LIGHT)
    bellwether_light(${room_target})
  endif()
  bellwether_together(${room_target})
  target_include_directories(${room_target} PUBLIC ${door})
  foreach(room IN LISTS ROOM_SEES)
    target_include_directories(${room_target} PUBLIC ${CMAKE_BINARY_DIR}/rooms/${room})
  endforeach()
  list(TRANSFORM ROOM_USES PREPEND bellwether_)
  target_link_libraries(${room_target} PUBLIC ${ROOM_USES} ${ROOM_PUBLIC} PRIVATE ${ROOM_PRIVATE} bellwether_warnings)
endfunction()

# Of the three seconds that g++ takes for a file of average size more than one goes into what the file includes.
function(bellwether_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${BELLWETHER_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# There, what a slip would overrun ends the program instead. (In what reads numbers it would cost 2.6%: docs/reliability.md.)
function(bellwether_light target)
  target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
  target_compile_options(
    ${target} PRIVATE -fstack-protector-strong
                      $<$<CONFIG:Release>:-O1;-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3;-Wno-error=cpp>) # old libraries know 2
endfunction()
