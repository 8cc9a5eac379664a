# The report page: built from web/ with Node.js, and compiled into the library `bellwether_page`, whose source defines
#
#   namespace bellwether { extern const char* const page_template_data; extern const unsigned long page_template_size; }
#
# The page is a convenience: where it cannot be built the template is empty (size 0), one line says so, and the build goes on.
# BELLWETHER_PAGE_DIR is where it is built, with node_modules/ and dist/index.html; empty where there is no Node.js.

# Run as a script (cmake -P) this file builds the page and writes the source; see the custom command below.
if(CMAKE_SCRIPT_MODE_FILE)
  # As a string of escapes, in lines: compilers read that many times faster than a list of numbers.
  function(write_source page)
    set(text "")
    if(page)
      file(READ ${page} text HEX)
      string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" text "${text}")
      string(REPEAT "." 256 line)
      string(REGEX REPLACE "(${line})" "\\1\"\n    \"" text "${text}")
    endif()
    file(
      WRITE ${OUTPUT}
      "// Made from web/ by cmake/BellwetherPage.cmake.\n"
      "namespace bellwether {\n"
      "namespace {\nconstexpr char text[] =\n    \"${text}\";\n}\n"
      "extern const char* const page_template_data;\nextern const unsigned long page_template_size;\n"
      "const char* const page_template_data = text;\nconst unsigned long page_template_size = sizeof text - 1;\n"
      "}  // namespace bellwether\n")
  endfunction()

  # run(what command...): on failure says what is left out and why, and ends the script with an empty page.
  macro(run what)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${PAGE} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
      string(REGEX REPLACE "^.*(\n[^\n]*\n[^\n]*\n[^\n]*\n[^\n]*\n[^\n]*\n)$" "\\1" output "\n${output}")
      message("report page: left out: ${what} failed (${status}).${output}To try again: remove ${OUTPUT} and build.")
      file(REMOVE ${PAGE}/dist/index.html)
      write_source("")
      return()
    endif()
  endmacro()

  # In a copy, so that the source tree stays as it is.
  file(REMOVE_RECURSE ${PAGE}/src ${PAGE}/dist)
  foreach(name index.html package.json package-lock.json .npmrc tsconfig.json vite.config.mjs src)
    file(COPY ${SOURCE}/${name} DESTINATION ${PAGE})
  endforeach()

  # The packages again only when they are others.
  file(SHA256 ${PAGE}/package-lock.json wanted)
  set(installed "")
  if(EXISTS ${PAGE}/node_modules/.bellwether-lock)
    file(READ ${PAGE}/node_modules/.bellwether-lock installed)
  endif()
  if(NOT installed STREQUAL wanted)
    # No package needs its install scripts, so none are run.
    run("npm ci" ${NPM} ci --no-audit --no-fund --ignore-scripts --prefer-offline)
    file(WRITE ${PAGE}/node_modules/.bellwether-lock ${wanted})
  endif()
  run("npm run build" ${NPM} run build)
  file(READ ${PAGE}/dist/index.html html)
  foreach(placeholder "\"__BELLWETHER_REPORT_DATA__\"" __BELLWETHER_REPORT_TITLE__)
    string(FIND "${html}" "${placeholder}" first)
    string(FIND "${html}" "${placeholder}" last REVERSE)
    if(first EQUAL -1 OR NOT first EQUAL last)
      message(FATAL_ERROR "report page: ${placeholder} must stand in dist/index.html once.")
    endif()
  endforeach()
  write_source(${PAGE}/dist/index.html)
  return()
endif()

option(BELLWETHER_BUILD_PAGE "Build the page of `bellwether report` (Node.js 18 or later, npm)" ON)

# bellwether_find_page_tools(reason): finds node and npm, or says why there is no page.
function(bellwether_find_page_tools reason)
  set(${reason} "" PARENT_SCOPE)
  if(NOT BELLWETHER_BUILD_PAGE)
    set(${reason} "BELLWETHER_BUILD_PAGE is off" PARENT_SCOPE)
    return()
  endif()
  find_program(BELLWETHER_NODE NAMES node nodejs DOC "Node.js, which builds the report page")
  find_program(BELLWETHER_NPM NAMES npm DOC "npm, which brings the packages of the report page")
  mark_as_advanced(BELLWETHER_NODE BELLWETHER_NPM)
  if(NOT BELLWETHER_NODE)
    set(${reason} "Node.js is not installed" PARENT_SCOPE)
    return()
  endif()
  if(NOT BELLWETHER_NPM)
    set(${reason} "npm is not installed" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND ${BELLWETHER_NODE} --version OUTPUT_VARIABLE version ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX REPLACE "^v" "" version "${version}")
  if(NOT version VERSION_GREATER_EQUAL 18)
    set(${reason} "it needs Node.js 18 or later, and ${BELLWETHER_NODE} is ${version}" PARENT_SCOPE)
  endif()
endfunction()

bellwether_find_page_tools(BELLWETHER_PAGE_REASON)
set(BELLWETHER_PAGE_SOURCE ${PROJECT_BINARY_DIR}/page-template.cpp)
if(BELLWETHER_PAGE_REASON)
  message(STATUS "report page: left out: ${BELLWETHER_PAGE_REASON}")
  set(BELLWETHER_PAGE_DIR "" CACHE INTERNAL "")
  set(BELLWETHER_PAGE_SOURCE ${PROJECT_BINARY_DIR}/page-template-empty.cpp)
  file(
    CONFIGURE OUTPUT ${BELLWETHER_PAGE_SOURCE}
    CONTENT
      "// There is no page in this build.
namespace bellwether {
extern const char* const page_template_data;
extern const unsigned long page_template_size;
const char* const page_template_data = \"\";
const unsigned long page_template_size = 0;
}  // namespace bellwether
")
else()
  set(BELLWETHER_PAGE_DIR ${PROJECT_BINARY_DIR}/page CACHE INTERNAL "")
  cmake_path(SET web NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../web)
  file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${web}/src/*.ts ${web}/src/*.css)
  add_custom_command(
    OUTPUT ${BELLWETHER_PAGE_SOURCE}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${web} -DPAGE=${BELLWETHER_PAGE_DIR} -DOUTPUT=${BELLWETHER_PAGE_SOURCE}
            -DNPM=${BELLWETHER_NPM} -P ${CMAKE_CURRENT_LIST_FILE}
    DEPENDS ${web_sources} ${web}/index.html ${web}/package.json ${web}/package-lock.json ${web}/.npmrc ${web}/tsconfig.json
            ${web}/vite.config.mjs ${CMAKE_CURRENT_LIST_FILE}
    COMMENT "Building the report page"
    VERBATIM)
endif()
add_library(bellwether_page STATIC ${BELLWETHER_PAGE_SOURCE})
