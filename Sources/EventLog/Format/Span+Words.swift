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
}
