/* SPDX-License-Identifier: Apache-2.0 */
#include "vision/image.h"

#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/file.h"
#include "vision/image_codec.h"

enum { FILE_LIMIT = 512 << 20 };

/* ---- Memory ---- */

jm_status jm_image_create(int width, int height, jm_image *image)
{
    *image = (jm_image){0};
    if (width < 1 || height < 1)
        return jm_error(JM_INVALID_ARGUMENT, "a picture of %d x %d pixels is not possible", width, height);
    if ((size_t)width > JM_IMAGE_PIXELS / (size_t)height)
        return jm_error(JM_OUT_OF_RANGE, "a picture of %d x %d pixels is too large; the limit is %zu pixels", width,
                        height, JM_IMAGE_PIXELS);
    uint8_t *rgb = jm_alloc((size_t)width * (size_t)height, 3);
    if (!rgb) return JM_OUT_OF_MEMORY;
    *image = (jm_image){width, height, rgb};
    return JM_OK;
}

void jm_image_destroy(jm_image *image)
{
    jm_free(image->rgb);
    *image = (jm_image){0};
}

/* ---- Orientation ---- */

static unsigned read_u16(const uint8_t *p, bool big)
{
    return big ? (unsigned)p[0] << 8 | p[1] : (unsigned)p[1] << 8 | p[0];
}

static uint32_t read_u32(const uint8_t *p, bool big)
{
    return big ? (uint32_t)read_u16(p, true) << 16 | read_u16(p + 2, true)
               : (uint32_t)read_u16(p + 2, false) << 16 | read_u16(p, false);
}

int jm_exif_orientation(const uint8_t *data, size_t size)
{
    enum { TAG_ORIENTATION = 0x0112, TYPE_SHORT = 3 };
    if (size < 14 || memcmp(data, "Exif\0\0", 6) != 0) return 1;
    const uint8_t *tiff = data + 6;
    size -= 6;
    bool big = tiff[0] == 'M';
    if (memcmp(tiff, big ? "MM" : "II", 2) != 0 || read_u16(tiff + 2, big) != 42) return 1;
    size_t directory = read_u32(tiff + 4, big);
    if (directory > size || size - directory < 2) return 1;
    unsigned entries = read_u16(tiff + directory, big);
    const uint8_t *entry = tiff + directory + 2;
    if ((size - directory - 2) / 12 < entries) entries = (unsigned)((size - directory - 2) / 12);
    for (; entries; entries--, entry += 12) {
        if (read_u16(entry, big) != TAG_ORIENTATION || read_u16(entry + 2, big) != TYPE_SHORT) continue;
        unsigned value = read_u16(entry + 8, big);
        return value >= 1 && value <= 8 ? (int)value : 1;
    }
    return 1;
}

jm_status jm_image_orient(jm_image *image, int orientation)
{
    if (orientation < 2 || orientation > 8) return JM_OK;
    bool transpose = orientation >= 5;
    /* Where the stored picture must be read backwards to be upright (EXIF 2.3, tag 274). */
    bool flip_x = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    bool flip_y = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    jm_image upright;
    JM_TRY(
        jm_image_create(transpose ? image->height : image->width, transpose ? image->width : image->height, &upright));
    uint8_t *out = upright.rgb;
    for (int y = 0; y < upright.height; y++)
        for (int x = 0; x < upright.width; x++, out += 3) {
            int from_x = transpose ? y : x, from_y = transpose ? x : y;
            if (flip_x) from_x = image->width - 1 - from_x;
            if (flip_y) from_y = image->height - 1 - from_y;
            memcpy(out, image->rgb + ((size_t)from_y * (size_t)image->width + (size_t)from_x) * 3, 3);
        }
    jm_image_destroy(image);
    *image = upright;
    return JM_OK;
}

/* ---- Reading ---- */

jm_status jm_image_read_memory(const void *data, size_t size, const char *name, jm_image *image)
{
    *image = (jm_image){0};
    const uint8_t *bytes = data;
    static const uint8_t png_magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    jm_status status;
    if (size >= 3 && bytes[0] == 0xFF && bytes[1] == 0xD8 && bytes[2] == 0xFF)
        status = jm_jpeg_read(bytes, size, name, image);
    else if (size >= 8 && memcmp(bytes, png_magic, 8) == 0)
        status = jm_png_read(bytes, size, name, image);
    else if (size >= 2 && memcmp(bytes, "BM", 2) == 0)
        status = jm_bmp_read(bytes, size, name, image);
    else if (size >= 2 && bytes[0] == 'P' && (bytes[1] == '5' || bytes[1] == '6'))
        status = jm_ppm_read(bytes, size, name, image);
    else
        return jm_error(JM_UNSUPPORTED, "'%s' is not a picture that can be read; use JPEG, PNG, BMP, PPM or PGM", name);
    if (status != JM_OK) jm_image_destroy(image);
    return status;
}

jm_status jm_image_read(const char *path, jm_image *image)
{
    *image = (jm_image){0};
    unsigned char *data;
    size_t size = 0;
    JM_TRY(jm_file_read(path, FILE_LIMIT, &data, &size));
    jm_status status = jm_image_read_memory(data, size, path, image);
    jm_free(data);
    return status;
}

/* ---- Writing ---- */

static jm_status write_ppm(jm_file_writer *writer, const jm_image *image)
{
    char header[64];
    int length = snprintf(header, sizeof header, "P6\n%d %d\n255\n", image->width, image->height);
    JM_TRY(jm_file_writer_write(writer, header, (size_t)length));
    return jm_file_writer_write(writer, image->rgb, (size_t)image->width * (size_t)image->height * 3);
}

jm_status jm_image_write(const char *path, const jm_image *image)
{
    const char *dot = strrchr(jm_path_base(path), '.');
    jm_status (*write)(jm_file_writer *, const jm_image *) = NULL;
    if (dot && (strcasecmp(dot, ".jpg") == 0 || strcasecmp(dot, ".jpeg") == 0)) write = jm_jpeg_write;
    if (dot && strcasecmp(dot, ".png") == 0) write = jm_png_write;
    if (dot && strcasecmp(dot, ".ppm") == 0) write = write_ppm;
    if (!write)
        return jm_error(JM_INVALID_ARGUMENT, "cannot write '%s': the name must end in .jpg, .png or .ppm", path);
    jm_file_writer *writer;
    JM_TRY(jm_file_writer_create(path, &writer));
    jm_status status = write(writer, image);
    if (status != JM_OK) {
        jm_file_writer_destroy(writer);
        return status;
    }
    return jm_file_writer_commit(writer);
}
