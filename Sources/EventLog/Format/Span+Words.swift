extension Span where Element == UInt8 {
  /// Returns eight bytes as a number, the first byte lowest. There must be eight.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    // Safety: the load is bounds-checked, and every bit pattern is a number.
    unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Returns four bytes as a number, the first byte lowest. There must be four.
  @inline(__always)
  func halfWord(at offset: Int) -> UInt32 {
    // Safety: the load is bounds-checked, and every bit pattern is a number.
    unsafe UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// All bytes, of which there are at most seven, as a number, the first byte lowest.
  @inline(__always)
  var shortWord: UInt64 {
    if count >= 4 {
      return UInt64(halfWord(at: 0))
        | UInt64(halfWord(at: count &- 4)) &<< UInt64(truncatingIfNeeded: 8 &* (count &- 4))
    }
    guard count > 0 else { return 0 }
    let (middle, last) = (count / 2, count &- 1)
    return UInt64(self[0]) | UInt64(self[middle]) &<< UInt64(truncatingIfNeeded: 8 &* middle)
      | UInt64(self[last]) &<< UInt64(truncatingIfNeeded: 8 &* last)
  }
}
