#ifndef BANDOLIER_CHECKSUM_H
#define BANDOLIER_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// CRC-32C (Castagnoli, reflected polynomial 0x82F63B78), as in RFC 3720 appendix B.4: initial value
/// and final xor 0xFFFFFFFF. `crc` is the checksum of the bytes before `data`, 0 at the start, so
/// that crc32c(crc32c(0, a), b) is the checksum of a followed by b. Uses the processor's own
/// instruction where there is one (x86-64 with SSE 4.2, ARMv8 with CRC).
uint32_t bandolier_crc32c(uint32_t crc, const void *data, size_t count);

/// The same checksum from a table, one byte at a time: what every machine can do, and the twin that
/// the tests hold the fast one against.
uint32_t bandolier_crc32c_portable(uint32_t crc, const void *data, size_t count);

#endif
