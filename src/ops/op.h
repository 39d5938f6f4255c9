/* SPDX-License-Identifier: Apache-2.0
 *
 * The operator contract: every operator exists once, as one static jm_op, and every door (eager, graph, framework)
 * uses that description. The life of a call is
 *     check -> infer -> [lower] | forms -> [pack] -> plan -> run, chunk by chunk.
 * All callbacks are pure functions of their arguments: thread-safe, no globals, no hidden caches.
 *
 * To add an operator: docs/adding-an-operator.md.
 */
#ifndef JUMAR_OPS_OP_H
#define JUMAR_OPS_OP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/status.h"
#include "tensor/tensor.h"

#define JM_MAX_ARGUMENTS 64 /* inputs or outputs of one call; a larger Concat is imported as a tree */
#define JM_MAX_FORMS 8

/* ---- The parameter table ---- */

typedef enum jm_param_kind {
    JM_PARAM_INPUT,  /* a tensor that is read */
    JM_PARAM_OUTPUT, /* a tensor that is written */
    JM_PARAM_INT,
    JM_PARAM_FLOAT,
    JM_PARAM_STRING,
    JM_PARAM_INTS,
    JM_PARAM_FLOATS,
    JM_PARAM_DTYPE,
    JM_PARAM_EPILOGUE, /* jm_epilogue; graph only */
} jm_param_kind;

typedef enum jm_param_flag {
    JM_OPTIONAL = 1,    /* may be absent */
    JM_VARIADIC = 2,    /* the last input (or output): zero or more tensors */
    JM_HOST = 4,        /* its value decides shapes: must be constant when the graph is compiled */
    JM_PACKABLE = 8,    /* a form may want it packed when it is constant */
    JM_GRAPH_ONLY = 16, /* set by compiler passes only; not part of any public signature */
    JM_REFERENCE = 32,  /* an output that is the input of the same name, changed in place: run() reads what lies there
                           and  leaves what it does not write; it does not read the input */
    JM_COUNTED = 128, /* an output whose shape is the largest that it can have: another output, its shape as int64, says
                         how much the data fill. Elements lie as jm_counted_strides says */
    JM_SWITCHED = 64  /* an output that an attribute turns off: its shape is then [0], and the eager door leaves alone
                         what    the caller passes for it */
} jm_param_flag;

/* Order in the table: inputs, outputs, attributes. Names are ONNX's where ONNX has the operator. */
typedef struct jm_param {
    const char *name;
    jm_param_kind kind;
    unsigned flags;
    /* Default of an optional attribute; ints and floats default to absent (count 0). */
    int64_t i;
    double f;
    const char *s;
    const char *doc; /* a phrase for docs/operators.md */
} jm_param;

typedef enum jm_activation {
    JM_ACT_NONE,
    JM_ACT_RELU,         /* max(x, 0) */
    JM_ACT_LEAKY_RELU,   /* x < 0 ? alpha * x : x */
    JM_ACT_CLIP,         /* min(max(x, alpha), beta) */
    JM_ACT_SIGMOID,      /* 1 / (1 + exp(-x)) */
    JM_ACT_SILU,         /* x / (1 + exp(-x)) */
    JM_ACT_HARD_SIGMOID, /* max(0, min(1, alpha * x + beta)) */
    JM_ACT_HARD_SWISH,   /* x * max(0, min(1, x / 6 + 0.5)) */
    JM_ACT_TANH,
    JM_ACT_GELU, /* 0.5 x (1 + erf(x / sqrt 2)) */
    JM_ACT_MISH, /* x tanh(log(1 + exp(x))) */
    JM_ACT_COUNT
} jm_activation;

typedef enum jm_residual {
    JM_RESIDUAL_NONE,
    JM_RESIDUAL_THEN_ACTIVATION, /* act(value + residual): ResNet */
    JM_ACTIVATION_THEN_RESIDUAL  /* act(value) + residual: YOLO bottleneck */
} jm_residual;

