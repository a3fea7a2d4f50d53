/// A text, a number, a flag, a list or an object, so that any format with a coder can hold the value. A reader may
/// return the fields in another order, which changes no policy.
extension ValueTree: Codable {
  /// The maximum depth of values within values; those of policies have some tens.
  private static let deepest = 200

  private struct Name: CodingKey {
    let stringValue: String

    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  /// Decodes a value.
  ///
  /// - Throws: `DecodingError` for a null, or for values that are nested more than 200 deep.
  public init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= Self.deepest else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "is nested more than \(Self.deepest) deep"))
    }
    if let object = try? decoder.container(keyedBy: Name.self) {
      self = .fields(
        try object.allKeys.map {
          Field($0.stringValue, try object.decode(ValueTree.self, forKey: $0))
        })
    } else if var list = try? decoder.unkeyedContainer() {
      var values: [ValueTree] = []
      while !list.isAtEnd { values.append(try list.decode(ValueTree.self)) }
      self = .list(values)
    } else {
      self = try Self.scalar(decoder.singleValueContainer())
    }
  }

  private static func scalar(_ value: any SingleValueDecodingContainer) throws -> ValueTree {
    if let flag = try? value.decode(Bool.self) { return .flag(flag) }
    if let number = try? value.decode(Double.self) { return .number(number) }
    return .text(try value.decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text):
      var value = encoder.singleValueContainer()
      try value.encode(text)
    case .number(let number):
      var value = encoder.singleValueContainer()
      try value.encode(number)
    case .flag(let flag):
      var value = encoder.singleValueContainer()
      try value.encode(flag)
    case .list(let values):
      var list = encoder.unkeyedContainer()
      for value in values { try list.encode(value) }
    case .fields(let fields):
      var object = encoder.container(keyedBy: Name.self)
      for field in fields {
        try object.encode(field.value, forKey: Name(stringValue: field.name))
      }
    }
  }
}
