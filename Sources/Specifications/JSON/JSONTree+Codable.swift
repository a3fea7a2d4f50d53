/// A text, a number, a flag, a list or an object, so that any format with a coder can hold the value. A reader may
/// return the fields in another order, which changes no policy.
extension JSONTree: Codable {
  /// The maximum depth of values within values; those of policies have some tens.
  private static let deepest = 200

  /// Decodes a value.
  ///
  /// - Throws: `DecodingError` for a `null`, which no learned policy has, or for values that are nested more than 200
  ///   deep.
  public init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= Self.deepest else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "is nested more than \(Self.deepest) deep"))
    }
    if let object = try? decoder.container(keyedBy: NameCodingKey.self) {
      self = .object(
        try object.allKeys.map {
          Member($0.stringValue, try object.decode(JSONTree.self, forKey: $0))
        })
    } else if var list = try? decoder.unkeyedContainer() {
      var values: [JSONTree] = []
      while !list.isAtEnd { values.append(try list.decode(JSONTree.self)) }
      self = .list(values)
    } else {
      self = try Self.scalar(decoder.singleValueContainer())
    }
  }

  private static func scalar(_ value: any SingleValueDecodingContainer) throws -> JSONTree {
    if let flag = try? value.decode(Bool.self) { return .flag(flag) }
    if let number = try? value.decode(Double.self) { return .number(number) }
    return .text(try value.decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .list(let values):
      var list = encoder.unkeyedContainer()
      for value in values { try list.encode(value) }
    case .object(let members):
      var object = encoder.container(keyedBy: NameCodingKey.self)
      for member in members {
        try object.encode(member.value, forKey: NameCodingKey(stringValue: member.name))
      }
    default:
      var value = encoder.singleValueContainer()
      try encodeScalar(to: &value)
    }
  }

  private func encodeScalar(to value: inout any SingleValueEncodingContainer) throws {
    switch self {
    case .text(let text): try value.encode(text)
    case .integer(let number): try value.encode(number)
    case .unsigned(let number): try value.encode(number)
    case .number(let number): try value.encode(number)
    case .flag(let flag): try value.encode(flag)
    case .null, .list, .object: try value.encodeNil()
    }
  }
}

/// A name as the key of an object.
package struct NameCodingKey: CodingKey {
  /// The name.
  package let stringValue: String
  /// Always nil: names are no numbers.
  package var intValue: Int? { nil }

  /// Creates the key of a name.
  package init(stringValue: String) { self.stringValue = stringValue }

  /// Returns nil: names are no numbers.
  package init?(intValue: Int) { nil }
}
