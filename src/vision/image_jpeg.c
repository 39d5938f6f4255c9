/* SPDX-License-Identifier: Apache-2.0
 *
 * JPEG through libjpeg-turbo. Its errors are fatal by default; here they jump back and become a status.
 */
#include "vision/image_codec.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>
#include <jerror.h>

#include "base/alloc.h"

typedef struct error_handler {
    struct jpeg_error_mgr base; /* first: libjpeg hands back a pointer to it */
    jmp_buf back;
    char text[JMSG_LENGTH_MAX];
    bool truncated; /* the data ended before the picture did */
    int orientation;
    jm_status status;
} error_handler;

static void leave(j_common_ptr codec)
{
    error_handler *handler = (error_handler *)codec->err;
    handler->base.format_message(codec, handler->text);
    longjmp(handler->back, 1);
}

static void stay_silent(j_common_ptr codec)
{
    (void)codec;
}

/* libjpeg fills what is missing with grey and only warns; a detector would silently see half a picture. */
static void note_warning(j_common_ptr codec, int level)
{
    if (level < 0 && (codec->err->msg_code == JWRN_JPEG_EOF || codec->err->msg_code == JWRN_HIT_MARKER))
        ((error_handler *)codec->err)->truncated = true;
}

static void install(error_handler *handler, struct jpeg_error_mgr **slot)
{
    *slot = jpeg_std_error(&handler->base);
    handler->base.error_exit = leave;
    handler->base.output_message = stay_silent;
    handler->base.emit_message = note_warning;
}

/* After leave(): `otherwise`, unless memory ran out. */
static jm_status failure(const error_handler *handler, jm_status otherwise, const char *what)
{
    if (handler->base.msg_code == JERR_OUT_OF_MEMORY) otherwise = JM_OUT_OF_MEMORY;
    return jm_error(otherwise, "%s: %s", what, handler->text);
}

enum { MAX_SCANS = 100 };

/* A progressive file of a few KB can hold thousands of scans, each over the whole picture. */
static void limit_scans(j_common_ptr codec)
{
    if (((j_decompress_ptr)codec)->input_scan_number > MAX_SCANS) {
        error_handler *handler = (error_handler *)codec->err;
        snprintf(handler->text, sizeof handler->text, "more than %d scans", MAX_SCANS);
        longjmp(handler->back, 1);
    }
}

/* Runs under setjmp: results go to the handler and the image, which are the caller's. */
static void decode(struct jpeg_decompress_struct *codec, error_handler *handler, const uint8_t *data, size_t size,
                   jm_image *image)
{
    struct jpeg_progress_mgr progress = {.progress_monitor = limit_scans};
    jpeg_create_decompress(codec);
    jpeg_mem_src(codec, data, size);
    jpeg_save_markers(codec, JPEG_APP0 + 1, 0xFFFF);
    codec->progress = &progress;
    jpeg_read_header(codec, TRUE);
    handler->orientation = 1;
    for (jpeg_saved_marker_ptr marker = codec->marker_list; marker && handler->orientation == 1; marker = marker->next)
        handler->orientation = jm_exif_orientation(marker->data, marker->data_length);
    if (codec->jpeg_color_space == JCS_CMYK || codec->jpeg_color_space == JCS_YCCK) {
        handler->status = jm_error(JM_UNSUPPORTED, "it is a CMYK JPEG; convert it to RGB");
        return;
    }
    codec->out_color_space = JCS_RGB;
    handler->status = jm_image_create((int)codec->image_width, (int)codec->image_height, image);
    if (handler->status != JM_OK) return;
    jpeg_start_decompress(codec);
    while (codec->output_scanline < codec->output_height) {
        JSAMPROW row = image->rgb + (size_t)codec->output_scanline * (size_t)image->width * 3;
        jpeg_read_scanlines(codec, &row, 1);
    }
    jpeg_finish_decompress(codec);
}

jm_status jm_jpeg_read(const uint8_t *data, size_t size, const char *name, jm_image *image)
{
    error_handler handler = {0};
    struct jpeg_decompress_struct codec = {0};
    install(&handler, &codec.err);
    if (setjmp(handler.back) == 0)
        decode(&codec, &handler, data, size, image);
    else
        handler.status = failure(&handler, JM_CORRUPT, "damaged JPEG");
    jpeg_destroy_decompress(&codec);
    jm_status status = handler.status;
    if (status == JM_OK && handler.truncated) status = jm_error(JM_CORRUPT, "the JPEG is cut short");
    if (status == JM_OK) status = jm_image_orient(image, handler.orientation);
    return status == JM_OK ? JM_OK : jm_error_context(status, "cannot read '%s'", name);
}

static void encode(struct jpeg_compress_struct *codec, FILE *stream, const jm_image *image)
{
    jpeg_create_compress(codec);
    jpeg_stdio_dest(codec, stream);
    codec->image_width = (JDIMENSION)image->width;
    codec->image_height = (JDIMENSION)image->height;
    codec->input_components = 3;
    codec->in_color_space = JCS_RGB;
    jpeg_set_defaults(codec);
    jpeg_set_quality(codec, 92, TRUE);
    /* Thin coloured lines smear when chroma is halved. */
    codec->comp_info[0].h_samp_factor = codec->comp_info[0].v_samp_factor = 1;
    jpeg_start_compress(codec, TRUE);
    while (codec->next_scanline < codec->image_height) {
        JSAMPROW row = image->rgb + (size_t)codec->next_scanline * (size_t)image->width * 3;
        jpeg_write_scanlines(codec, &row, 1);
    }
    jpeg_finish_compress(codec);
}

jm_status jm_jpeg_write(jm_file_writer *writer, const jm_image *image)
{
    error_handler handler = {0};
    struct jpeg_compress_struct codec = {0};
    install(&handler, &codec.err);
    bool failed = setjmp(handler.back) != 0;
    if (!failed) encode(&codec, jm_file_writer_stream(writer), image);
    jpeg_destroy_compress(&codec);
    return failed ? failure(&handler, JM_IO, "cannot write the JPEG") : JM_OK;
}
