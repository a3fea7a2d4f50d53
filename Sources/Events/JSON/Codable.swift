internal import Specifications

extension Identifier {
  /// Decodes the name from a text.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the name as a text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// The name as a dictionary key, so that the dictionary is encoded as an object.
  public var codingKey: any CodingKey { NameCodingKey(stringValue: rawValue) }

  /// Decodes the name from the key of an object.
  public init?(codingKey: some CodingKey) {
    self.init(codingKey.stringValue)
  }
}

extension Timestamp: Codable {
  /// Decodes the microseconds since 1970-01-01T00:00:00Z.
  public init(from decoder: any Decoder) throws {
    self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  /// Encodes the microseconds since 1970-01-01T00:00:00Z.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microseconds)
  }
}

extension AttributeValue: Codable {
  /// Decodes a number, a text or a truth value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let integer = try? container.decode(Int64.self) {
      self.init(integer)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  /// Encodes the bare value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .integer(let integer): try container.encode(integer)
    case .text(let text): try container.encode(text)
    case .flag(let flag): try container.encode(flag)
    }
  }
}

extension JSONValue: Codable {
  /// Decodes any JSON value, from a decoder of any format that has these kinds of values.
  ///
  /// - Throws: `DecodingError`, also if it is nested too deep.
  public init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= 4 * Self.deepestNesting else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "is nested too deep; flatten it"))
    }
    if let container = try? decoder.container(keyedBy: NameCodingKey.self) {
      self = .object(
        JSONObject(
          try container.allKeys.map {
            JSONObject.Member(
              name: $0.stringValue, value: try container.decode(JSONValue.self, forKey: $0))
          }))
    } else if var container = try? decoder.unkeyedContainer() {
      var values: [JSONValue] = []
      while !container.isAtEnd { values.append(try container.decode(JSONValue.self)) }
      self = .array(values)
    } else {
      self = try JSONValue(plain: decoder.singleValueContainer())
    }
  }

  private init(plain container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .boolean(flag)
    } else if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  /// Encodes the value, to an encoder of any format that has these kinds of values.
  ///
  /// - Throws: `EncodingError` if it is nested more than 64 deep, and errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    guard depth <= Self.deepestNesting else {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: encoder.codingPath,
          debugDescription: "is nested more than \(Self.deepestNesting) deep; flatten it"))
    }
    switch self {
    case .array(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    case .object(let object):
      var container = encoder.container(keyedBy: NameCodingKey.self)
      for member in object.members {
        try container.encode(member.value, forKey: NameCodingKey(stringValue: member.name))
      }
    default: try encodePlain(to: encoder)
    }
  }

  private func encodePlain(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .boolean(let flag): try container.encode(flag)
    case .integer(let integer): try container.encode(integer)
    case .number(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    default: try container.encodeNil()
    }
  }
}
