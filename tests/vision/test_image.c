/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "vision/image.h"

static char folder[] = "/tmp/jumar-test-image-XXXXXX";
static char path[200];

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static jm_image random_image(int width, int height)
{
    jm_image image;
    assert_ok(jm_image_create(width, height, &image));
    for (int i = 0; i < width * height * 3; i++) image.rgb[i] = (uint8_t)test_random();
    return image;
}

/* Slow changes, which JPEG keeps closely. */
static jm_image smooth_image(int width, int height)
{
    jm_image image;
    assert_ok(jm_image_create(width, height, &image));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t *p = image.rgb + (y * width + x) * 3;
            p[0] = (uint8_t)(x * 255 / width);
            p[1] = (uint8_t)(y * 255 / height);
            p[2] = (uint8_t)((x + y) * 255 / (width + height));
        }
    return image;
}

static void lossless_formats_round_trip(void **state)
{
    (void)state;
    const char *const names[] = {"a.png", "b.ppm", "c.PNG"};
    const int sizes[][2] = {{1, 1}, {7, 3}, {64, 33}, {301, 2}};
    for (size_t n = 0; n < JM_COUNT(names); n++)
        for (size_t s = 0; s < JM_COUNT(sizes); s++) {
            jm_image image = random_image(sizes[s][0], sizes[s][1]), back;
            assert_ok(jm_image_write(in_folder(names[n]), &image));
            assert_ok(jm_image_read(path, &back));
            assert_int_equal(back.width, image.width);
            assert_int_equal(back.height, image.height);
            assert_memory_equal(back.rgb, image.rgb, (size_t)image.width * (size_t)image.height * 3);
            jm_image_destroy(&image);
            jm_image_destroy(&back);
        }
}

/* The largest difference of two pictures of one size. */
static int difference(const jm_image *a, const jm_image *b)
{
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    int worst = 0;
    for (int i = 0; i < a->width * a->height * 3; i++) worst = JM_MAX(worst, abs(a->rgb[i] - b->rgb[i]));
    return worst;
}

/* A JPEG with an EXIF segment that holds this orientation. */
static unsigned char *jpeg_with_orientation(const jm_image *image, int orientation, bool big, size_t *size)
{
    assert_ok(jm_image_write(in_folder("plain.jpg"), image));
    unsigned char *plain;
    size_t plain_size;
    assert_ok(jm_file_read(path, 1 << 20, &plain, &plain_size));
    unsigned char o = (unsigned char)orientation;
    const unsigned char little_exif[] = {0xFF, 0xE1, 0,    34, 'E', 'x', 'i', 'f', 0, 0, 'I', 'I', 42, 0, 8, 0, 0, 0,
                                         1,    0,    0x12, 1,  3,   0,   1,   0,   0, 0, o,   0,   0,  0, 0, 0, 0, 0};
    const unsigned char big_exif[] = {0xFF, 0xE1, 0, 34,   'E', 'x', 'i', 'f', 0, 0, 'M', 'M', 0, 42, 0, 0, 0, 8,
                                      0,    1,    1, 0x12, 0,   3,   0,   0,   0, 1, 0,   o,   0, 0,  0, 0, 0, 0};
    unsigned char *data = jm_alloc(plain_size + sizeof big_exif, 1);
    memcpy(data, plain, 2);
    memcpy(data + 2, big ? big_exif : little_exif, sizeof big_exif);
    memcpy(data + 2 + sizeof big_exif, plain + 2, plain_size - 2);
    *size = plain_size + sizeof big_exif;
    jm_free(plain);
    return data;
}

/* Where the pixel (x, y) of the upright picture lies in the stored one, written out case by case from the EXIF table:
 * the stored row 0 and column 0 are at the named sides of the upright picture. */
static void stored_position(int orientation, int x, int y, int stored_width, int stored_height, int *sx, int *sy)
{
    int w = stored_width - 1, h = stored_height - 1;
    const int where[9][2] = {{0, 0}, {x, y},     {w - x, y},     {w - x, h - y}, {x, h - y},
                             {y, x}, {y, h - x}, {w - y, h - x}, {w - y, x}};
    *sx = where[orientation][0];
    *sy = where[orientation][1];
}

