/* SPDX-License-Identifier: Apache-2.0
 *
 * PNG through libspng.
 */
#include "vision/image_codec.h"

#include <spng.h>

#include "base/alloc.h"

enum { CHUNK_LIMIT = 64 << 20 };

static jm_status decode(spng_ctx *codec, const uint8_t *data, size_t size, jm_image *image, int *code)
{
    struct spng_ihdr header;
    size_t bytes;
    if ((*code = spng_set_png_buffer(codec, data, size)) ||
        (*code = spng_set_chunk_limits(codec, CHUNK_LIMIT, CHUNK_LIMIT)) || (*code = spng_get_ihdr(codec, &header)))
        return JM_CORRUPT;
    if (header.width > INT32_MAX || header.height > INT32_MAX)
        return jm_error(JM_OUT_OF_RANGE, "%u x %u pixels are too many", header.width, header.height);
    JM_TRY(jm_image_create((int)header.width, (int)header.height, image));
    if ((*code = spng_decoded_image_size(codec, SPNG_FMT_RGB8, &bytes))) return JM_CORRUPT;
    if (bytes != (size_t)image->width * (size_t)image->height * 3)
        return jm_error(JM_INTERNAL, "the PNG decoder wants %zu bytes", bytes);
    if ((*code = spng_decode_image(codec, image->rgb, bytes, SPNG_FMT_RGB8, 0))) return JM_CORRUPT;
    return JM_OK;
}

jm_status jm_png_read(const uint8_t *data, size_t size, const char *name, jm_image *image)
{
    spng_ctx *codec = spng_ctx_new(0);
    if (!codec) return jm_error(JM_OUT_OF_MEMORY, "out of memory for a PNG decoder");
    int code = 0;
    jm_status status = decode(codec, data, size, image, &code);
    spng_ctx_free(codec);
    if (code)
        status = jm_error(code == SPNG_EMEM ? JM_OUT_OF_MEMORY : JM_CORRUPT, "damaged PNG: %s", spng_strerror(code));
    return status == JM_OK ? JM_OK : jm_error_context(status, "cannot read '%s'", name);
}

jm_status jm_png_write(jm_file_writer *writer, const jm_image *image)
{
    spng_ctx *codec = spng_ctx_new(SPNG_CTX_ENCODER);
    if (!codec) return jm_error(JM_OUT_OF_MEMORY, "out of memory for a PNG encoder");
    struct spng_ihdr header = {.width = (uint32_t)image->width,
                               .height = (uint32_t)image->height,
                               .bit_depth = 8,
                               .color_type = SPNG_COLOR_TYPE_TRUECOLOR};
    int code;
    if (!(code = spng_set_png_file(codec, jm_file_writer_stream(writer))) && !(code = spng_set_ihdr(codec, &header)))
        code = spng_encode_image(codec, image->rgb, (size_t)image->width * (size_t)image->height * 3, SPNG_FMT_PNG,
                                 SPNG_ENCODE_FINALIZE);
    spng_ctx_free(codec);
    if (code)
        return jm_error(code == SPNG_EMEM ? JM_OUT_OF_MEMORY : JM_IO, "cannot write the PNG: %s", spng_strerror(code));
    return JM_OK;
}
