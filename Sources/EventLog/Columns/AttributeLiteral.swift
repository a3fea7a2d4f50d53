internal import Events

/// An object's attributes encoded as one text with names and values, for shapes that are too large or too numerous to
/// be given a code.
///
///     literal of a context or of metadata = attributes
///     literal of features                 = groups:v (variant:text attributes)*
///     attributes                          = count:v (name:text type:u8 value)*
///     text                                = length:v bytes
///     value                               = u64 bits | i64 | text | u8
enum AttributeLiteral {
  static func write(
    _ attributes: ArraySlice<EventRecord.Attribute>, of record: EventRecord,
    to output: inout [UInt8]
  ) {
    output.appendVariableLength(UInt64(attributes.count))
    for attribute in attributes {
      write(record.bytes[attribute.name.range], to: &output)
      output.append(ValueType(attribute.value).rawValue)
      switch attribute.value {
      case .number(let number): output.appendLittleEndian(number.bitPattern)
      case .integer(let integer): output.appendLittleEndian(integer)
      case .text(let slice): write(record.bytes[slice.range], to: &output)
      case .flag(let flag): output.append(flag ? 1 : 0)
      }
    }
  }

  static func writeFeatures(of record: EventRecord, to output: inout [UInt8]) {
    output.appendVariableLength(UInt64(record.featureGroups.count))
    var next = 0
    for group in record.featureGroups {
      write(record.bytes[group.variant.range], to: &output)
      write(record.features[next..<next + group.count], of: record, to: &output)
      next += group.count
    }
  }

  private static func write(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
    output.appendVariableLength(UInt64(text.count))
    output.append(contentsOf: text)
  }

  static func read(
    _ bytes: ArraySlice<UInt8>, into record: inout EventRecord
  ) throws(ColumnError) -> [EventRecord.Attribute] {
    var reader = LittleEndianReader(bytes)
    var attributes: [EventRecord.Attribute] = []
    try readAttributes(&reader, into: &record, &attributes)
    try reader.requireEnd()
    return attributes
  }

  static func readFeatures(
    _ bytes: ArraySlice<UInt8>, into record: inout EventRecord
  ) throws(ColumnError) {
    var reader = LittleEndianReader(bytes)
    let groups = try reader.readVariableLength()
    var attributes: [EventRecord.Attribute] = []
    for _ in 0..<groups {
      let variant = record.add(try readText(&reader))
      let before = attributes.count
      try readAttributes(&reader, into: &record, &attributes)
      record.featureGroups.append(
        EventRecord.FeatureGroup(variant: variant, count: attributes.count - before))
    }
    try reader.requireEnd()
    record.features = attributes
  }

  private static func readAttributes(
    _ reader: inout LittleEndianReader, into record: inout EventRecord,
    _ attributes: inout [EventRecord.Attribute]
  ) throws(ColumnError) {
    for _ in 0..<(try reader.readVariableLength()) {
      let name = record.add(try readText(&reader))
      guard let type = ValueType(rawValue: try reader.read(UInt8.self)) else {
        throw ColumnError("a value of an unknown type")
      }
      let value: EventRecord.Value
      switch type {
      case .number: value = .number(Double(bitPattern: try reader.read(UInt64.self)))
      case .integer: value = .integer(try reader.read(Int64.self))
      case .text: value = .text(record.add(try readText(&reader)))
      case .flag: value = .flag(try reader.read(UInt8.self) != 0)
      }
      attributes.append(EventRecord.Attribute(name: name, value: value))
    }
  }

  private static func readText(
    _ reader: inout LittleEndianReader
  ) throws(ColumnError) -> ArraySlice<UInt8> {
    let length = try reader.readVariableLength()
    guard length <= UInt64(reader.remaining) else { throw ColumnError("a text is cut off") }
    return try reader.take(Int(length))
  }
}
