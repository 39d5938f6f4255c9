/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/op.h"

#include <string.h>

#define JM_OP(symbol) extern const jm_op symbol;
#include "ops/ops.def"
#undef JM_OP

static const jm_op *const table[] = {
#define JM_OP(symbol) &symbol,
#include "ops/ops.def"
#undef JM_OP
};

const jm_op *const *jm_op_all(int *count)
{
    *count = (int)JM_COUNT(table);
    return table;
}

const jm_op *jm_op_find(const char *name)
{
    for (size_t i = 0; i < JM_COUNT(table); i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}
