/// The type of a column.
public indirect enum ArrowType: Hashable, Sendable {
  /// Only nulls.
  case null
  /// Truth values.
  case boolean
  /// Integers of 8, 16, 32 or 64 bits.
  case integer(bits: Int, isSigned: Bool)
  /// Floating-point numbers of 16, 32 or 64 bits.
  case floatingPoint(bits: Int)
  /// Decimal numbers of 32, 64, 128 or 256 bits.
  case decimal(bits: Int, scale: Int)
  /// UTF-8 texts; large ones have offsets of 64 bits.
  case text(isLarge: Bool)
  /// UTF-8 texts as views of several buffers.
  case textView
  /// Byte strings; large ones have offsets of 64 bits.
  case binary(isLarge: Bool)
  /// Byte strings as views of several buffers.
  case binaryView
  /// Byte strings of one length.
  case fixedSizeBinary(width: Int)
  /// Days since 1970.
  case date32
  /// Milliseconds since 1970, of whole days.
  case date64
  /// Times of day of 32 or 64 bits.
  case time(bits: Int, unit: ArrowTimeUnit)
  /// Points in time since 1970, in UTC if there is a time zone, and otherwise in an unknown one.
  case timestamp(ArrowTimeUnit, zone: String?)
  /// Lengths of time.
  case duration(ArrowTimeUnit)
  /// Lists; large ones have offsets of 64 bits.
  case list(ArrowField, isLarge: Bool)
  /// Lists of one length.
  case fixedSizeList(ArrowField, count: Int)
  /// Several fields in each row.
  case structure([ArrowField])
  /// Entries of a key and a value in each row: the field is a struct of both.
  case map(ArrowField)
  /// A type that is not supported, by its name in the specification.
  case other(String)

  /// UTF-8 texts with offsets of 32 bits.
  public static var utf8: ArrowType { .text(isLarge: false) }
  /// Signed integers of 32 bits.
  public static var int32: ArrowType { .integer(bits: 32, isSigned: true) }
  /// Signed integers of 64 bits.
  public static var int64: ArrowType { .integer(bits: 64, isSigned: true) }
  /// Floating-point numbers of 64 bits.
  public static var float64: ArrowType { .floatingPoint(bits: 64) }

  /// The name in messages, as pyarrow writes it where there is one.
  public var name: String {
    switch self {
    case .null: "null"
    case .boolean: "bool"
    case .integer(let bits, let isSigned): "\(isSigned ? "" : "u")int\(bits)"
    case .floatingPoint(let bits): bits == 16 ? "halffloat" : bits == 32 ? "float" : "double"
    case .decimal(let bits, let scale): "decimal\(bits) with scale \(scale)"
    case .text(let isLarge): isLarge ? "large_string" : "string"
    case .textView: "string_view"
    case .binary(let isLarge): isLarge ? "large_binary" : "binary"
    case .binaryView: "binary_view"
    case .fixedSizeBinary(let width): "fixed_size_binary[\(width)]"
    case .date32: "date32[day]"
    case .date64: "date64[ms]"
    case .time(let bits, let unit): "time\(bits)[\(unit.name)]"
    case .timestamp(let unit, let zone): "timestamp[\(unit.name)\(zone.map { ", tz=\($0)" } ?? "")]"
    case .duration(let unit): "duration[\(unit.name)]"
    case .list(let field, let isLarge): "\(isLarge ? "large_" : "")list<\(field.type.name)>"
    case .fixedSizeList(let field, let count): "fixed_size_list<\(field.type.name)>[\(count)]"
    case .structure: "struct"
    case .map: "map"
    case .other(let name): name
    }
  }

  /// The conversion that makes a column of this unsupported type one of a supported type.
  var remedy: String {
    switch self {
    case .other("list_view"): "cast it to list"
    case .other("large_list_view"): "cast it to large_list"
    case .other("run_end_encoded"): "decode it, as with pyarrow.compute.run_end_decode"
    case .other("interval"): "write it as a duration, a text or a number"
    case .other("union"): "write a column for each of its types"
    default: "cast it to a text or number"
    }
  }
}

/// A unit of time.
public enum ArrowTimeUnit: Int16, Hashable, Sendable {
  /// Seconds.
  case second = 0
  /// Milliseconds.
  case millisecond = 1
  /// Microseconds.
  case microsecond = 2
  /// Nanoseconds.
  case nanosecond = 3

  /// The abbreviation: `s`, `ms`, `us` or `ns`.
  public var name: String { ["s", "ms", "us", "ns"][Int(rawValue)] }
}
