/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of an .om file; docs/om-format.md explains them. All numbers are little-endian.
 * Numbers in this file are part of the format: never reuse one for another meaning.
 */
#ifndef JUMAR_MODEL_OM_FORMAT_H
#define JUMAR_MODEL_OM_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/graph.h"

/* Like PNG's: a high bit, a name and a line end show files damaged by text transfers at once. */
#define JM_OM_MAGIC "\x89JUMAR\r\n"
#define JM_OM_MAGIC_SIZE 8
#define JM_OM_ENDIAN 0x01020304u
/* A reader refuses a larger major version and ignores what it does not know of a larger minor one. */
#define JM_OM_MAJOR 1
#define JM_OM_MINOR 0
/* First bytes of the vendor's own format. */
#define JM_OM_VENDOR_MAGIC "IMOD"
#define JM_OM_PAGE 4096 /* the weights section begins at a multiple of this, whatever the machine's pages */
#define JM_OM_ALIGN 64  /* other sections, and constants inside the weights */
#define JM_OM_MAX_SECTIONS 64
#define JM_OM_MAX_GRAPH ((size_t)1 << 28) /* bytes of the graph section */

typedef struct jm_om_header {
    unsigned char magic[JM_OM_MAGIC_SIZE];
    uint32_t endian;
    uint16_t major, minor;
    uint64_t file_size;
    uint32_t sections;        /* entries of the table that follows the header */
    uint32_t table_crc;       /* CRC-32C of the table */
    unsigned char unused[28]; /* zero */
    uint32_t header_crc;      /* CRC-32C of the 60 bytes before */
} jm_om_header;

typedef enum jm_om_section_id {
    JM_OM_GRAPH = 1,
    JM_OM_WEIGHTS = 2,
    JM_OM_METADATA = 3,
    JM_OM_AIPP = 5,   /* reserved: image preprocessing inside the model */
    JM_OM_SOURCE = 6, /* the ONNX model that other input shapes are compiled from */
} jm_om_section_id;

/* A reader that does not know the section must refuse the file. */
#define JM_OM_SECTION_REQUIRED 1u

typedef struct jm_om_section {
    uint32_t id;
    uint32_t flags;
    uint64_t offset; /* from the start of the file */
    uint64_t size;
    uint32_t crc;    /* CRC-32C of the section */
    uint32_t unused; /* zero */
} jm_om_section;

_Static_assert(sizeof(jm_om_header) == 64, "header of 64 bytes");
_Static_assert(sizeof(jm_om_section) == 32, "table entries of 32 bytes");

/* ---- Protobuf field numbers ----
 * References to values, and to maps, are their position in the file plus one; 0 is absent. */

enum jm_om_graph_field {
    JM_OM_GRAPH_NAME = 1,    /* string */
    JM_OM_GRAPH_VALUE = 2,   /* repeated value */
    JM_OM_GRAPH_NODE = 3,    /* repeated node, in execution order */
    JM_OM_GRAPH_INPUT = 4,   /* packed references */
    JM_OM_GRAPH_OUTPUT = 5,  /* packed references */
    JM_OM_GRAPH_CHANNELS = 6 /* repeated packed list: lane of each channel */
};

enum jm_om_value_field {
    JM_OM_VALUE_NAME = 1,     /* string */
    JM_OM_VALUE_DTYPE = 2,    /* aclDataType number */
    JM_OM_VALUE_LAYOUT = 3,   /* jm_layout */
    JM_OM_VALUE_DIM = 4,      /* packed; missing for a scalar */
    JM_OM_VALUE_CHANNELS = 5, /* reference to a channel map */
    JM_OM_VALUE_VIEW = 6,     /* jm_view_kind */
    JM_OM_VALUE_PARENT = 7,   /* reference */
    JM_OM_VALUE_AXIS = 8,
    JM_OM_VALUE_START = 9,
    JM_OM_VALUE_OFFSET = 10, /* constants: bytes from the start of the weights section */
    JM_OM_VALUE_SIZE = 11    /* constants: bytes; its presence makes the value a constant */
};

enum jm_om_node_field {
    JM_OM_NODE_OP = 1,     /* string */
    JM_OM_NODE_NAME = 2,   /* string */
    JM_OM_NODE_INPUT = 3,  /* packed references */
    JM_OM_NODE_OUTPUT = 4, /* packed references */
    JM_OM_NODE_ATTR = 5,   /* repeated attribute */
    JM_OM_NODE_FORM = 6,
    JM_OM_NODE_ELIDED = 7
};

/* Exactly one of the value fields, the one that the operator's parameter wants. */
enum jm_om_attr_field {
    JM_OM_ATTR_NAME = 1,    /* string */
    JM_OM_ATTR_INT = 2,     /* int64 */
    JM_OM_ATTR_FLOAT = 3,   /* double */
    JM_OM_ATTR_STRING = 4,  /* string */
    JM_OM_ATTR_INTS = 5,    /* packed int64 */
    JM_OM_ATTR_FLOATS = 6,  /* packed double */
    JM_OM_ATTR_DTYPE = 7,   /* aclDataType number */
    JM_OM_ATTR_EPILOGUE = 8 /* message */
};

enum jm_om_epilogue_field {
    JM_OM_EPILOGUE_ACTIVATION = 1, /* jm_activation */
    JM_OM_EPILOGUE_ALPHA = 2,      /* float */
    JM_OM_EPILOGUE_BETA = 3,       /* float */
    JM_OM_EPILOGUE_RESIDUAL = 4    /* jm_residual */
};

enum jm_om_metadata_field {
    JM_OM_METADATA_ENTRY = 1 /* repeated {key, text} */
};

enum jm_om_entry_field {
    JM_OM_ENTRY_KEY = 1, /* string */
    JM_OM_ENTRY_TEXT = 2 /* string */
};

/* ---- Inside src/model ---- */

typedef enum jm_om_read_flag {
    JM_OM_COPY = 1,          /* copy the weights: `data` may go away after the call */
    JM_OM_SKIP_CHECKSUMS = 2 /* fuzzing: let damaged bytes reach the parser */
} jm_om_read_flag;

/* Reads a whole file image; jm_om_read and jm_om_read_memory are this. Without JM_OM_COPY the constants point into
 * `data`, which must outlive the graph. */
JM_MUST_USE jm_status jm_om_parse(const unsigned char *data, size_t size, unsigned flags, jm_graph **out);

/* om_graph.c. Fills an empty graph from a graph section and checks everything that running it relies on. */
JM_MUST_USE jm_status jm_om_parse_graph(jm_graph *graph, const unsigned char *data, size_t size,
                                        const unsigned char *weights, size_t weight_size);

#endif
