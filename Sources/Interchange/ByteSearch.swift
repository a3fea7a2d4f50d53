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

  /// Returns the index of the first quote, backslash or newline in a range of the array; the range's end if there is
  /// none.
  ///
  /// - Precondition: The range lies within the array.
  static func endOfPlainText(in bytes: [UInt8], _ range: Range<Int>) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "searched outside the bytes")
    var index = range.lowerBound
    // Safety: the span is of the array, which outlives it; every bit pattern is a byte.
    let span = unsafe bytes.span.bytes
    while index &+ 8 <= range.upperBound {
      // Safety: eight bytes of the range, which lies within the array; every bit pattern is a number.
      let word = unsafe UInt64(littleEndian: span.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let found = equal(word, UInt8(ascii: "\"")) | equal(word, UInt8(ascii: "\\")) | equal(word, UInt8(ascii: "\n"))
      if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < range.upperBound,
      ![UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\n")].contains(bytes[index])
    {
      index += 1
    }
    return index
  }

  /// Returns the highest bit of each byte of a word that is a byte.
  ///
  /// A byte of `x` is zero where it is, and `~(((x & 0x7F..) + 0x7F..) | x | 0x7F..)` has the top bit of exactly the
  /// zero bytes.
  @inline(__always)
  private static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    let x = word ^ 0x0101_0101_0101_0101 &* UInt64(byte)
    return ~(((x & low) &+ low) | x | low)
  }

  /// Appends the range of every field of a line that has no quotes, and returns whether all its bytes are ASCII.
  ///
  /// Eight bytes at a time.
  static func split(
    _ line: [UInt8], at separator: UInt8, into fields: inout [Range<Int>]
  ) -> Bool {
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
      var found = equal(word, separator)
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
