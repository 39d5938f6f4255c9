/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of src/ops/aclnn.tab as data. scripts/aclnn.py writes these tables (src/aclnn/entries/); the language is told
 * in docs/adding-an-aclnn-operator.md.
 */
#ifndef JUMAR_ACLNN_ROW_H
#define JUMAR_ACLNN_ROW_H

#include "aclnn/acl_meta.h"
#include "ops/op.h"

#define JM_ACLNN_MAX_PARAMS 32
#define JM_ACLNN_MAX_OUTPUTS 8
#define JM_ACLNN_NO_OUTPUT 255 /* nobody wants that result */
/* The result is the shape that the run gives the parameter, an output whose shape depends on data. */
#define JM_ACLNN_SHAPE_OF(index) (128 + (index))

typedef enum jm_aclnn_kind {
    JM_ACLNN_TENSOR,
    JM_ACLNN_TENSORS,
    JM_ACLNN_SCALAR,
    JM_ACLNN_SCALARS,
    JM_ACLNN_INTS,
    JM_ACLNN_FLOATS,
    JM_ACLNN_BOOLS,
    JM_ACLNN_STRING,
    JM_ACLNN_INT, /* any integer type of C */
    JM_ACLNN_BOOL,
    JM_ACLNN_FLOAT, /* float or double */
    JM_ACLNN_DTYPE,
} jm_aclnn_kind;

typedef struct jm_aclnn_param {
    const char *name;
    uint8_t kind;  /* jm_aclnn_kind */
    bool optional; /* may be NULL */
    bool input;    /* a term reads it */
    bool output;   /* a statement writes it */
} jm_aclnn_param;

/* An argument as the entry function got it; the parameter's kind says which member. */
typedef union jm_aclnn_value {
    const void *pointer;
    const aclTensor *tensor;
    const aclTensorList *tensors;
    const aclScalar *scalar;
    const aclScalarList *scalars;
    const aclIntArray *ints;
    const aclFloatArray *floats;
    const aclBoolArray *bools;
    const char *string;
    int64_t i;
    double f;
} jm_aclnn_value;

/* Terms are in prefix order: an operator or function, then its operands, then (operators) its attributes. */
typedef enum jm_aclnn_term_kind {
    JM_TERM_NODE,      /* name: the operator; count operands and attrs attributes follow */
    JM_TERM_ATTR,      /* name; its value follows */
    JM_TERM_PARAM,     /* index */
    JM_TERM_NUMBER,    /* number */
    JM_TERM_TEXT,      /* name */
    JM_TERM_ABSENT,    /* an optional operand that is not given */
    JM_TERM_SCALE,     /* x, s: x times s, and x itself where s is 1 */
    JM_TERM_SHARE,     /* x, s: the same, and 0 in the shape of x where s is 0, whatever x holds */
    JM_TERM_SHAPE,     /* x: its shape, int64 */
    JM_TERM_SIZE,      /* x, axis: elements along the axis */
    JM_TERM_INTS,      /* an array or a number as an int64 operand of rank 1 */
    JM_TERM_ALL,       /* attribute: an array, absent where it is empty or not given */
    JM_TERM_NOT,       /* attribute: 1 where a bool or number is 0, and 0 otherwise */
    JM_TERM_CHOICE,    /* attribute: a number and texts; the text with that number */
    JM_TERM_BROADCAST, /* x, y: a view of x with the shape of y */
    JM_TERM_UNSQUEEZE, /* x, axis: views with one more dimension of 1 */
    JM_TERM_LEADING,   /* x, array: a view with leading dimensions of 1, as many in all as the array has numbers */
    JM_TERM_GIVEN,     /* p, a, b: a where the parameter p is given, else b */
    JM_TERM_ALONG,     /* x, axis, y: x of rank 1 laid along the axis and repeated over the other dimensions of y */
    JM_TERM_CROP,      /* x, y: a view of the first elements of x, with the shape of y */
    JM_TERM_EXCEPT,    /* attribute: a number p, absent where it is the number q */
    JM_TERM_ITEM,      /* x: element number `item` of a tensor that has one for each item of the lists */
    JM_TERM_CAST       /* x as the type `convert` */
} jm_aclnn_term_kind;

typedef enum jm_aclnn_convert {
    JM_CONVERT_RULE = -2, /* as the statement says */
    JM_CONVERT_KEEP = -1, /* not at all */
    /* else a jm_dtype */
} jm_aclnn_convert;

typedef struct jm_aclnn_term {
    uint8_t kind; /* jm_aclnn_term_kind */
    uint8_t count, attrs;
    uint8_t index;  /* of the parameter */
    int8_t convert; /* of a parameter or JM_TERM_CAST: jm_aclnn_convert */
    const char *name;
    double number;
} jm_aclnn_term;

typedef enum jm_aclnn_rule {
    JM_RULE_KEEP,    /* operands as they are */
    JM_RULE_EXACT,   /* the same, and results have the types of the outputs */
    JM_RULE_PROMOTE, /* all in their common type */
    JM_RULE_FLOAT,   /* the same, and float32 where that is no floating-point type */
    JM_RULE_OUTPUT,  /* all in the type of the first output */
    JM_RULE_CONVERT, /* operands as they are; the result is converted to any type */
} jm_aclnn_rule;

/* One expression and where its results go. */
typedef struct jm_aclnn_statement {
    uint8_t rule;  /* jm_aclnn_rule */
    uint8_t first; /* its first term */
    uint8_t outputs;
    uint8_t output[JM_ACLNN_MAX_OUTPUTS]; /* parameters, JM_ACLNN_NO_OUTPUT or JM_ACLNN_SHAPE_OF(parameter) */
} jm_aclnn_statement;

typedef struct jm_aclnn_row {
    const char *name; /* "aclnnAdd" */
    const jm_aclnn_param *param;
    const jm_aclnn_term *term;
    const jm_aclnn_statement *statement;
    uint8_t params, statements;
    bool each; /* lists are walked together: the statements run once for each item */
} jm_aclnn_row;

/* Phase one of every operator: `value` has row->params arguments. */
aclnnStatus jm_aclnn_prepare(const jm_aclnn_row *row, const jm_aclnn_value *value, uint64_t *workspaceSize,
                             aclOpExecutor **executor);
/* Phase two of every operator. */
aclnnStatus jm_aclnn_launch(const jm_aclnn_row *row, void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                            aclrtStream stream);

#endif
