/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects in a picture: a YOLO whose preprocessing is inside of the model (static AIPP), so that a program hands over
 * bytes and never makes floating-point numbers of pixels.
 *
 *     convert photo.jpg photo.ppm
 *     atc --framework=5 --model=yolov8n.onnx --output=yolov8n --soc_version=Ascend310P3 \
 *         --insert_op_conf=detect_aipp.cfg
 *     detect_aipp yolov8n.om photo.ppm
 *
 * The output is that of a YOLOv8 or newer: [1, 4 + classes, boxes], where a box is its centre, width and height in
 * pixels of the model's input.
 */
#include <string.h>

#include "sample.h"

#define CONFIDENCE 0.25f
#define OVERLAP 0.45f /* of two boxes of a class that are taken for one object */
#define MOST 1000     /* boxes that are looked at */

typedef struct picture {
    int width, height;
    unsigned char *pixel; /* R,G,B */
} picture;

/* Where a picture lies in the model's input: size * scale + offset. */
typedef struct fit {
    float scale, x, y;
} fit;

typedef struct box {
    float x1, y1, x2, y2, score;
    size_t class;
} box;

/* ---- The picture ---- */

/* A binary PPM: "P6", width, height, 255, then the bytes. */
static picture read_ppm(const char *path)
{
    picture p;
    FILE *file = fopen(path, "rb");
    if (!file || fscanf(file, "P6 %d %d 255", &p.width, &p.height) != 2 || fgetc(file) == EOF || p.width < 1 ||
        p.height < 1 || p.width > 30000 || p.height > 30000) {
        fprintf(stderr, "'%s' is no binary PPM with 8 bits\n", path);
        exit(1);
    }
    const size_t bytes = (size_t)p.width * (size_t)p.height * 3;
    p.pixel = malloc(bytes);
    if (!p.pixel || fread(p.pixel, 1, bytes, file) != bytes) {
        fprintf(stderr, "'%s' ends too early\n", path);
        exit(1);
    }
    fclose(file);
    return p;
}

static int clamp(int value, int most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* One channel of the picture between pixels. */
static float sample_at(const picture *p, float x, float y, int channel)
{
    const int left = (int)(x + 1) - 1, top = (int)(y + 1) - 1; /* rounded down, also from -0.5 */
    const float right = x - (float)left, bottom = y - (float)top;
    float value = 0;
    for (int i = 0; i < 4; i++) {
        const int column = clamp(left + i % 2, p->width - 1), row = clamp(top + i / 2, p->height - 1);
        const float weight = (i % 2 ? right : 1 - right) * (i / 2 ? bottom : 1 - bottom);
        value += weight * (float)p->pixel[((size_t)row * (size_t)p->width + (size_t)column) * 3 + (size_t)channel];
    }
    return value;
}

/* The picture as large as it fits, in the middle of grey: what YOLOs are trained with. */
static fit letterbox(const picture *p, unsigned char *to, int width, int height)
{
    const float sx = (float)width / (float)p->width, sy = (float)height / (float)p->height;
    fit f = {.scale = sx < sy ? sx : sy};
    const int w = (int)((float)p->width * f.scale + 0.5f), h = (int)((float)p->height * f.scale + 0.5f);
    const int x0 = (width - w) / 2, y0 = (height - h) / 2;
    memset(to, 114, (size_t)width * (size_t)height * 3);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int c = 0; c < 3; c++)
                to[((y0 + y) * width + x0 + x) * 3 + c] =
                    (unsigned char)(sample_at(p, ((float)x + 0.5f) / f.scale - 0.5f, ((float)y + 0.5f) / f.scale - 0.5f,
                                              c) +
                                    0.5f);
    f.x = (float)x0;
    f.y = (float)y0;
    return f;
}

/* ---- The boxes ---- */

static float area(float x1, float y1, float x2, float y2)
{
    return x2 > x1 && y2 > y1 ? (x2 - x1) * (y2 - y1) : 0;
}

static float overlap(const box *a, const box *b)
{
    const float both = area(a->x1 > b->x1 ? a->x1 : b->x1, a->y1 > b->y1 ? a->y1 : b->y1, a->x2 < b->x2 ? a->x2 : b->x2,
                            a->y2 < b->y2 ? a->y2 : b->y2);
    return both / (area(a->x1, a->y1, a->x2, a->y2) + area(b->x1, b->y1, b->x2, b->y2) - both);
}

