#include "checksum.h"

#include <string.h>

static uint32_t table_entry(uint32_t byte) {
  uint32_t value = byte;
  for (int bit = 0; bit < 8; bit++) {
    value = (value >> 1) ^ ((value & 1) ? 0x82F63B78u : 0u);
  }
  return value;
}

uint32_t bandolier_crc32c_portable(uint32_t crc, const void *data, size_t count) {
  // Filled on first use. Two threads that fill it at once write the same values.
  static uint32_t table[256];
  static int ready;
  if (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) {
    for (uint32_t byte = 0; byte < 256; byte++) {
      __atomic_store_n(&table[byte], table_entry(byte), __ATOMIC_RELAXED);
    }
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  }
  const uint8_t *bytes = data;
  uint32_t value = ~crc;
  for (size_t i = 0; i < count; i++) {
    uint32_t entry = __atomic_load_n(&table[(value ^ bytes[i]) & 0xFF], __ATOMIC_RELAXED);
    value = (value >> 8) ^ entry;
  }
  return ~value;
}

#if defined(__x86_64__)

#define HAS_INSTRUCTION() __builtin_cpu_supports("sse4.2")
#define WITH_INSTRUCTION __attribute__((target("sse4.2")))
#define STEP_8(value, word) ((uint32_t)__builtin_ia32_crc32di((value), (word)))
#define STEP_1(value, byte) __builtin_ia32_crc32qi((value), (byte))

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)

#include <arm_acle.h>
#define HAS_INSTRUCTION() 1
#define WITH_INSTRUCTION
#define STEP_8(value, word) __crc32cd((value), (word))
#define STEP_1(value, byte) __crc32cb((value), (byte))

#endif

#if defined(HAS_INSTRUCTION)

WITH_INSTRUCTION
static uint32_t crc32c_by_instruction(uint32_t crc, const uint8_t *bytes, size_t count) {
  uint32_t value = ~crc;
  for (; count >= 8; bytes += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    value = STEP_8(value, word);
  }
  for (; count > 0; bytes += 1, count -= 1) {
    value = STEP_1(value, *bytes);
  }
  return ~value;
}

uint32_t bandolier_crc32c(uint32_t crc, const void *data, size_t count) {
  if (HAS_INSTRUCTION()) {
    return crc32c_by_instruction(crc, data, count);
  }
  return bandolier_crc32c_portable(crc, data, count);
}

#else

uint32_t bandolier_crc32c(uint32_t crc, const void *data, size_t count) {
  return bandolier_crc32c_portable(crc, data, count);
}

#endif
