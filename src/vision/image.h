/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures: 8-bit RGB in memory, read from JPEG, PNG, BMP and PPM, written as JPEG, PNG and PPM.
 * Files are untrusted: sizes are checked before memory is taken, damage gives JM_CORRUPT. Thread-safe on
 * different images.
 */
#ifndef JUMAR_VISION_IMAGE_H
#define JUMAR_VISION_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Largest picture that is read: pixels in all. */
#define JM_IMAGE_PIXELS ((size_t)1 << 27)

/* Rows from top to bottom, three bytes R, G, B a pixel, no padding. */
typedef struct jm_image {
    int width, height; /* at least 1 */
    uint8_t *rgb;      /* [height][width][3], jm_alloc memory */
} jm_image;

/* Zero pixels (black). JM_INVALID_ARGUMENT: a size below 1; JM_OUT_OF_RANGE: above JM_IMAGE_PIXELS. On failure
 * *image is zero. */
JM_MUST_USE jm_status jm_image_create(int width, int height, jm_image *image);
/* Accepts a zero image. */
void jm_image_destroy(jm_image *image);

/* Reads a picture by its content, whatever its name. JPEG is turned upright by its EXIF orientation; grey, palette,
 * 16-bit and transparent PNG become 8-bit RGB (over black).
 * JM_CORRUPT: damaged; JM_UNSUPPORTED: another format, or CMYK; JM_OUT_OF_RANGE: too large; file errors as
 * jm_file_read. On failure *image is zero. */
JM_MUST_USE jm_status jm_image_read(const char *path, jm_image *image);
/* The same from memory; `name` is for messages. */
JM_MUST_USE jm_status jm_image_read_memory(const void *data, size_t size, const char *name, jm_image *image);
/* Writes by the ending of `path`: .jpg/.jpeg (quality 92, no chroma subsampling), .png or .ppm; complete or not at
 * all. JM_INVALID_ARGUMENT: another ending. */
JM_MUST_USE jm_status jm_image_write(const char *path, const jm_image *image);

/* Turns an image upright in place. `orientation` is the EXIF value 1..8; others do nothing. */
JM_MUST_USE jm_status jm_image_orient(jm_image *image, int orientation);
/* EXIF orientation 1..8 in the data of a JPEG APP1 segment ("Exif\0\0" and TIFF); 1 when absent or damaged. */
int jm_exif_orientation(const uint8_t *data, size_t size);

#endif