static int by_score(const void *a, const void *b)
{
    const float x = ((const box *)a)->score, y = ((const box *)b)->score;
    return (x < y) - (x > y);
}

/* Boxes above the confidence, in pixels of the picture: row k of `output` has number k of every box. */
static size_t decode(const float *output, size_t classes, size_t boxes, const fit *f, box *found)
{
    size_t count = 0;
    for (size_t i = 0; i < boxes && count < MOST; i++) {
        box b = {.score = CONFIDENCE, .class = classes};
        for (size_t c = 0; c < classes; c++) {
            const float score = output[(4 + c) * boxes + i];
            if (score <= b.score) continue;
            b.score = score;
            b.class = c;
        }
        if (b.class == classes) continue;
        const float x = output[i], y = output[boxes + i], w = output[2 * boxes + i], h = output[3 * boxes + i];
        b.x1 = (x - w / 2 - f->x) / f->scale;
        b.y1 = (y - h / 2 - f->y) / f->scale;
        b.x2 = (x + w / 2 - f->x) / f->scale;
        b.y2 = (y + h / 2 - f->y) / f->scale;
        found[count++] = b;
    }
    return count;
}

/* Of boxes that overlap, the best one stays; returns how many do. */
static size_t suppress(box *found, size_t count)
{
    size_t kept = 0;
    qsort(found, count, sizeof(*found), by_score);
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < kept && (found[k].class != found[i].class || overlap(&found[k], &found[i]) <= OVERLAP)) k++;
        if (k == kept) found[kept++] = found[i];
    }
    return kept;
}

/* ---- The program ---- */

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s MODEL.om PICTURE.ppm\n", argv[0]);
        return 2;
    }
    /* 1. The library, a device, and the model on it. */
    uint32_t model;
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    CHECK(aclmdlLoadFromFile(argv[1], &model));
    aclmdlDesc *desc = aclmdlCreateDesc();
    CHECK(aclmdlGetDesc(desc, model));

    /* 2. The model takes a picture in bytes, [1,height,width,3], and gives [1,4 + classes,boxes]. */
    aclmdlIODims in, out;
    aclmdlInputAippType type;
    size_t attached;
    CHECK(aclmdlGetAippType(model, 0, &type, &attached));
    CHECK(aclmdlGetInputDims(desc, 0, &in));
    CHECK(aclmdlGetOutputDims(desc, 0, &out));
    if (type != ACL_DATA_WITH_STATIC_AIPP || in.dims[3] != 3 || out.dimCount != 3 || out.dims[1] < 5) {
        fprintf(stderr, "%s is no YOLO that was made with detect_aipp.cfg\n", argv[1]);
        return 1;
    }

    /* 3. The picture, on the host and then on the device. */
    aclmdlDataset *input = sample_create_inputs(desc), *output = sample_create_outputs(desc);
    const size_t bytes = aclmdlGetInputSizeByIndex(desc, 0);
    picture p = read_ppm(argv[2]);
    unsigned char *pixels = malloc(bytes);
    const fit f = letterbox(&p, pixels, (int)in.dims[2], (int)in.dims[1]);
    CHECK(aclrtMemcpy(sample_address(input, 0), bytes, pixels, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    free(p.pixel);
    free(pixels);

    /* 4. The run, and the objects. */
    CHECK(aclmdlExecute(model, input, output));
    const size_t size = aclmdlGetOutputSizeByIndex(desc, 0);
    float *numbers = malloc(size);
    box *found = malloc(MOST * sizeof(*found));
    CHECK(aclrtMemcpy(numbers, size, sample_address(output, 0), size, ACL_MEMCPY_DEVICE_TO_HOST));
    const size_t candidates = decode(numbers, (size_t)out.dims[1] - 4, (size_t)out.dims[2], &f, found);
    const size_t objects = suppress(found, candidates);
    for (size_t i = 0; i < objects; i++)
        printf("class %zu, score %.3f, box %.1f %.1f %.1f %.1f\n", found[i].class, found[i].score, found[i].x1,
               found[i].y1, found[i].x2, found[i].y2);
    printf("%zu objects\n", objects);

    /* 5. Everything back, in the opposite order. */
    free(found);
    free(numbers);
    sample_destroy_dataset(output);
    sample_destroy_dataset(input);
    CHECK(aclmdlDestroyDesc(desc));
    CHECK(aclmdlUnload(model));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return 0;
}
