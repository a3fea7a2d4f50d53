extension JSONValue {
  /// Decodes a value of the given type.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - userInfo: The information that types can read from the decoder.
  /// - Returns: The value.
  /// - Throws: `DecodingError`, with the path of what is missing or of another kind.
  public func decoded<Value: Decodable>(
    as type: Value.Type = Value.self, userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws -> Value {
    try ValueDecoder(value: self, codingPath: [], userInfo: userInfo).decode(type)
  }

  /// Returns a one-line description of a decoding error: the path of the value and the reason.
  public static func explanation(of error: DecodingError) -> String {
    let (context, reason): (DecodingError.Context, String?) =
      switch error {
      case .typeMismatch(_, let context), .dataCorrupted(let context): (context, nil)
      case .valueNotFound(_, let context): (context, "is null")
      case .keyNotFound(let key, let context): (context, "has no \"\(key.stringValue)\"")
      @unknown default: (DecodingError.Context(codingPath: [], debugDescription: "\(error)"), nil)
      }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return "\(path.isEmpty ? "the root" : path) \(reason ?? context.debugDescription)"
  }
}

private struct ValueDecoder: Decoder {
  let value: JSONValue
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any]

  /// Returns the decoder of a member or element.
  func child(_ value: JSONValue, at key: any CodingKey) -> ValueDecoder {
    ValueDecoder(value: value, codingPath: codingPath + [key], userInfo: userInfo)
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let json = value as? Value { return json }
    return try Value(from: self)
  }

  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    .typeMismatch(
      type,
      .init(
        codingPath: codingPath, debugDescription: "must be \(expected), not \(value.kindName)"))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = value else { throw mismatch(JSONObject.self, "an object") }
    return KeyedDecodingContainer(KeyedValues(object: object, parent: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let values) = value else { throw mismatch([JSONValue].self, "a list") }
    return UnkeyedValues(values: values.elements, parent: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { SingleValue(decoder: self) }
}

private struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONObject
  let parent: ValueDecoder

  var codingPath: [any CodingKey] { parent.codingPath }
  var allKeys: [Key] { object.names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value == .null }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder(key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<Nested>
  {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder {
    ValueDecoder(
      value: object["super"] ?? .null, codingPath: codingPath, userInfo: parent.userInfo)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  private func decoder(_ key: Key) throws -> ValueDecoder {
    guard let value = object[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "no \(key.stringValue)"))
    }
    return parent.child(value, at: key)
  }
}

private struct UnkeyedValues: UnkeyedDecodingContainer {
  let values: [JSONValue]
  let parent: ValueDecoder
  var currentIndex = 0

  var codingPath: [any CodingKey] { parent.codingPath }
  var count: Int? { values.count }
  var isAtEnd: Bool { currentIndex >= values.count }

  mutating func decodeNil() throws -> Bool {
    guard try current().value == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try current().decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws
    -> KeyedDecodingContainer<Nested>
  {
    let container = try current().container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try current().unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try current()
    currentIndex += 1
    return decoder
  }

  private func current() throws -> ValueDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSONValue.self, .init(codingPath: codingPath, debugDescription: "the list has ended"))
    }
    return parent.child(values[currentIndex], at: JSONIndex(currentIndex))
  }
}

private struct SingleValue: SingleValueDecodingContainer {
  let decoder: ValueDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.value == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard let flag = decoder.value.boolean else { throw decoder.mismatch(type, "a truth value") }
    return flag
  }

  func decode(_ type: String.Type) throws -> String {
    guard let text = decoder.value.string else { throw decoder.mismatch(type, "a text") }
    return text
  }

  func decode(_ type: Double.Type) throws -> Double {
    guard let number = decoder.value.number else { throw decoder.mismatch(type, "a number") }
    return number
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }

  private func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    guard let integer = decoder.value.integer, let fitting = Number(exactly: integer) else {
      throw decoder.mismatch(type, "a whole number that fits \(Number.bitWidth) bits")
    }
    return fitting
  }
}
