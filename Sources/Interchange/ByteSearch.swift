import Platform

/// Searches for single bytes, with the C library's vectorized code where that is faster.
enum ByteSearch {
  /// Returns the index of the first occurrence of a byte in a range of the array; nil if there is none.
  ///
  /// - Precondition: The range lies within the array.
  static func first(_ byte: UInt8, in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    guard !range.isEmpty else { return nil }
    precondition(
      range.lowerBound >= 0 && range.upperBound <= bytes.count, "searched outside the bytes")
    // Safety: the range was just found to lie within the array, and memchr stays inside it.
    return unsafe bytes.withUnsafeBytes { bytes in
      let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
      guard let start = part.baseAddress,
        let found = unsafe memchr(start, Int32(byte), part.count)
      else { return nil }
      return unsafe range.lowerBound + (UnsafeRawPointer(found) - start)
    }
  }

  /// Appends the range of every field of a line that has no quotes, and returns whether all its bytes are ASCII.
  ///
  /// Eight bytes at a time: a byte of `word ^ separators` is zero at a separator, and
  /// `~(((x & 0x7F..) + 0x7F..) | x | 0x7F..)` has the top bit of exactly the zero bytes.
  static func split(
    _ line: [UInt8], at separator: UInt8, into fields: inout [Range<Int>]
  ) -> Bool {
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    let separators = 0x0101_0101_0101_0101 &* UInt64(separator)
    let words = line.count / 8
    var seen: UInt64 = 0
    var start = 0
    // Safety: the span is of the line, which outlives it; every bit pattern is a byte.
    let bytes = unsafe line.span.bytes
    for index in 0..<words {
      // Safety: the load is checked against the span, and every bit pattern is a number.
      let word = unsafe UInt64(
        littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index &* 8, as: UInt64.self))
      seen |= word
      let x = word ^ separators
      var found = ~(((x & low) &+ low) | x | low)
      while found != 0 {
        let place = index &* 8 &+ found.trailingZeroBitCount / 8
        fields.append(start..<place)
        start = place &+ 1
        found &= found &- 1
      }
    }
    for index in words * 8..<line.count {
      seen |= UInt64(line[index])
      guard line[index] == separator else { continue }
      fields.append(start..<index)
      start = index + 1
    }
    fields.append(start..<line.count)
    return seen & 0x8080_8080_8080_8080 == 0
  }
}
