internal import CChecksum

/// CRC-32C (Castagnoli), as defined by RFC 3720 appendix B.4.
package enum Checksum {
  /// Returns the checksum of a region, continuing from the checksum of the bytes before it.
  ///
  /// - Complexity: O(n), by the processor's own instruction if it has one.
  package static func crc32c(
    _ bytes: UnsafeRawBufferPointer, after crc: UInt32 = 0
  ) -> UInt32 {
    // Safety: the C function reads exactly `count` bytes from the buffer's start.
    guard let base = bytes.baseAddress else { return crc }
    return unsafe bandolier_crc32c(crc, base, bytes.count)
  }

  /// Returns the checksum of an array, continuing from the checksum of the bytes before it.
  package static func crc32c(_ bytes: [UInt8], after crc: UInt32 = 0) -> UInt32 {
    // Safety: the buffer lives as long as the closure, and the checksum keeps no pointer.
    unsafe bytes.withUnsafeBytes { unsafe crc32c($0, after: crc) }
  }

  /// Returns the checksum of an array slice.
  package static func crc32c(_ bytes: ArraySlice<UInt8>, after crc: UInt32 = 0) -> UInt32 {
    // Safety: as above.
    unsafe bytes.withUnsafeBytes { unsafe crc32c($0, after: crc) }
  }

  /// Returns the same checksum, computed bytewise with a table, as a reference for the tests.
  package static func crc32cPortable(_ bytes: [UInt8], after crc: UInt32 = 0) -> UInt32 {
    // Safety: as above.
    unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return crc }
      return unsafe bandolier_crc32c_portable(crc, base, buffer.count)
    }
  }
}