/* Applied to a tile just computed, while it is in L1. The residual tensor is the operator's input "residual". */
typedef struct jm_epilogue {
    jm_activation activation;
    float alpha, beta;
    jm_residual residual;
} jm_epilogue;

/* The value of one attribute, in the order of the operator's attribute parameters. Defaults are filled in. */
typedef struct jm_attr {
    bool present; /* false: absent optional without a default (count is 0 too) */
    int32_t count;
    union {
        int64_t i;
        double f;
        const char *s;
        const int64_t *ints;
        const double *floats;
        jm_dtype dtype;
        jm_epilogue epilogue;
    };
} jm_attr;

/* ---- A call ---- */

struct jm_op;

/* Tensors are views; `data` of an input is set when the value is known (constants, or at run time of the eager
 * door). Variadic parameters extend the array. Trailing absent optional inputs may be missing from `in`. */
typedef struct jm_call {
    const struct jm_op *op;
    const char *name; /* node name for messages; "" when there is none */
    int inputs, outputs;
    const jm_tensor *in;
    jm_tensor *out;
    const jm_attr *attr; /* [attribute parameters of op] */
} jm_call;

/* The i-th input, or NULL when it is absent. */
const jm_tensor *jm_call_in(const jm_call *call, int i);
/* jm_error with "<Op> '<name>': " in front. */
JM_MUST_USE JM_PRINTF(3, 4) jm_status jm_call_error(const jm_call *call, jm_status code, const char *format, ...);
/* `value`, an axis of input 0 in [-rank, rank), to [0, rank). JM_INVALID_ARGUMENT, with a sentence, for any other. */
JM_MUST_USE jm_status jm_call_axis(const jm_call *call, int64_t value, int *axis);
/* Value of a constant integer tensor (any integer dtype, rank 0 or 1, at most `limit` elements) as int64.
 * JM_INVALID_ARGUMENT when it is not constant, of another type or too long. */
JM_MUST_USE jm_status jm_call_host_ints(const jm_call *call, int input, int64_t *values, int limit, int *count);

/* ---- Forms ---- */

typedef enum jm_map_rule {
    JM_MAP_FREE, /* any map for each C16 argument (constants are packed by it) */
    JM_MAP_SAME, /* all C16 arguments share one map */
} jm_map_rule;

/* One way to compute a call: which layouts it wants and what it may do. Form 0 is all-plain with any strides and is
 * always legal. `id` is stored in .om files: never reuse a number of the same operator for another meaning. */
typedef struct jm_form {
    uint8_t id;
    const char *name;   /* shown by `jumar info`: "direct", "gemm1x1", "depthwise", "plain" */
    jm_layout in;       /* layout of every non-constant tensor input of rank >= 3 (others plain); see in_plain */
    uint64_t in_plain;  /* bit i: input i is plain even so (stem input, shapes) */
    uint64_t in_packed; /* bit i: input i is a constant that pack() rewrites */
    jm_layout out;      /* layout of every output */
    jm_map_rule map;
    bool out_strided; /* an output may be a sub-view of a larger storage (strides other than jm_tensor_init's) */
    int in_place;     /* output 0 may lie exactly over this input; -1: never */
    double cost;      /* nanoseconds on a nominal core (16 FMA lanes, 3 GHz, 20 GB/s); same on every machine */
    /* Multiply-adds that the form executes as a share of the operator's own count, for reports; 0 means all. Winograd
     * F(4x4,3x3): 0.25 and what the padding of its tiles adds. */
    double flop_share;
} jm_form;

/* ---- Plan and run ---- */

struct jm_kernels; /* kernels/kernels.h: include it where kernels are called */

/* What plan() may assume about the machine that runs. */
typedef struct jm_machine {
    const struct jm_kernels *kernels; /* of the instruction set in use */
    unsigned threads;                 /* executor threads that will share the chunks */
    size_t l1, l2;                    /* bytes of data cache per core */
} jm_machine;

