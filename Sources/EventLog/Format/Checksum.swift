internal import CChecksum

/// CRC-32C (Castagnoli), as RFC 3720 appendix B.4 defines it.
package enum Checksum {
  /// The checksum of a region, going on from the checksum of what came before it.
  ///
  /// - Complexity: O(n), by the processor's own instruction where it has one.
  package static func crc32c(
    _ bytes: UnsafeRawBufferPointer, after crc: UInt32 = 0
  ) -> UInt32 {
    // Safety: the C function reads exactly `count` bytes from the buffer's start.
    guard let base = bytes.baseAddress else { return crc }
    return unsafe bandolier_crc32c(crc, base, bytes.count)
  }

  /// The checksum of an array, going on from the checksum of what came before it.
  package static func crc32c(_ bytes: [UInt8], after crc: UInt32 = 0) -> UInt32 {
    // Safety: the buffer lives as long as the closure, and the checksum keeps no pointer.
    unsafe bytes.withUnsafeBytes { unsafe crc32c($0, after: crc) }
  }

  /// The checksum of a part of an array.
  package static func crc32c(_ bytes: ArraySlice<UInt8>, after crc: UInt32 = 0) -> UInt32 {
    // Safety: as above.
    unsafe bytes.withUnsafeBytes { unsafe crc32c($0, after: crc) }
  }

  /// The same by a table, byte after byte, for the tests to compare with.
  package static func crc32cPortable(_ bytes: [UInt8], after crc: UInt32 = 0) -> UInt32 {
    // Safety: as above.
    unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return crc }
      return unsafe bandolier_crc32c_portable(crc, base, buffer.count)
    }
  }
}
