/* SPDX-License-Identifier: Apache-2.0
 *
 * A model of several image sizes runs each picture in the smallest size that holds it.
 *
 *     atc --framework=5 --model=net.onnx --output=net --input_shape="x:1,3,-1,-1" \
 *         --dynamic_image_size="64,64;64,128;128,128"
 *     dynamic_size net.om HEIGHT WIDTH [HEIGHT WIDTH ...]
 *
 * The pictures are drawn here: a grey ramp of the size that was asked for, zero around it.
 */
#include <string.h>

#include "sample.h"

/* The size of the fewest points that holds the picture; its index, or hwCount. */
static size_t choose(const aclmdlHW *sizes, uint64_t height, uint64_t width)
{
    size_t best = sizes->hwCount;
    for (size_t i = 0; i < sizes->hwCount; i++) {
        const uint64_t *hw = sizes->hw[i];
        if (hw[0] < height || hw[1] < width) continue;
        if (best == sizes->hwCount || hw[0] * hw[1] < sizes->hw[best][0] * sizes->hw[best][1]) best = i;
    }
    return best;
}

/* [3][rows][columns] with the picture in the upper left corner. */
static void draw(float *to, uint64_t rows, uint64_t columns, uint64_t height, uint64_t width)
{
    memset(to, 0, 3 * rows * columns * sizeof(float));
    for (uint64_t c = 0; c < 3; c++)
        for (uint64_t y = 0; y < height; y++)
            for (uint64_t x = 0; x < width; x++)
                to[(c * rows + y) * columns + x] = (float)(x + y) / (float)(height + width);
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc % 2) {
        fprintf(stderr, "usage: %s MODEL.om HEIGHT WIDTH [HEIGHT WIDTH ...]\n", argv[0]);
        return 2;
    }
    uint32_t model;
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    CHECK(aclmdlLoadFromFile(argv[1], &model));
    aclmdlDesc *desc = aclmdlCreateDesc();
    CHECK(aclmdlGetDesc(desc, model));

    aclmdlHW sizes;
    size_t choice; /* the input that carries the size */
    CHECK(aclmdlGetDynamicHW(desc, 0, &sizes));
    CHECK(aclmdlGetInputIndexByName(desc, ACL_DYNAMIC_TENSOR_NAME, &choice));
    aclmdlDataset *input = sample_create_inputs(desc), *output = sample_create_outputs(desc);
    const size_t most = aclmdlGetInputSizeByIndex(desc, 0);
    float *picture = malloc(most);

    for (int i = 2; i < argc; i += 2) {
        const uint64_t height = strtoull(argv[i], NULL, 10), width = strtoull(argv[i + 1], NULL, 10);
        const size_t size = choose(&sizes, height, width);
        if (size == sizes.hwCount) {
            printf("%s x %s: larger than every size of the model\n", argv[i], argv[i + 1]);
            continue;
        }
        const uint64_t rows = sizes.hw[size][0], columns = sizes.hw[size][1];
        const size_t bytes = 3 * rows * columns * sizeof(float);
        draw(picture, rows, columns, height, width);
        CHECK(aclmdlSetDynamicHWSize(model, input, choice, rows, columns));
        CHECK(aclrtMemcpy(sample_address(input, 0), most, picture, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
        CHECK(aclmdlExecute(model, input, output));
        aclmdlIODims dims;
        CHECK(aclmdlGetCurOutputDims(desc, 0, &dims));
        printf("%s x %s: run as %llu x %llu, output", argv[i], argv[i + 1], (unsigned long long)rows,
               (unsigned long long)columns);
        for (size_t k = 0; k < dims.dimCount; k++) printf("%s%lld", k ? "x" : " ", (long long)dims.dims[k]);
        printf("\n");
    }

    free(picture);
    sample_destroy_dataset(output);
    sample_destroy_dataset(input);
    CHECK(aclmdlDestroyDesc(desc));
    CHECK(aclmdlUnload(model));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return 0;
}
