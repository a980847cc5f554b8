// CRC-32C by the processor's own instruction, as inline functions: nothing to compile, nothing to
// link. Swift has no way to name the instruction.

#ifndef CTRACECHECKSUM_H
#define CTRACECHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#define LCT_CRC32C_TARGET __attribute__((target("sse4.2")))
#define lct_crc32c_word(crc, word) ((uint32_t)__builtin_ia32_crc32di((crc), (word)))
#define lct_crc32c_byte(crc, byte) __builtin_ia32_crc32qi((crc), (byte))
#elif defined(__AARCH64EL__) && defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#define LCT_CRC32C_TARGET
#define lct_crc32c_word(crc, word) __crc32cd((crc), (word))
#define lct_crc32c_byte(crc, byte) __crc32cb((crc), (byte))
#endif

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// Whether this processor has the instruction. The functions below must not be called without it.
static inline int lct_crc32c_is_there(void) {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & (1u << 20)) != 0;
#elif defined(LCT_CRC32C_TARGET)
  return 1;
#else
  return 0;
#endif
}

#if defined(LCT_CRC32C_TARGET)

/// The register after some more bytes; neither inverted before nor after.
LCT_CRC32C_TARGET static inline uint32_t lct_crc32c(
    uint32_t crc, const uint8_t *bytes, size_t count) {
  for (; count >= 8; bytes += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    crc = lct_crc32c_word(crc, word);
  }
  for (; count > 0; bytes++, count--) crc = lct_crc32c_byte(crc, *bytes);
  return crc;
}

/// The registers after three parts that follow each other, each of `words` words of 8 bytes. An
/// instruction waits for the one before on the same register, so that three take as long as one.
LCT_CRC32C_TARGET static inline void lct_crc32c_of_three(
    uint32_t *registers, const uint8_t *bytes, size_t words) {
  uint32_t first = registers[0], second = registers[1], third = registers[2];
  const size_t size = words * 8;
  for (const uint8_t *end = bytes + size; bytes != end; bytes += 8) {
    uint64_t one, two, three;
    memcpy(&one, bytes, 8);
    memcpy(&two, bytes + size, 8);
    memcpy(&three, bytes + 2 * size, 8);
    first = lct_crc32c_word(first, one);
    second = lct_crc32c_word(second, two);
    third = lct_crc32c_word(third, three);
  }
  registers[0] = first;
  registers[1] = second;
  registers[2] = third;
}

#else

static inline uint32_t lct_crc32c(uint32_t crc, const uint8_t *bytes, size_t count) {
  (void)bytes;
  (void)count;
  return crc;
}

static inline void lct_crc32c_of_three(
    uint32_t *registers, const uint8_t *bytes, size_t words) {
  (void)registers;
  (void)bytes;
  (void)words;
}

#endif

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