/* This machine with so many threads. JM_INVALID_ARGUMENT or JM_UNSUPPORTED: JUMAR_CPU is wrong, see jm_kernels_get. */
JM_MUST_USE jm_status jm_machine_get(unsigned threads, jm_machine *machine);

/* The result of plan(): immutable, shared by all threads. */
typedef struct jm_plan {
    size_t chunks;    /* independent pieces of work; at least 1, may depend on threads; results may not */
    size_t scratch;   /* bytes of 64-byte aligned scratch that each run call gets, private to the calling core */
    size_t workspace; /* bytes shared by all chunks of the call */
    void *state;      /* the operator's own struct, from the arena given to plan() */
    bool pulls;       /* run() can take the rows of input 0 from a jm_source */
} jm_plan;

/* A call whose output is not stored: the only call that reads it makes the rows when it needs them. */
typedef struct jm_source {
    const struct jm_op *op; /* has `row` */
    const jm_plan *plan;
    void *const *in;
    void *scratch;     /* plan->scratch bytes, private to the calling core */
    atomic_int *fault; /* as that of jm_run */
} jm_source;

/* Arguments of run(): addresses only; everything else is in the plan. Outputs never alias inputs unless the form's
 * in_place says so. */
typedef struct jm_run {
    void *const *in; /* NULL entries: absent */
    void *const *out;
    void *scratch;
    void *workspace;
    size_t chunk;
    const jm_source *source; /* NULL; or what makes input 0, whose address is NULL then */
    /* A kernel that meets a bad value known only now (an index out of range) writes nothing for it and stores a
     * non-zero jm_status here; it becomes the stream's sticky error. Never NULL. */
    atomic_int *fault;
} jm_run;

typedef struct jm_builder jm_builder;

typedef enum jm_dtype_rule {
    JM_DTYPE_ANY,  /* infer() decides */
    JM_DTYPE_SAME, /* all inputs and outputs have the dtype of input 0 (JM_HOST inputs excepted) */
} jm_dtype_rule;

typedef struct jm_op {
    const char *name; /* ONNX's name where it has one */
    const jm_param *param;
    int params;
    jm_dtype_rule dtype_rule;
    uint32_t dtypes; /* bit (1 << dtype) for each dtype allowed for input 0; 0: any but complex ones. Other inputs are
                        complex only where input 0 may be */
    const char *formula; /* for the docs, one line */
    const char *source;  /* where the formula comes from: "ONNX Conv-11" */
    bool view;           /* output 0 can be a view of input 0 (or inputs views of the output: Concat): no work to do
                            when the compiler arranges it */
    bool pointwise;      /* each output element depends on the same element of the inputs only */

    /* What the table cannot say. NULL: nothing. */
    jm_status (*check)(const jm_call *call);
    /* Fills dtype and shape of call->out (layout plain, strides row-major when known). Unknown dims -1. */
    jm_status (*infer)(jm_call *call);
    /* Composite operators emit simpler nodes instead of forms/plan/run. NULL otherwise. */
    jm_status (*lower)(const jm_call *call, jm_builder *builder);
    /* Fills `forms` and returns how many (1..JM_MAX_FORMS). NULL: one plain form with out_strided, not in place.
     * Shapes are known. A form must not depend on the machine. */
    int (*forms)(const jm_call *call, jm_form forms[JM_MAX_FORMS]);
    /* Bytes of constant input `input` packed for the form, given layouts and maps in call; 0 when not packed.
     * JM_OUT_OF_RANGE on overflow. */
    jm_status (*pack_bytes)(const jm_call *call, const jm_form *form, int input, size_t *bytes);
    /* Writes exactly pack_bytes bytes. Padding is zero. */
    jm_status (*pack)(const jm_call *call, const jm_form *form, int input, void *packed);
    /* The same while the call runs, for an input that is not constant, in chunks: pack_run reads run->in[0] and writes
     * run->out[0]. The tensors of the call are those of the form, but the input is not packed yet; no channel maps.
     * It may round otherwise than pack(). NULL: only constants are packed. */
    jm_status (*pack_plan)(const jm_call *call, const jm_form *form, int input, const jm_machine *machine,
                           jm_arena *arena, jm_plan *plan);
    void (*pack_run)(const jm_plan *plan, const jm_run *run);
    /* Layouts, strides and maps of all arguments are final; packed inputs have layout JM_PACKED. Must validate
     * everything run() relies on: an .om file is untrusted. */
    jm_status (*plan)(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *plan);
    /* Computes one chunk. No allocation, no locks, no failure but run->fault. */
    void (*run)(const jm_plan *plan, const jm_run *run);
    /* Output 0 is plain float32 [N,C,H,W] and its rows can be made one by one: the first `count` points of row y of
     * image n, channel c at out + c * channel, with the bits of run(). NULL: they cannot. */
    void (*row)(const jm_source *source, int64_t n, int64_t y, int64_t count, float *out, ptrdiff_t channel);
    /* Floating-point operations of the call (2 per multiply-add), for reports. NULL: number of output elements. */
    double (*flops)(const jm_call *call);
} jm_op;

