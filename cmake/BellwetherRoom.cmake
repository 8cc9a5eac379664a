# bellwether_room(NAME SOURCES ... [USES room ...] [SEES room ...] [PUBLIC library ...] [PRIVATE library ...])
#
# A folder of src/ as the library bellwether_NAME. It finds the headers of the rooms it uses, of those that they use, and
# no others: every room shows its headers through a folder of its own, in which nothing but that room stands.
# SEES: headers only, nothing to link (an interface that somebody else implements).
# docs/architecture.md has the table of who may use whom, and tests/architecture holds the includes to it.
function(bellwether_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;USES;SEES;PUBLIC;PRIVATE" ${ARGN})
  set(door ${CMAKE_BINARY_DIR}/rooms/${name})
  file(MAKE_DIRECTORY ${door})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${door}/${name} SYMBOLIC)
  add_library(bellwether_${name} STATIC ${ROOM_SOURCES})
  target_include_directories(bellwether_${name} PUBLIC ${door})
  foreach(room IN LISTS ROOM_SEES)
    target_include_directories(bellwether_${name} PUBLIC ${CMAKE_BINARY_DIR}/rooms/${room})
  endforeach()
  list(TRANSFORM ROOM_USES PREPEND bellwether_)
  target_link_libraries(bellwether_${name} PUBLIC ${ROOM_USES} ${ROOM_PUBLIC} PRIVATE ${ROOM_PRIVATE} bellwether_warnings)
endfunction()