static void jpeg_is_turned_upright(void **state)
{
    (void)state;
    jm_image stored = smooth_image(48, 32);
    for (int orientation = 1; orientation <= 8; orientation++)
        for (int big = 0; big < 2; big++) {
            size_t size;
            unsigned char *data = jpeg_with_orientation(&stored, orientation, big, &size);
            jm_image upright, want;
            assert_ok(jm_image_read_memory(data, size, "test", &upright));
            bool turned = orientation >= 5;
            assert_ok(jm_image_create(turned ? 32 : 48, turned ? 48 : 32, &want));
            for (int y = 0; y < want.height; y++)
                for (int x = 0; x < want.width; x++) {
                    int sx, sy;
                    stored_position(orientation, x, y, 48, 32, &sx, &sy);
                    memcpy(want.rgb + (y * want.width + x) * 3, stored.rgb + (sy * 48 + sx) * 3, 3);
                }
            assert_true(difference(&upright, &want) <= 10);
            jm_free(data);
            jm_image_destroy(&upright);
            jm_image_destroy(&want);
        }
    jm_image_destroy(&stored);
    assert_int_equal(jm_exif_orientation((const uint8_t *)"Exif\0\0II*\0\377\377\377\377", 14), 1);
}

static void put32(unsigned char *p, uint32_t value)
{
    for (int i = 0; i < 4; i++) p[i] = (unsigned char)(value >> 8 * i);
}

/* A BMP of 3 x 2 pixels with every depth; colours of row 0 are red, green, blue, of row 1 white, black, red. */
static size_t make_bmp(unsigned bits, bool top_down, unsigned char out[256])
{
    static const unsigned char color[2][3] = {{0, 1, 2}, {3, 4, 0}};
    static const unsigned char palette[5][4] = {
        {0, 0, 255, 0}, {0, 255, 0, 0}, {255, 0, 0, 0}, {255, 255, 255, 0}, {0, 0, 0, 0}};
    memset(out, 0, 256);
    memcpy(out, "BM", 2);
    put32(out + 14, 40);
    put32(out + 18, 3);
    put32(out + 22, top_down ? (uint32_t)-2 : 2);
    out[26] = 1;
    out[28] = (unsigned char)bits;
    size_t at = 54;
    if (bits <= 8) {
        put32(out + 46, 5);
        for (int i = 0; i < 5; i++, at += 4) memcpy(out + at, palette[i], 4);
    }
    put32(out + 10, (uint32_t)at);
    for (int row = 0; row < 2; row++) {
        unsigned char *p = out + at;
        for (int x = 0; x < 3; x++) {
            unsigned index = color[top_down ? row : 1 - row][x];
            const unsigned char *bgr = palette[index];
            if (bits == 4) p[x / 2] |= (unsigned char)(index << (x % 2 ? 0 : 4));
            if (bits == 8) p[x] = (unsigned char)index;
            if (bits == 16) {
                unsigned value = (bgr[2] >> 3u) << 10 | (bgr[1] >> 3u) << 5 | bgr[0] >> 3u;
                p[2 * x] = (unsigned char)value;
                p[2 * x + 1] = (unsigned char)(value >> 8);
            }
            if (bits >= 24) memcpy(p + x * (int)bits / 8, bgr, 3);
        }
        at += (3 * bits + 31) / 32 * 4;
    }
    return at;
}

static void bmp_of_every_depth_is_read(void **state)
{
    (void)state;
    static const uint8_t want[18] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 255, 0, 0};
    const unsigned depths[] = {4, 8, 16, 24, 32};
    for (size_t d = 0; d < JM_COUNT(depths); d++)
        for (int top_down = 0; top_down < 2; top_down++) {
            unsigned char data[256];
            size_t size = make_bmp(depths[d], top_down, data);
            jm_image image;
            assert_ok(jm_image_read_memory(data, size, "test.bmp", &image));
            assert_memory_equal(image.rgb, want, sizeof want);
            jm_image_destroy(&image);
            for (size_t cut = 0; cut < size; cut++)
                if (jm_image_read_memory(data, cut, "cut.bmp", &image) == JM_OK) fail_msg("cut at %zu was read", cut);
        }
}

