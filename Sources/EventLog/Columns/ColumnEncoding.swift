/// The encoding of the values of a stream. The raw values are part of the log format and never change.
package enum ColumnEncoding: UInt8, Sendable, CaseIterable {
  /// A single constant value.
  case constant = 0
  /// Frame of reference: the differences to the smallest value, bit-packed.
  case packed = 1
  /// Delta encoding: the differences to the previous value, bit-packed block by block.
  case delta = 2
  /// One dominant value, a bitmap of the rows that differ, and their values.
  case sparse = 3
  /// Delta encoding with exceptions: the differences to the previous value, bit-packed block by block, with exceptions
  /// for those that need more bits.
  case patchedDelta = 4
  /// A single constant floating-point number.
  case constantNumber = 16
  /// Dictionary encoding: the distinct numbers, and the index of each row's number.
  case numberDictionary = 17
  /// Decimal numbers as integers times a power of ten, and exceptions.
  case decimal = 18
  /// Numbers as their 64 bits.
  case rawNumber = 19
  /// Lengths, then the bytes.
  case text = 32
  /// A common prefix, followed by an integer in decimal digits.
  case numbered = 33

  /// The name shown by `log info`.
  package var name: String {
    switch self {
    case .constant: "constant"
    case .packed: "packed"
    case .delta: "delta"
    case .sparse: "sparse"
    case .patchedDelta: "patched-delta"
    case .constantNumber: "constant-number"
    case .numberDictionary: "number-dictionary"
    case .decimal: "decimal"
    case .rawNumber: "raw-number"
    case .text: "text"
    case .numbered: "numbered"
    }
  }
}

/// The 16-byte header of every stream of values.
///
///     stream     = encoding:u8 width:u8 0:u16 count:u32 base:i64 payload
///
/// The meaning of `width` and `base` depends on the encoding.
struct StreamHeader {
  static let byteCount = 16

  var encoding: ColumnEncoding
  var width: UInt8 = 0
  var count: Int
  var base: Int64 = 0

  func write(to output: inout [UInt8]) {
    output.append(encoding.rawValue)
    output.append(width)
    output.appendLittleEndian(0 as UInt16)
    output.appendLittleEndian(UInt32(truncatingIfNeeded: count))
    output.appendLittleEndian(base)
  }

  /// Reads a header and checks that the stream has the expected number of values.
  static func read(
    _ reader: inout LittleEndianReader, expecting count: Int
  ) throws(ColumnError) -> StreamHeader {
    let raw = try reader.read(UInt8.self)
    guard let encoding = ColumnEncoding(rawValue: raw) else {
      throw ColumnError("encoding \(raw) is unknown to this version")
    }
    let width = try reader.read(UInt8.self)
    guard try reader.read(UInt16.self) == 0 else {
      throw ColumnError("reserved bytes of a stream are not zero")
    }
    let announced = Int(try reader.read(UInt32.self))
    guard announced == count else {
      throw ColumnError("\(announced) values where \(count) belong")
    }
    return StreamHeader(
      encoding: encoding, width: width, count: count, base: try reader.read(Int64.self))
  }
}
