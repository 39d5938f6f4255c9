/* SPDX-License-Identifier: Apache-2.0
 *
 * The two formats simple enough to read directly: BMP (uncompressed, 1 to 32 bits) and PPM/PGM.
 */
#include "vision/image_codec.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* ---- BMP ---- */

static uint32_t u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static unsigned u16(const uint8_t *p)
{
    return (unsigned)p[0] | (unsigned)p[1] << 8;
}

/* The bits of `value` under `mask`, scaled to 0..255. */
static uint8_t masked(uint32_t value, uint32_t mask)
{
    if (!mask) return 0;
    unsigned shift = (unsigned)__builtin_ctz(mask);
    uint64_t top = mask >> shift;
    return (uint8_t)(((uint64_t)((value & mask) >> shift) * 255 + top / 2) / top);
}

typedef struct bmp {
    const uint8_t *pixels;
    const uint8_t *palette; /* 4 (or 3 in the oldest form) bytes an entry, B G R */
    uint32_t palette_entries, palette_step;
    uint32_t mask[3];
    unsigned bits;
    size_t row_bytes;
} bmp;

static void bmp_pixel(const bmp *file, const uint8_t *row, int x, uint8_t *out)
{
    if (file->bits <= 8) {
        unsigned per_byte = 8 / file->bits, at = (unsigned)x % per_byte;
        unsigned index = row[(unsigned)x / per_byte] >> (8 - file->bits * (at + 1)) & ((1u << file->bits) - 1);
        if (index >= file->palette_entries) return; /* stays black */
        const uint8_t *entry = file->palette + (size_t)index * file->palette_step;
        for (int c = 0; c < 3; c++) out[c] = entry[2 - c];
    } else if (file->bits == 24) {
        for (int c = 0; c < 3; c++) out[c] = row[x * 3 + 2 - c];
    } else {
        uint32_t value = file->bits == 16 ? u16(row + (size_t)x * 2) : u32(row + (size_t)x * 4);
        for (int c = 0; c < 3; c++) out[c] = masked(value, file->mask[c]);
    }
}

jm_status jm_bmp_read(const uint8_t *data, size_t size, const char *name, jm_image *image)
{
    enum { FILE_HEADER = 14, BI_RGB = 0, BI_BITFIELDS = 3 };
    if (size < FILE_HEADER + 12) return jm_error(JM_CORRUPT, "cannot read '%s': the BMP header is cut short", name);
    uint32_t offset = u32(data + 10), header = u32(data + 14), compression = BI_RGB;
    int64_t width, height;
    bmp file = {.palette_step = 4};
    if (header != 12 && (header < 40 || header > 124))
        return jm_error(JM_UNSUPPORTED, "cannot read '%s': BMP header of %u bytes is not known", name, header);
    if (size - FILE_HEADER < header) return jm_error(JM_CORRUPT, "cannot read '%s': the BMP header is cut short", name);
    const uint8_t *info = data + FILE_HEADER;
    if (header == 12) {
        width = u16(info + 4);
        height = u16(info + 6);
        file.bits = u16(info + 10);
        file.palette_step = 3;
    } else {
        width = (int32_t)u32(info + 4);
        height = (int32_t)u32(info + 8);
        file.bits = u16(info + 14);
        compression = u32(info + 16);
    }
    bool bottom_up = height > 0;
    if (height < 0) height = -height;
    unsigned bits = file.bits;
    if ((bits != 1 && bits != 4 && bits != 8 && bits != 16 && bits != 24 && bits != 32) ||
        (compression != BI_RGB && !(compression == BI_BITFIELDS && (bits == 16 || bits == 32))))
        return jm_error(JM_UNSUPPORTED, "cannot read '%s': BMP with %u bits and compression %u is not supported", name,
                        bits, compression);
    if (width < 1 || height < 1 || width > INT32_MAX || height > INT32_MAX)
        return jm_error(JM_CORRUPT, "cannot read '%s': the BMP header says %lld x %lld pixels", name, (long long)width,
                        (long long)height);
    size_t palette_start = FILE_HEADER + (size_t)header;
    static const uint32_t default_mask[2][3] = {{0x7C00, 0x03E0, 0x001F}, {0xFF0000, 0x00FF00, 0x0000FF}};
    memcpy(file.mask, default_mask[bits == 32], sizeof file.mask);
    if (compression == BI_BITFIELDS) {
        if (size < palette_start + 12 && header < 52)
            return jm_error(JM_CORRUPT, "cannot read '%s': the BMP colour masks are cut short", name);
        for (int c = 0; c < 3; c++) file.mask[c] = u32(info + 40 + 4 * c);
    }
    if (bits <= 8) {
        uint32_t used = header == 12 ? 0 : u32(info + 32);
        file.palette_entries = used && used < 1u << bits ? used : 1u << bits;
        file.palette = data + palette_start;
        if (size - palette_start < (size_t)file.palette_entries * file.palette_step)
            return jm_error(JM_CORRUPT, "cannot read '%s': the BMP palette is cut short", name);
    }
    file.row_bytes = ((size_t)width * bits + 31) / 32 * 4;
    if (offset > size || (size - offset) / file.row_bytes < (size_t)height)
        return jm_error(JM_CORRUPT, "cannot read '%s': the BMP pixels are cut short", name);
    JM_TRY(jm_image_create((int)width, (int)height, image));
    for (int y = 0; y < image->height; y++) {
        const uint8_t *row = data + offset + (size_t)(bottom_up ? image->height - 1 - y : y) * file.row_bytes;
        uint8_t *out = image->rgb + (size_t)y * (size_t)image->width * 3;
        for (int x = 0; x < image->width; x++, out += 3) bmp_pixel(&file, row, x, out);
    }
    return JM_OK;
}

