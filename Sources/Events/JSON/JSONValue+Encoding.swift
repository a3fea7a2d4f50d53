internal import Specifications

extension JSONValue {
  /// Encodes a value. Dictionaries whose keys are texts or names become objects.
  ///
  /// - Throws: `EncodingError` if the value contains a number that is not finite, or an integer beyond 64 bits.
  public init(encoding value: some Encodable) throws {
    self = try EncodedNode(encoding: value, at: []).json
  }
}

/// A node of the tree that is being encoded.
private final class EncodedNode {
  enum Content {
    case nothing
    case value(JSONValue)
    case array([EncodedNode])
    case object([(name: String, node: EncodedNode)])
  }

  var content = Content.nothing

  init() {}

  init<Value: Encodable>(encoding value: Value, at path: [any CodingKey]) throws {
    if let json = value as? JSONValue {
      content = .value(json)
    } else {
      try value.encode(to: NodeEncoder(node: self, codingPath: path))
    }
  }

  var json: JSONValue {
    switch content {
    case .nothing: .object([:])
    case .value(let value): value
    case .array(let nodes): .array(nodes.map(\.json))
    case .object(let members):
      .object(JSONObject(members.map { JSONObject.Member(name: $0.name, value: $0.node.json) }))
    }
  }

  func member(_ name: String, _ node: EncodedNode) {
    guard case .object(var members) = content else {
      content = .object([(name, node)])
      return
    }
    content = .nothing
    members.append((name, node))
    content = .object(members)
  }

  var count: Int {
    guard case .array(let nodes) = content else { return 0 }
    return nodes.count
  }

  func element(_ node: EncodedNode) {
    guard case .array(var nodes) = content else {
      content = .array([node])
      return
    }
    content = .nothing
    nodes.append(node)
    content = .array(nodes)
  }
}

private struct NodeEncoder: Encoder {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .nothing = node.content { node.content = .object([]) }
    return KeyedEncodingContainer(KeyedNode(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .nothing = node.content { node.content = .array([]) }
    return UnkeyedNode(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleNode(node: node, codingPath: codingPath)
  }
}

private struct KeyedNode<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) { add(.value(.null), key) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    node.member(key.stringValue, try EncodedNode(encoding: value, at: codingPath + [key]))
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
    -> KeyedEncodingContainer<Nested>
  {
    NodeEncoder(node: add(.object([]), key), codingPath: codingPath + [key])
      .container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    NodeEncoder(node: add(.array([]), key), codingPath: codingPath + [key]).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    let child = EncodedNode()
    node.member("super", child)
    return NodeEncoder(node: child, codingPath: codingPath)
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    NodeEncoder(node: add(.nothing, key), codingPath: codingPath + [key])
  }

  @discardableResult
  private func add(_ content: EncodedNode.Content, _ key: Key) -> EncodedNode {
    let child = EncodedNode()
    child.content = content
    node.member(key.stringValue, child)
    return child
  }
}

private struct UnkeyedNode: UnkeyedEncodingContainer {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  var count: Int { node.count }

  func encodeNil() { add(.value(.null)) }

  func encode<Value: Encodable>(_ value: Value) throws {
    node.element(try EncodedNode(encoding: value, at: codingPath + [JSONIndex(count)]))
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type)
    -> KeyedEncodingContainer<Nested>
  {
    let path = codingPath + [JSONIndex(count)]
    return NodeEncoder(node: add(.object([])), codingPath: path).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let path = codingPath + [JSONIndex(count)]
    return NodeEncoder(node: add(.array([])), codingPath: path).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    let path = codingPath + [JSONIndex(count)]
    return NodeEncoder(node: add(.nothing), codingPath: path)
  }

  @discardableResult
  private func add(_ content: EncodedNode.Content) -> EncodedNode {
    let child = EncodedNode()
    child.content = content
    node.element(child)
    return child
  }
}

private struct SingleNode: SingleValueEncodingContainer {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  func encodeNil() { node.content = .value(.null) }
  func encode(_ value: Bool) { node.content = .value(.boolean(value)) }
  func encode(_ value: String) { node.content = .value(.string(value)) }
  func encode(_ value: Float) throws { try encode(Double(value)) }
  func encode(_ value: Int) throws { try integer(value) }
  func encode(_ value: Int8) throws { try integer(value) }
  func encode(_ value: Int16) throws { try integer(value) }
  func encode(_ value: Int32) throws { try integer(value) }
  func encode(_ value: Int64) throws { try integer(value) }
  func encode(_ value: UInt) throws { try integer(value) }
  func encode(_ value: UInt8) throws { try integer(value) }
  func encode(_ value: UInt16) throws { try integer(value) }
  func encode(_ value: UInt32) throws { try integer(value) }
  func encode(_ value: UInt64) throws { try integer(value) }

  func encode(_ value: Double) throws {
    guard value.isFinite else { throw refusal(of: value, "is not finite") }
    // As its text: 3.0 of a state is 3, while a JSONValue of a state keeps its point.
    node.content = .value(NumberText.integer(value).map { .integer($0) } ?? .number(value))
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    node.content = try EncodedNode(encoding: value, at: codingPath).content
  }

  private func integer(_ value: some BinaryInteger) throws {
    guard let integer = Int64(exactly: value) else { throw refusal(of: value, "is too large") }
    node.content = .value(.integer(integer))
  }

  private func refusal(of value: Any, _ reason: String) -> EncodingError {
    .invalidValue(value, .init(codingPath: codingPath, debugDescription: "\(value) \(reason)"))
  }
}

/// The index of an element in a list.
struct JSONIndex: CodingKey {
  let index: Int

  init(_ index: Int) { self.index = index }

  init?(stringValue: String) { nil }

  init(intValue: Int) { index = intValue }

  var stringValue: String { "\(index)" }
  var intValue: Int? { index }
}
