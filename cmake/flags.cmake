# SPDX-License-Identifier: Apache-2.0
# Compiler flags. No fast-math and no contraction anywhere: results must be the same bits at every level.

function(jm_target_flags target)
    set_target_properties(${target} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
                          C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    target_compile_options(${target} PRIVATE -ffp-contract=off -fno-math-errno -fno-trapping-math -Wall -Wextra
                           -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla -Wundef)
    if(JUMAR_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(JUMAR_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=${JUMAR_SANITIZE} -fno-omit-frame-pointer
                               -fno-sanitize-recover=all)
        target_link_options(${target} PUBLIC -fsanitize=${JUMAR_SANITIZE})
    endif()
    if(JUMAR_FUZZ)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src PUBLIC ${PROJECT_SOURCE_DIR}/include)
endfunction()
