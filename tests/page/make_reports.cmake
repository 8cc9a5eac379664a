# Pages of the program for the browser: reports of the paper's study with few runs and of a study with a name that is HTML;
# evaluations and tunings of logs.
function(bellwether)
  execute_process(COMMAND ${PROGRAM} ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${OUT})
bellwether(run ${SOURCE}/studies/white2016 --out ${OUT}/paper --instances 2 --runs 3 --quiet)
bellwether(bench --rounds 1 --out ${OUT}/paper/runtimes.csv --quiet)
bellwether(report ${OUT}/paper --no-figures --quiet)
bellwether(run ${CMAKE_CURRENT_LIST_DIR}/hostile-study.toml --out ${OUT}/hostile --quiet)
bellwether(report ${OUT}/hostile --no-figures --quiet)

# A log that cannot tell makes a page too, and has exit status 1.
function(of_log name command log)
  execute_process(COMMAND ${PROGRAM} ${command} ${log} --out ${OUT}/logs/${name} --quiet ${ARGN} OUTPUT_QUIET
                  RESULT_VARIABLE status)
  if(NOT status MATCHES "^[01]$")
    message(FATAL_ERROR "${command} ${log}: ${status}")
  endif()
endfunction()
set(logs ${SOURCE}/tests/data/logs)
of_log(supported evaluate ${logs}/random.csv)
of_log(fitted evaluate ${logs}/walk-unknown.csv --behaviour counts)
of_log(depends evaluate ${logs}/chain.csv)
of_log(continuing evaluate ${logs}/continuing.csv)
of_log(one-step evaluate ${logs}/bandit.csv --target uniform)
of_log(unsupported evaluate ${logs}/walk-unsupported.csv --behaviour counts)
of_log(features evaluate ${logs}/routes-small.csv)
set(hostile "${OUT}/<img src=x onerror=window.broken=1>.csv")
configure_file(${logs}/walk.csv "${hostile}" COPYONLY)
of_log(hostile evaluate "${hostile}")
of_log(tuned tune ${logs}/random.csv)
of_log(tuned-not tune ${logs}/routes-small.csv)