/* ---- PPM and PGM ---- */

/* The next decimal number of the header, after white space and comments; -1 when there is none below 10^9. */
static int64_t ppm_number(const uint8_t **at, const uint8_t *end)
{
    const uint8_t *p = *at;
    for (; p < end && (*p == ' ' || (*p >= '\t' && *p <= '\r') || *p == '#'); p++)
        if (*p == '#')
            while (p + 1 < end && p[1] != '\n') p++;
    if (p == end || *p < '0' || *p > '9') return -1;
    int64_t value = 0;
    for (; p < end && *p >= '0' && *p <= '9' && value < 1000000000; p++) value = value * 10 + (*p - '0');
    *at = p;
    return value < 1000000000 ? value : -1;
}

jm_status jm_ppm_read(const uint8_t *data, size_t size, const char *name, jm_image *image)
{
    const uint8_t *at = data + 2, *end = data + size;
    int64_t width = ppm_number(&at, end), height = ppm_number(&at, end), top = ppm_number(&at, end);
    if (width < 1 || height < 1 || top < 1 || top > 65535 || at == end)
        return jm_error(JM_CORRUPT, "cannot read '%s': the PPM header is damaged", name);
    at++; /* one white space before the samples */
    JM_TRY(jm_image_create((int)width, (int)height, image));
    size_t samples = data[1] == '6' ? 3 : 1, bytes = top > 255 ? 2 : 1, count = (size_t)width * (size_t)height;
    if ((size_t)(end - at) / (samples * bytes) < count)
        return jm_error(JM_CORRUPT, "cannot read '%s': the PPM pixels are cut short", name);
    uint8_t *out = image->rgb;
    for (size_t i = 0; i < count; i++, out += 3) {
        for (size_t s = 0; s < samples; s++, at += bytes) {
            unsigned value = bytes == 2 ? (unsigned)at[0] << 8 | at[1] : at[0];
            value = JM_MIN(value, (unsigned)top);
            out[s] = (uint8_t)((value * 255 + (unsigned)top / 2) / (unsigned)top);
        }
        if (samples == 1) out[1] = out[2] = out[0];
    }
    return JM_OK;
}
