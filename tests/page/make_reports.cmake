# Reports of the program for the browser: the paper's study with few runs, and a study with a name that is HTML.
function(bellwether)
  execute_process(COMMAND ${PROGRAM} ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${OUT})
bellwether(run ${SOURCE}/studies/white2016 --out ${OUT}/paper --instances 2 --runs 3 --quiet)
bellwether(bench --rounds 1 --out ${OUT}/paper/runtimes.csv --quiet)
bellwether(report ${OUT}/paper --no-figures --quiet)
bellwether(run ${CMAKE_CURRENT_LIST_DIR}/hostile-study.toml --out ${OUT}/hostile --quiet)
bellwether(report ${OUT}/hostile --no-figures --quiet)