/* Sets for jm_op.dtypes. */
#define JM_DTYPES_F32 (1u << JM_F32 | 1u << JM_F16 | 1u << JM_BF16) /* computed in float32 */
#define JM_DTYPES_FLOAT (JM_DTYPES_F32 | 1u << JM_F64)
#define JM_DTYPES_SIGNED (1u << JM_I8 | 1u << JM_I16 | 1u << JM_I32 | 1u << JM_I64)
#define JM_DTYPES_UNSIGNED (1u << JM_U8 | 1u << JM_U16 | 1u << JM_U32) /* those that int64 holds */
#define JM_DTYPES_COMPLEX (1u << JM_C64 | 1u << JM_C128)
#define JM_DTYPES_ANY (~0u) /* elements are only moved: complex ones too */
#define JM_DTYPES_INT (JM_DTYPES_SIGNED | JM_DTYPES_UNSIGNED)

/* ---- Registry (registry.c) and shared steps (op.c) ---- */

/* The operator of that name, or NULL. */
const jm_op *jm_op_find(const char *name);
/* All operators, in the order of ops.def; *count of them. */
const jm_op *const *jm_op_all(int *count);

int jm_op_inputs(const jm_op *op);  /* input parameters */
int jm_op_outputs(const jm_op *op); /* output parameters */
int jm_op_attrs(const jm_op *op);   /* attribute parameters */
const jm_param *jm_op_input(const jm_op *op, int i);
const jm_param *jm_op_output(const jm_op *op, int i);
const jm_param *jm_op_attr(const jm_op *op, int i);
/* Index among the attribute parameters, or -1. */
int jm_op_attr_index(const jm_op *op, const char *name);
/* Fills defaults of attributes that are not present. `attr` has jm_op_attrs entries. */
void jm_op_attr_defaults(const jm_op *op, jm_attr *attr);

/* Table checks (count, presence, dtypes) and op->check. */
JM_MUST_USE jm_status jm_op_check(const jm_call *call);
/* jm_op_check, then op->infer, then the dtype rule on outputs; known shapes are limited to 2^40 elements. */
JM_MUST_USE jm_status jm_op_infer(jm_call *call);
/* Forms of a call; always at least one, the first is plain. */
int jm_op_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS]);
/* The form with this id. JM_NOT_FOUND when the call does not offer it. */
JM_MUST_USE jm_status jm_op_form(const jm_call *call, uint8_t id, jm_form *form);
/* op->plan with the checks every operator shares: known shapes, layouts as the form wants, packed sizes. */
JM_MUST_USE jm_status jm_op_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                                 jm_plan *plan);
double jm_op_flops(const jm_call *call);
/* An `infer` for operators whose output 0 has the dtype and shape of input 0. */
JM_MUST_USE jm_status jm_infer_same(jm_call *call);
/* Elements of a tensor for costs and reports: 0 while its shape is not known. */
int64_t jm_tensor_elements(const jm_tensor *tensor);

#endif
