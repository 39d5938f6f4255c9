# SPDX-License-Identifier: Apache-2.0
# jm_test(name SOURCES a.c b.c [TIMEOUT seconds] [LABELS long] [ARGS ...])
# A C test: one process, cmocka, linked with the static library so that it reaches internal functions.
# Label `long`: not part of `make test`.
function(jm_test name)
    cmake_parse_arguments(T "" "TIMEOUT" "SOURCES;LABELS;ARGS" ${ARGN})
    add_executable(test_${name} ${T_SOURCES})
    jm_target_flags(test_${name})
    target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_compile_definitions(test_${name} PRIVATE JUMAR_TEST_DATA_DEFAULT="${PROJECT_SOURCE_DIR}/../shared")
    target_link_libraries(test_${name} PRIVATE jumar_static cmocka)
    add_test(NAME ${name} COMMAND test_${name} ${T_ARGS})
    if(NOT T_TIMEOUT)
        set(T_TIMEOUT 120)
    endif()
    if(JUMAR_SANITIZE MATCHES "thread")
        target_compile_definitions(test_${name} PRIVATE JUMAR_THREAD_SANITIZER) # compilers tell it in different ways
    endif()
    if(JUMAR_SANITIZE)
        math(EXPR T_TIMEOUT "${T_TIMEOUT} * 5")
    endif()
    set_tests_properties(${name} PROPERTIES TIMEOUT ${T_TIMEOUT} SKIP_RETURN_CODE 77 LABELS "${T_LABELS}")
endfunction()

# jm_pytest(name file.py [TIMEOUT seconds] [LABELS long ...])
# A Python test; it finds the jumar program through JUMAR_BIN. Left out when JUMAR_PYTHON is not set. A file that is skipped as a
# whole counts as skipped: pytest ends with 5 then.
function(jm_pytest name file)
    if(NOT JUMAR_PYTHON)
        return()
    endif()
    cmake_parse_arguments(T "" "TIMEOUT" "LABELS" ${ARGN})
    if(NOT T_TIMEOUT)
        set(T_TIMEOUT 300)
    endif()
    add_test(NAME ${name} COMMAND ${JUMAR_PYTHON} -m pytest -q -rs -p no:cacheprovider ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    set(environment "JUMAR_BIN=$<TARGET_FILE:jumar_tool>" "JUMAR_SOURCE=${PROJECT_SOURCE_DIR}"
        "JUMAR_BUILD=${PROJECT_BINARY_DIR}" "PYTHONDONTWRITEBYTECODE=1")
    if(NOT DEFINED ENV{JUMAR_TEST_DATA})
        list(APPEND environment "JUMAR_TEST_DATA=${PROJECT_SOURCE_DIR}/../shared")
    endif()
    set_tests_properties(${name} PROPERTIES TIMEOUT ${T_TIMEOUT} SKIP_RETURN_CODE 5 LABELS "python;${T_LABELS}"
        ENVIRONMENT "${environment}")
endfunction()

# jm_fuzz(name SOURCES fuzz_x.c): a libFuzzer target when JUMAR_FUZZ is on. Its corpus is tests/corpus/<name>.
add_custom_target(fuzzers)
function(jm_fuzz name)
    if(NOT JUMAR_FUZZ)
        return()
    endif()
    cmake_parse_arguments(T "" "" "SOURCES" ${ARGN})
    add_executable(fuzz_${name} ${T_SOURCES})
    jm_target_flags(fuzz_${name})
    target_link_libraries(fuzz_${name} PRIVATE jumar_static)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(fuzz_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
    add_dependencies(fuzzers fuzz_${name})
endfunction()
