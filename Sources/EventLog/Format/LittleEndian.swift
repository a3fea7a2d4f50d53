/// Writing and reading of integers in little-endian order, which is the order of every number in the log.
extension Array<UInt8> {
  @inline(__always)
  mutating func appendLittleEndian<Number: FixedWidthInteger>(_ value: Number) {
    // Safety: the bytes of an integer may be read as such, and are copied at once.
    unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
  }

  mutating func replaceLittleEndian(_ value: some FixedWidthInteger, at offset: Int) {
    var rest = value
    for index in 0..<(value.bitWidth / 8) {
      self[offset + index] = UInt8(truncatingIfNeeded: rest)
      rest >>= 8
    }
  }

  /// Appends the bytes of a span.
  mutating func append(_ text: Span<UInt8>) {
    // Safety: the buffer lives as long as the closure, which copies it.
    unsafe text.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Replaces all bytes by others, reusing the memory.
  mutating func replace(with text: Span<UInt8>) {
    removeAll(keepingCapacity: true)
    append(text)
  }

  /// Appends zero bytes until the count is a multiple of `alignment`.
  mutating func pad(to alignment: Int) {
    while count % alignment != 0 { append(0) }
  }

  /// Appends a varint: groups of seven bits, lowest first, whose high bit says that more follow.
  mutating func appendVariableLength(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}

/// Reads little-endian integers in sequence, and throws if the bytes end too early.
struct LittleEndianReader {
  let bytes: ArraySlice<UInt8>
  private(set) var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    self.position = bytes.startIndex
  }

  init(_ bytes: [UInt8]) {
    self.init(bytes[...])
  }

  var remaining: Int { bytes.endIndex - position }

  mutating func read<T: FixedWidthInteger>(_ type: T.Type) throws(ColumnError) -> T {
    let size = T.bitWidth / 8
    guard remaining >= size else { throw ColumnError("ends in the middle of a number") }
    var value: T = 0
    for index in 0..<size {
      value |= T(truncatingIfNeeded: bytes[position + index]) << T(8 * index)
    }
    position += size
    return value
  }

  mutating func readVariableLength() throws(ColumnError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard remaining > 0, shift < 64 else {
        throw ColumnError("ends in the middle of a number of variable length")
      }
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  mutating func take(_ count: Int) throws(ColumnError) -> ArraySlice<UInt8> {
    guard count >= 0, remaining >= count else {
      throw ColumnError("\(count) bytes are announced and \(remaining) are left")
    }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// Skips zero bytes up to the next multiple of `alignment`, counted from the start of the bytes.
  mutating func align(to alignment: Int) throws(ColumnError) {
    while (position - bytes.startIndex) % alignment != 0 {
      guard try read(UInt8.self) == 0 else { throw ColumnError("padding is not zero") }
    }
  }

  func requireEnd() throws(ColumnError) {
    guard remaining == 0 else { throw ColumnError("\(remaining) bytes too many") }
  }
}

/// An error thrown if the bytes of a column do not match their encoding. The reader adds the location.
package struct ColumnError: Error, Hashable, Sendable {
  /// A description of the error.
  package var reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}
