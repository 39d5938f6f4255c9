/* SPDX-License-Identifier: Apache-2.0
 *
 * Philox4x32-10: 128 random bits for each counter and key. J. Salmon et al., "Parallel random numbers: as easy as
 * 1, 2, 3", SC 2011. The counter is laid out as in PyTorch's at::Philox4_32 (ATen/core/PhiloxRNGEngine.h): key = seed,
 * words 0 and 1 = offset, words 2 and 3 = subsequence, each with its low word first.
 */
#ifndef JUMAR_OPS_PHILOX_H
#define JUMAR_OPS_PHILOX_H

#include <stdint.h>

typedef struct jm_philox {
    uint32_t word[4];
} jm_philox;

static inline jm_philox jm_philox_at(uint64_t seed, uint64_t offset, uint64_t subsequence)
{
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    jm_philox x = {{(uint32_t)offset, (uint32_t)(offset >> 32), (uint32_t)subsequence, (uint32_t)(subsequence >> 32)}};
    for (int round = 0; round < 10; round++) {
        const uint64_t a = (uint64_t)x.word[0] * 0xD2511F53u, b = (uint64_t)x.word[2] * 0xCD9E8D57u;
        x = (jm_philox){{(uint32_t)(b >> 32) ^ x.word[1] ^ key[0], (uint32_t)b,
                         (uint32_t)(a >> 32) ^ x.word[3] ^ key[1], (uint32_t)a}};
        key[0] += 0x9E3779B9u;
        key[1] += 0xBB67AE85u;
    }
    return x;
}

/* The i-th number of 32 bits of a stream: word i mod 4 of subsequence i / 4. */
static inline uint32_t jm_philox_32(uint64_t seed, uint64_t offset, uint64_t i)
{
    return jm_philox_at(seed, offset, i / 4).word[i % 4];
}

/* The i-th of 64 bits: the words 2 i and 2 i + 1, the high one first. */
static inline uint64_t jm_philox_64(uint64_t seed, uint64_t offset, uint64_t i)
{
    const jm_philox x = jm_philox_at(seed, offset, i / 2);
    const uint32_t *word = &x.word[i % 2 * 2];
    return (uint64_t)word[0] << 32 | word[1];
}

/* The i-th number in [0, 1), a multiple of 2^-53. */
static inline double jm_philox_real(uint64_t seed, uint64_t offset, uint64_t i)
{
    return (double)(jm_philox_64(seed, offset, i) & ((UINT64_C(1) << 53) - 1)) * 0x1p-53;
}

#endif
