/* SPDX-License-Identifier: Apache-2.0 */
#include "atc/errors.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"

typedef struct advice {
    const char *number, *cause, *solution;
} advice;

static const advice advices[] = {
    {"E10001", "A flag or its value is not one that atc takes here.",
     "Change it as the message says; see 'atc --help'."},
    {"E10002", "The text of --input_shape is wrong.", "Write --input_shape=\"name:1,3,640,640;other:1,4\"."},
    {"E10003", "The sizes do not fit --input_shape.",
     "List whole numbers above 0, as many as the dimensions that are -1."},
    {"E10004", "A parameter that is needed is empty.", "Give it a value."},
    {"E10005", "The value is neither true nor false.", "Give true or false."},
    {"E10006", "The value is neither 1 nor 0.", "Give 1 or 0."},
    {"E10007", "--framework is missing.", "Add --framework=5 for an ONNX model."},
    {"E10008", "A Caffe model comes as two files.",
     "Add --weight, and convert the model to ONNX: Caffe is not read here."},
    {"E10009", "A model has sizes of one kind only.",
     "Keep one of --dynamic_batch_size, --dynamic_image_size, --dynamic_dims and --input_shape_range."},
    {"E10010", "The log level is unknown.", "Give debug, info, warning, error or null."},
    {"E10012", "--input_shape is empty although sizes are listed.", "Add --input_shape with -1 where sizes differ."},
    {"E10016", "The name is not in the model.", "Use a name of the model; a viewer such as Netron shows them."},
    {"E10017", "The name is that of something inside of the model.", "Use the name of an input."},
    {"E10018", "With --dynamic_batch_size only dimension 0 is -1.", "Change --input_shape, or use --dynamic_dims."},
    {"E10019", "With --dynamic_image_size height and width of a 4-D input are -1.",
     "Change --input_shape, or use --dynamic_dims."},
    {"E10020", "An image size is not a height and a width.", "Write --dynamic_image_size=\"416,416;832,832\"."},
    {"E10021", "The path is too long.", "Give a shorter path."},
    {"E10022", "The path ends with a folder.", "Add the name of the file."},
    {"E10031", "No input shape depends on the batch size.", "Write -1 as dimension 0 in --input_shape."},
    {"E10034", "One input cannot be both float16 and a picture for AIPP.",
     "Take it out of --input_fp16_nodes or of --insert_op_conf."},
    {"E10035", "One size is a fixed size.", "List at least 2 sizes, or give the size in --input_shape."},
    {"E10036", "Too many sizes.", "List at most 100 sizes."},
    {"E10037", "The sizes have different counts of numbers.", "Give each as many numbers."},
    {"E10038", "A size is 0 or less.", "Give sizes of 1 or more."},
    {"E10039", "A size is listed twice.", "Remove the repetition."},
    {"E10040", "The sizes have nothing to stand for.", "Write -1 in --input_shape where the sizes go."},
    {"E10047", "The two parameters exclude each other.", "Remove one."},
    {"E10049", "The number of dimensions differs from the model's.",
     "Give as many dimensions as the model's input has."},
    {"E10052", "The AIPP configuration contradicts itself or the model.", "Correct the field that is named."},
    {"E10054", "A required parameter is missing.", "Add it."},
    {"E10055", "The feature does not exist in this version.", "Do what the message says."},
    {"E10056", "Both parameters say the same thing.", "Remove one."},
    {"E10057", "The parameter has no meaning in this mode.", "Remove it."},
    {"E10041", "The model file is damaged or of another kind.", "Make it again with atc."},
    {"E10410", "The file does not exist or is not a file.", "Check the path."},
    {"E13001", "The file cannot be opened or written.", "Check the path, the permissions and the space."},
    {"E13005", "The file is not a valid ONNX model.", "Export the model again and check it with onnx.checker."},
    {"E13018", "The text is not in the form of an AIPP configuration.", "Correct the line that is named."},
    {"E16001", "The model has no nodes or outputs.", "Export the model again."},
    {"E16002", "The model has operators that this version does not have.",
     "Export the model without them, or end it before them with --out_nodes."},
    {"E16004", "The model has no graph.", "Export the model again."},
    {"E16005", "The opset of the model is not read.", "Export the model with --opset 7 to 28."},
    {"E20001", "The model is read, but cannot be compiled.", "Do what the message says."},
    {"E19999", "An error without a number of its own.", "Please report it with the command line."},
};

const char *atc_error_number(jm_status status)
{
    const char *number = jm_last_error_number();
    if (*number) return number;
    switch (status) {
    case JM_NOT_FOUND:
        return "E10410";
    case JM_IO:
        return "E13001";
    case JM_CORRUPT:
        return "E13005";
    case JM_INVALID_ARGUMENT:
        return "E10001";
    case JM_UNSUPPORTED:
    case JM_OUT_OF_RANGE:
        return "E20001";
    default:
        return "E19999";
    }
}

/* "2025-06-16-13:02:36.801.136" */
static const char *time_text(char text[64])
{
    struct timespec now;
    struct tm parts;
    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &parts);
    size_t length = strftime(text, 64, "%Y-%m-%d-%H:%M:%S", &parts);
    snprintf(text + length, 64 - length, ".%03ld.%03ld", now.tv_nsec / 1000000, now.tv_nsec / 1000 % 1000);
    return text;
}

void atc_error_block(FILE *stream, jm_status status)
{
    const char *number = atc_error_number(status);
    const advice *found = &advices[JM_COUNT(advices) - 1];
    char text[64];
    for (size_t i = 0; i < JM_COUNT(advices); i++)
        if (strcmp(advices[i].number, number) == 0) found = &advices[i];
    fprintf(stream, "%s: [PID: %ld] %s %s\n", number, (long)getpid(), time_text(text), jm_last_error());
    fprintf(stream, "        Possible Cause: %s\n        Solution: %s\n", found->cause, found->solution);
}
