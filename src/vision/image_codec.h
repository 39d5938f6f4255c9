/* SPDX-License-Identifier: Apache-2.0
 *
 * One reader and writer per file format; jm_image_read chooses. Readers leave *image zero or half-filled on failure:
 * the caller destroys it. `name` is for messages.
 */
#ifndef JUMAR_VISION_IMAGE_CODEC_H
#define JUMAR_VISION_IMAGE_CODEC_H

#include "base/file.h"
#include "vision/image.h"

JM_MUST_USE jm_status jm_jpeg_read(const uint8_t *data, size_t size, const char *name, jm_image *image);
JM_MUST_USE jm_status jm_jpeg_write(jm_file_writer *writer, const jm_image *image);
JM_MUST_USE jm_status jm_png_read(const uint8_t *data, size_t size, const char *name, jm_image *image);
JM_MUST_USE jm_status jm_png_write(jm_file_writer *writer, const jm_image *image);
JM_MUST_USE jm_status jm_bmp_read(const uint8_t *data, size_t size, const char *name, jm_image *image);
/* Binary PPM (P6) and PGM (P5), 8 or 16 bits. */
JM_MUST_USE jm_status jm_ppm_read(const uint8_t *data, size_t size, const char *name, jm_image *image);

#endif
