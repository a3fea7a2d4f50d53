internal import Events

/// The ordered attributes of an object and their types, referred to by a row's code in the columns `context`,
/// `features` and `metadata`. The values are stored in separate streams, one for each attribute and type, so that rows
/// of the same shape cost only their values.
///
///     shape of a context or of metadata = attributes
///     shape of features                 = groups:v (variant code:v attributes)*
///     attributes                        = count:v (4 * attribute code + type - 1):v *
///
/// v stands for a varint: seven bits per byte, lowest first.
struct AttributeShape: Sendable {
  struct Field: Sendable {
    var name: UInt32
    var type: ValueType
  }

  struct Group: Sendable {
    /// The choice that the features belong to; 0 in a context or in metadata.
    var variant: UInt32
    var fields: [Field]
  }

  var groups: [Group] = []

  /// The number of values in a row of this shape.
  var valueCount: Int { groups.reduce(0) { $0 + $1.fields.count } }

  /// Reads a shape.
  ///
  /// - Throws: ``ColumnError`` if the bytes are not a shape, or refer to codes that are not defined yet.
  init(
    _ bytes: ArraySlice<UInt8>, role: AttributeRole, attributeLimit: UInt32, variantLimit: UInt32
  ) throws(ColumnError) {
    var reader = LittleEndianReader(bytes)
    let groupCount = role == .features ? try reader.readVariableLength() : 1
    guard groupCount <= UInt64(bytes.count) else { throw ColumnError("too many groups in a shape") }
    for _ in 0..<groupCount {
      var group = Group(variant: 0, fields: [])
      if role == .features {
        group.variant = try Self.code(reader.readVariableLength(), below: variantLimit)
      }
      let count = try reader.readVariableLength()
      guard count <= UInt64(reader.remaining) else {
        throw ColumnError("too many attributes in a shape")
      }
      for _ in 0..<count {
        let both = try reader.readVariableLength()
        guard let type = ValueType(rawValue: UInt8(both % 4) + 1) else {
          throw ColumnError("a value of an unknown type")
        }
        group.fields.append(Field(name: try Self.code(both / 4, below: attributeLimit), type: type))
      }
      groups.append(group)
    }
    try reader.requireEnd()
  }

  private static func code(_ value: UInt64, below limit: UInt32) throws(ColumnError) -> UInt32 {
    guard value < UInt64(limit), let code = UInt32(exactly: value) else {
      throw ColumnError("a shape names a code that is not there")
    }
    return code
  }
}

extension ValueType {
  init(_ value: EventRecord.Value) {
    switch value {
    case .number: self = .number
    case .integer: self = .integer
    case .text: self = .text
    case .flag: self = .flag
    }
  }
}
