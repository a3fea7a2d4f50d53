/// A value of a parsed JSON text, in the list of all its values in the order of the text.
package struct JSONNode: Sendable {
  /// The kind of a value.
  package enum Kind: UInt8, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case flag
    /// A number, not yet converted.
    case number
    /// A text.
    case text
    /// A list.
    case list
    /// An object.
    case object
  }

  /// The kind.
  package var kind: Kind
  /// Whether a reader has used the value.
  package var isUsed = false
  /// The index of the first byte of the member's name, unescaped.
  package var nameStart: Int32
  /// The number of bytes of the member's name; -1 for elements of lists and for the outermost value.
  package var nameCount: Int32
  /// The index of the first byte: of a text without quotes, unescaped; otherwise of the value as written.
  package var start: Int32
  /// The number of bytes from `start`.
  package var count: Int32
  /// The index of the node after the value and what it contains.
  package var next: Int32

  /// Creates a node without a name.
  package init(kind: Kind, start: Int, count: Int, next: Int) {
    self.kind = kind
    (nameStart, nameCount) = (0, -1)
    self.start = Int32(truncatingIfNeeded: start)
    self.count = Int32(truncatingIfNeeded: count)
    self.next = Int32(truncatingIfNeeded: next)
  }

  /// The range of the value's bytes.
  package var range: Range<Int> { Int(start)..<Int(start) + Int(count) }

  /// The range of the name's bytes; empty if there is none.
  package var nameRange: Range<Int> {
    Int(nameStart)..<Int(nameStart) + max(0, Int(nameCount))
  }
}

/// Parses JSON texts into flat lists of their values, whose buffers are reused from text to text.
package enum JSONNodes {
  /// The maximum length of a text, in bytes.
  package static let longest = 1 << 29

  /// Parses one text (RFC 8259), with white space around it allowed.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - bytes: Receives a copy of the text, followed by the unescaped texts.
  ///   - nodes: Receives the values, the outermost first, each before what it contains.
  ///   - deepest: The maximum nesting depth.
  ///   - keyName: What errors call the name of a member.
  /// - Throws: ``JSONLineError`` if the text is not valid JSON, or nested too deep.
  /// - Complexity: O(length), without recursion and, once the buffers have grown, without allocation.
  package static func parse(
    _ text: Span<UInt8>, into bytes: inout [UInt8], _ nodes: inout [JSONNode],
    deepest: Int = JSONValue.deepestNesting, keyName: String = "key"
  ) throws(JSONLineError) {
    bytes.removeAll(keepingCapacity: true)
    nodes.removeAll(keepingCapacity: true)
    guard text.count <= longest else {
      throw JSONLineError(offset: longest, reason: "the record is longer than 512 MiB; split it")
    }
    bytes.append(text)
    var scanner = JSONScanner()
    try scanner.values(text, into: &bytes, &nodes, deepest, keyName)
    scanner.skipSpace(text)
    guard scanner.position == text.count else {
      throw .expected("nothing after the value", at: scanner.position, in: text)
    }
  }
}

extension JSONScanner {
  /// Parses a value and all that it contains.
  ///
  /// Of an open list or object, `next` is 0 and `count` the index of the one around it, -1 if there is none.
  fileprivate mutating func values(
    _ line: Span<UInt8>, into bytes: inout [UInt8], _ nodes: inout [JSONNode], _ deepest: Int,
    _ keyName: String
  ) throws(JSONLineError) {
    var (container, depth) = (-1, 0)
    var name: JSONString?
    while true {
      skipSpace(line)
      let index = nodes.count
      try appendStart(line, &bytes, &nodes)
      if let name { Self.setName(name, line, &bytes, &nodes[index]) }
      name = nil
      if depth == deepest, nodes[index].kind.rawValue >= JSONNode.Kind.list.rawValue {
        throw Self.tooDeep(deepest, at: Int(nodes[index].start))
      }
      if nodes[index].next == 0 {
        depth += 1
        nodes[index].count = Int32(truncatingIfNeeded: container)
        container = index
        if nodes[index].kind == .object { name = try key(line, keyName) }
        continue
      }
      // A value has ended, and with it the lists and objects whose last one it was.
      while container >= 0 {
        let isObject = nodes[container].kind == .object
        if try another(before: isObject ? "}" : "]", line) {
          if isObject { name = try key(line, keyName) }
          break
        }
        depth -= 1
        container = end(&nodes[container], next: nodes.count)
      }
      if container < 0 { return }
    }
  }

  static func tooDeep(_ deepest: Int, at offset: Int) -> JSONLineError {
    JSONLineError(
      offset: offset,
      reason: "lists and objects are nested more than \(deepest) deep; flatten them")
  }

  /// Ends a list or object and returns the index of the one around it.
  private func end(_ node: inout JSONNode, next: Int) -> Int {
    let container = Int(node.count)
    node.count = Int32(truncatingIfNeeded: position) - node.start
    node.next = Int32(truncatingIfNeeded: next)
    return container
  }

  /// Appends the node of the value that comes next; of a list or object that is not empty only its beginning, with
  /// `next` 0.
  @inline(__always)
  private mutating func appendStart(
    _ line: Span<UInt8>, _ bytes: inout [UInt8], _ nodes: inout [JSONNode]
  ) throws(JSONLineError) {
    let (start, next) = (position, nodes.count + 1)
    switch peek(line) {
    case UInt8(ascii: "\""):
      let text = try string(line)
      let place = Self.place(text, line, &bytes)
      nodes.append(JSONNode(kind: .text, start: place.start, count: place.count, next: next))
      return
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let isObject = peek(line) == UInt8(ascii: "{")
      position &+= 1
      let isEmpty = skip(isObject ? "}" : "]", line)
      nodes.append(
        JSONNode(
          kind: isObject ? .object : .list, start: start, count: position - start,
          next: isEmpty ? next : 0))
      return
    case UInt8(ascii: "t"):
      try literal("true", line)
      nodes.append(JSONNode(kind: .flag, start: start, count: 4, next: next))
    case UInt8(ascii: "f"):
      try literal("false", line)
      nodes.append(JSONNode(kind: .flag, start: start, count: 5, next: next))
    case UInt8(ascii: "n"):
      try literal("null", line)
      nodes.append(JSONNode(kind: .null, start: start, count: 4, next: next))
    default:
      let number = try number(line)
      nodes.append(
        JSONNode(kind: .number, start: start, count: number.end - start, next: next))
    }
  }

  @inline(__always)
  private static func setName(
    _ name: JSONString, _ line: Span<UInt8>, _ bytes: inout [UInt8], _ node: inout JSONNode
  ) {
    let place = place(name, line, &bytes)
    node.nameStart = Int32(truncatingIfNeeded: place.start)
    node.nameCount = Int32(truncatingIfNeeded: place.count)
  }

  /// Returns the place of a text in the copy of the line or, if it has escapes, after it.
  @inline(__always)
  private static func place(
    _ string: JSONString, _ line: Span<UInt8>, _ bytes: inout [UInt8]
  ) -> (start: Int, count: Int) {
    guard string.hasEscapes else { return (string.start, string.count) }
    let start = bytes.count
    unescape(string, line, into: &bytes)
    return (start, bytes.count - start)
  }
}