static void grey_and_16_bit_pnm_are_read(void **state)
{
    (void)state;
    jm_image image;
    assert_ok(jm_image_read_memory("P5 # grey\n2 1\n255\n\x40\xff", 21, "g.pgm", &image));
    assert_memory_equal(image.rgb, "\x40\x40\x40\xff\xff\xff", 6);
    jm_image_destroy(&image);
    assert_ok(jm_image_read_memory("P6\n1 1\n65535\n\xff\xff\x80\x00\x00\x00", 19, "w.ppm", &image));
    assert_memory_equal(image.rgb, "\xff\x80\x00", 3);
    jm_image_destroy(&image);
    assert_error(jm_image_read_memory("P6 99999 99999 255 ", 19, "h.ppm", &image), JM_OUT_OF_RANGE, "99999 x 99999");
    assert_error(jm_image_read_memory("P6 0 1 255 ", 11, "z.ppm", &image), JM_CORRUPT, "z.ppm");
}

static void damage_is_an_error_or_a_picture(void **state)
{
    (void)state;
    const char *const names[] = {"d.png", "d.jpg", "d.ppm"};
    jm_image source = smooth_image(40, 24);
    for (size_t n = 0; n < JM_COUNT(names); n++) {
        assert_ok(jm_image_write(in_folder(names[n]), &source));
        unsigned char *data;
        size_t size;
        assert_ok(jm_file_read(path, 1 << 20, &data, &size));
        jm_image image;
        for (size_t cut = 0; cut < size - 1; cut += 1 + cut / 40) {
            unsigned char *copy = jm_alloc(cut, 1); /* its own block, so that reading past the end is seen */
            memcpy(copy, data, cut);
            if (jm_image_read_memory(copy, cut, "cut", &image) == JM_OK && cut + 20 < size)
                fail_msg("%s cut at %zu of %zu was read", names[n], cut, size);
            jm_image_destroy(&image);
            jm_free(copy);
        }
        for (int i = 0; i < 400; i++) {
            unsigned char *copy = jm_alloc(size, 1);
            memcpy(copy, data, size);
            for (int64_t flips = test_random_int(1, 4); flips; flips--)
                copy[test_random() % size] ^= (unsigned char)(1u << test_random() % 8);
            jm_status status = jm_image_read_memory(copy, size, "flip", &image);
            assert_true(status != JM_OK ? !image.rgb : image.rgb != NULL);
            jm_image_destroy(&image);
            jm_free(copy);
        }
        jm_free(data);
    }
    jm_image_destroy(&source);
}

static void messages_say_what_to_do(void **state)
{
    (void)state;
    jm_image image = random_image(2, 2), none;
    assert_error(jm_image_write("x.webp", &image), JM_INVALID_ARGUMENT, ".jpg, .png or .ppm");
    assert_error(jm_image_read_memory("GIF89a", 6, "x.gif", &none), JM_UNSUPPORTED, "use JPEG, PNG");
    assert_error(jm_image_create(0, 5, &none), JM_INVALID_ARGUMENT, "0 x 5");
    assert_error(jm_image_create(1 << 20, 1 << 20, &none), JM_OUT_OF_RANGE, "too large");
    jm_image_destroy(&image);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lossless_formats_round_trip),     cmocka_unit_test(jpeg_is_turned_upright),
        cmocka_unit_test(bmp_of_every_depth_is_read),      cmocka_unit_test(grey_and_16_bit_pnm_are_read),
        cmocka_unit_test(damage_is_an_error_or_a_picture), cmocka_unit_test(messages_say_what_to_do),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
