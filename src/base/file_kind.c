/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file_kind.h"

#include <string.h>
#include <strings.h>

#include "base/alloc.h"

typedef struct kind {
    size_t offset;
    const char *begin; /* bytes at `offset`; letters of either case */
    const char *text;
} kind;

static const kind kinds[] = {
    {0, "PK\x03\x04",
     "is a zip archive, as PyTorch writes for .pt files; export the network to ONNX first, such as with "
     "torch.onnx.export"},
    {0, "\x80\x02", "is a Python pickle, as old .pt files are; export the network to ONNX first"},
    {0, "<!DOCTYPE", "is a web page; the download failed: fetch the file itself"},
    {0, "<html", "is a web page; the download failed: fetch the file itself"},
    {0, "version https://git-lfs", "is a Git LFS pointer; fetch the file itself with `git lfs pull`"},
    {0, "\xff\xd8\xff", "is a JPEG picture; name the model first and pictures with --source"},
    {0, "\x89PNG", "is a PNG picture; name the model first and pictures with --source"},
    {0, "\x89HDF", "is an HDF5 file, as Keras writes; convert the network to ONNX first, such as with tf2onnx"},
    {4, "TFL3", "is a TensorFlow Lite model; convert the network to ONNX first, such as with tf2onnx"},
    {0, "\x1f\x8b", "is compressed with gzip; unpack it first"},
    {0, "IMOD", "is an .om of the vendor's own format; take the ONNX model that it was made from"},
    {0, "\x89JUMAR", "is an .om of Jumar, compiled already; take the ONNX model that it was made from"},
};

const char *jm_file_kind(const unsigned char *data, size_t size)
{
    for (size_t i = 0; i < JM_COUNT(kinds); i++) {
        size_t length = strlen(kinds[i].begin);
        if (size >= kinds[i].offset + length &&
            strncasecmp((const char *)data + kinds[i].offset, kinds[i].begin, length) == 0)
            return kinds[i].text;
    }
    return NULL;
}
