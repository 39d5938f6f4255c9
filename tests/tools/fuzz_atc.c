/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a command line of atc, arguments between line ends: accepted, or one error with a number.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atc/errors.h"
#include "atc/rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    if (!nowhere) nowhere = fopen("/dev/null", "w");
    char *text = malloc(size + 1), *argv[MOST + 1] = {(char[]){"atc"}}, *rest = NULL;
    atc_values values;
    int argc = 1;
    if (!nowhere || !text) abort();
    memcpy(text, data, size);
    text[size] = 0;
    for (char *word = strtok_r(text, "\n", &rest); word && argc < MOST; word = strtok_r(NULL, "\n", &rest))
        argv[argc++] = word;
    jm_status status = atc_flags_parse(argc, argv, nowhere, &values);
    if (status == JM_OK) status = atc_flags_check(&values);
    if (status == JM_OK) status = atc_rules_check(&values);
    if (status != JM_OK && atc_error_number(status)[0] != 'E') abort();
    free(text);
    return 0;
}
