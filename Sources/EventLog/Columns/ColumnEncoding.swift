/// How the values of a stream are written. The raw values stand in the log and never change.
package enum ColumnEncoding: UInt8, Sendable, CaseIterable {
  /// Every value is the same one.
  case constant = 0
  /// The difference to the smallest value, bit-packed.
  case packed = 1
  /// The difference to the value before, bit-packed block by block.
  case delta = 2
  /// One usual value; a bit for every row that differs, and the values of those.
  case sparse = 3
  /// The difference to the value before, bit-packed block by block, with exceptions for those that need more bits.
  case patchedDelta = 4
  /// Every number is the same one.
  case constantNumber = 16
  /// The distinct numbers, and for each row which of them.
  case numberDictionary = 17
  /// Decimal numbers as whole numbers times a power of ten, and the exceptions.
  case decimal = 18
  /// Numbers as the 64 bits they are.
  case rawNumber = 19
  /// Lengths, then the bytes.
  case text = 32
  /// A common beginning, and a whole number in decimal digits after it.
  case numbered = 33

  /// The word that `log info` shows.
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

/// What stands before every stream of values: 16 bytes.
///
///     stream     = encoding:u8 width:u8 0:u16 count:u32 base:i64 payload
///
/// What `width` and `base` mean is the encoding's own.
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

  /// Reads a header and checks that the stream has as many values as the place where it stands says.
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
