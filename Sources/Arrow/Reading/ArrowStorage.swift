/// How the values of a column are stored.
enum ArrowStorage: Hashable, Sendable {
  /// Not at all.
  case none
  /// Bit by bit.
  case bits
  case int8, uint8, int16, uint16, int32, uint32, int64
  case half, float, double
  case decimal32, decimal64, decimal128
  /// Bytes of one number.
  case fixed(width: Int)
  /// Bytes behind one another, with offsets of 32 or 64 bits.
  case bytes32, bytes64
  /// Views of bytes in several buffers.
  case views
  /// Lists or maps with offsets of 32 or 64 bits.
  case list32, list64
  /// Lists of one length.
  case fixedList(count: Int)
  /// As several columns.
  case structure

  /// Creates the storage of a type; nil if it is not supported.
  init?(_ type: ArrowType) {
    switch type {
    case .null: self = .none
    case .boolean: self = .bits
    case .integer(let bits, let isSigned): self = Self.integer(bits, isSigned)
    case .floatingPoint(let bits): self = bits == 16 ? .half : bits == 32 ? .float : .double
    case .decimal(let bits, _):
      self =
        bits == 32
        ? .decimal32 : bits == 64 ? .decimal64 : bits == 128 ? .decimal128 : .fixed(width: bits / 8)
    case .text(let isLarge), .binary(let isLarge): self = isLarge ? .bytes64 : .bytes32
    case .textView, .binaryView: self = .views
    case .fixedSizeBinary(let width): self = .fixed(width: width)
    case .date32: self = .int32
    case .time(let bits, _): self = bits == 32 ? .int32 : .int64
    case .date64, .timestamp, .duration: self = .int64
    case .list(_, let isLarge): self = isLarge ? .list64 : .list32
    case .map: self = .list32
    case .fixedSizeList(_, let count): self = .fixedList(count: count)
    case .structure: self = .structure
    case .other: return nil
    }
  }

  private static func integer(_ bits: Int, _ isSigned: Bool) -> ArrowStorage {
    switch bits {
    case 8: isSigned ? .int8 : .uint8
    case 16: isSigned ? .int16 : .uint16
    case 32: isSigned ? .int32 : .uint32
    default: .int64
    }
  }

  /// The number of bytes of a value in the buffer behind the validity; nil if values have no fixed number.
  var width: Int? {
    switch self {
    case .int8, .uint8: 1
    case .int16, .uint16, .half: 2
    case .int32, .uint32, .float, .decimal32: 4
    case .int64, .double, .decimal64: 8
    case .decimal128, .views: 16
    case .fixed(let width): width
    default: nil
    }
  }
}
