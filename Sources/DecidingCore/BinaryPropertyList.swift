internal import Events

/// Reads a binary property list of version 00: objects that refer to one another by number, the table of their offsets,
/// and a trailer of 32 bytes with the sizes of all this.
///
/// Nothing in the bytes is trusted: every object must lie before the table, and a value that is referenced several
/// times is counted each time, so that a small file does not expand into a large value.
///
/// Source: Apple, Core Foundation, CFBinaryPList.c, "Binary Plist format".
struct BinaryPropertyList {
  private static let trailerSize = 32

  private let bytes: [UInt8]
  private let offsetWidth: Int
  private let referenceWidth: Int
  private let objectCount: UInt64
  private let top: UInt64
  /// The offset of the table, where the objects end.
  private let table: Int
  /// The number of values and bytes of text that may still be read.
  private var rest: Int

  /// Creates a reader of bytes that begin with `bplist00`.
  init(_ bytes: [UInt8]) throws(PropertyListError) {
    let trailer = bytes.count - Self.trailerSize
    guard trailer > 8 else { throw Self.damage }
    let number = { (place: Int) in
      bytes[trailer + place..<trailer + place + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    self.bytes = bytes
    (offsetWidth, referenceWidth) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    (objectCount, top) = (number(8), number(16))
    table = Int(clamping: number(24))
    rest = 16_384 + bytes.count * 64
    let tableSize = objectCount.multipliedReportingOverflow(by: UInt64(offsetWidth))
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth), (8...trailer).contains(table),
      !tableSize.overflow, tableSize.partialValue <= UInt64(trailer - table)
    else { throw Self.damage }
  }

  /// Reads the value of the whole list.
  mutating func value() throws(PropertyListError) -> JSONValue { try value(of: top, at: []) }

  private mutating func value(of object: UInt64, at path: [String]) throws(PropertyListError) -> JSONValue {
    try spend(1, at: path)
    try PropertyListError.check(depth: path.count, at: path)
    guard object < objectCount else { throw Self.damage }
    let entry = table + Int(object) * offsetWidth
    let offset = Int(clamping: Self.number(bytes[entry..<entry + offsetWidth]))
    let marker = try part(offset, 1)[offset]
    let low = Int(marker & 15)
    switch marker >> 4 {
    case 0 where low == 0: return .null
    case 0 where low == 8 || low == 9: return .boolean(low == 9)
    case 1 where low <= 4: return try integer(try part(offset + 1, 1 << low), at: path)
    case 2 where low == 2 || low == 3: return try real(try part(offset + 1, 1 << low), at: path)
    case 3 where low == 3:
      return try .time(secondsSince2001: Double(bitPattern: Self.number(try part(offset + 1, 8))), at: path)
    case 4:
      let data = try list(low, offset, width: 1)
      try spend(data.count, at: path)
      return .base64(data)
    case 5, 6: return .string(try text(low, offset, width: marker >> 4 == 5 ? 1 : 2, at: path))
    case 10, 12: return .array(try elements(low, offset, at: path))
    case 13: return .object(try members(low, offset, at: path))
    default: throw .refusal("is no text, number, truth value, date, data, list or dictionary", at: path)
    }
  }

  /// Integers of 8 bytes are signed, shorter ones are not; those of 16 are signed, and mostly unsigned ones of 8.
  private func integer(_ digits: ArraySlice<UInt8>, at path: [String]) throws(PropertyListError) -> JSONValue {
    let number = Self.number(digits.suffix(8))
    guard digits.count > 8 else { return .integer(Int64(bitPattern: number)) }
    switch (Self.number(digits.prefix(8)), Int64(bitPattern: number)) {
    case (0, 0...), (.max, ..<0): return .integer(Int64(bitPattern: number))
    case (0, _): return .number(Double(number))
    default: throw .refusal("is beyond the numbers of 64 bits", at: path)
    }
  }

  private func real(_ digits: ArraySlice<UInt8>, at path: [String]) throws(PropertyListError) -> JSONValue {
    let bits = Self.number(digits)
    return try .finite(
      digits.count == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits),
      at: path)
  }

  private mutating func text(
    _ low: Int, _ offset: Int, width: Int, at path: [String]
  ) throws(PropertyListError) -> String {
    let bytes = try list(low, offset, width: width)
    try spend(bytes.count, at: path)
    let units = Self.numbers(bytes, width: width).map { UInt16(truncatingIfNeeded: $0) }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw .refusal("is a text with half a character", at: path)
    }
    return text
  }

  private mutating func elements(
    _ low: Int, _ offset: Int, at path: [String]
  ) throws(PropertyListError) -> [JSONValue] {
    var elements: [JSONValue] = []
    for reference in Self.numbers(try list(low, offset, width: referenceWidth), width: referenceWidth) {
      elements.append(try value(of: reference, at: path + ["\(elements.count)"]))
    }
    return elements
  }

  private mutating func members(
    _ low: Int, _ offset: Int, at path: [String]
  ) throws(PropertyListError) -> JSONObject {
    // All keys come before all values.
    let references = Self.numbers(try list(low, offset, width: 2 * referenceWidth), width: referenceWidth)
    let half = references.count / 2
    var members: [JSONObject.Member] = []
    for (key, reference) in zip(references.prefix(half), references.suffix(half)) {
      guard case .string(let name) = try value(of: key, at: path + ["(key)"]) else {
        throw .refusal("has a key that is no text", at: path)
      }
      members.append(JSONObject.Member(name: name, value: try value(of: reference, at: path + [name])))
    }
    return JSONObject(members)
  }

  /// The bytes of a number of units behind the marker at an offset: 15 says that the number follows as an integer.
  private func list(_ low: Int, _ offset: Int, width: Int) throws(PropertyListError) -> ArraySlice<UInt8> {
    guard low == 15 else { return try part(offset + 1, low * width) }
    let marker = try part(offset + 1, 1)[offset + 1]
    guard (0x10...0x13).contains(marker) else { throw Self.damage }
    let size = 1 << Int(marker & 15)
    let count = Self.number(try part(offset + 2, size)).multipliedReportingOverflow(by: UInt64(width))
    return try part(offset + 2 + size, count.overflow ? .max : Int(clamping: count.partialValue))
  }

  /// Bytes of the objects.
  private func part(_ offset: Int, _ count: Int) throws(PropertyListError) -> ArraySlice<UInt8> {
    guard offset >= 8, offset <= table, count <= table - offset else { throw Self.damage }
    return bytes[offset..<offset + count]
  }

  private mutating func spend(_ size: Int, at path: [String]) throws(PropertyListError) {
    rest -= size
    guard rest >= 0 else {
      throw .refusal(
        "it repeats itself until it is far larger than its file; write it without references", at: path)
    }
  }

  private static func numbers(_ bytes: ArraySlice<UInt8>, width: Int) -> [UInt64] {
    stride(from: bytes.startIndex, to: bytes.endIndex, by: width).map { number(bytes[$0..<$0 + width]) }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64 { digits.reduce(0) { $0 << 8 | UInt64($1) } }

  private static let damage = PropertyListError(
    reason: "the binary property list is damaged or cut off; export it again")
}
