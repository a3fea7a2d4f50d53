/// Builds a ``JSONValue`` from the nodes of a JSON document.
struct JSONParser {
  private let text: [UInt8]
  private let deepest: Int
  /// The text, followed by the unescaped texts.
  private var bytes: [UInt8] = []
  private var nodes: [JSONNode] = []

  init(_ text: [UInt8], deepest: Int) {
    (self.text, self.deepest) = (text, deepest)
  }

  /// Parses the single value of the text.
  mutating func document() throws(JSONLineError) -> JSONValue {
    let text = text
    try JSONNodes.parse(text.span, into: &bytes, &nodes, deepest: deepest, keyName: "name")
    var index = 0
    return try value(&index)
  }

  /// Returns the value of a node, and moves on to the node after it.
  private func value(_ index: inout Int) throws(JSONLineError) -> JSONValue {
    let node = nodes[index]
    index += 1
    switch node.kind {
    case .null: return .null
    case .flag: return .boolean(node.count == 4)
    case .number: return try number(node)
    case .text: return .string(String(decoding: bytes[node.range], as: UTF8.self))
    case .list:
      var values: [JSONValue] = []
      while index < node.next { values.append(try value(&index)) }
      return .array(values)
    case .object:
      var members: [JSONObject.Member] = []
      while index < node.next {
        let name = String(decoding: bytes[nodes[index].nameRange], as: UTF8.self)
        members.append(JSONObject.Member(name: name, value: try value(&index)))
      }
      let object = JSONObject(members)
      if object.count < members.count { throw try repeated(in: node) }
      return .object(object)
    }
  }

  private func number(_ node: JSONNode) throws(JSONLineError) -> JSONValue {
    let text = text.span.extracting(node.range)
    var scanner = JSONScanner()
    let number = try scanner.number(text)
    let isMinusZero = number.isNegative && number.significand == 0
    if let integer = number.integer, !isMinusZero { return .integer(integer) }
    guard let double = number.double(text) else {
      throw JSONLineError(
        offset: Int(node.start),
        reason: "no 64-bit number is that large; write a smaller one")
    }
    return .number(double)
  }

  /// Returns the error for the first repeated name of an object.
  private func repeated(in node: JSONNode) throws(JSONLineError) -> JSONLineError {
    var scanner = JSONScanner(position: Int(node.start) + 1)
    var seen: Set<[UInt8]> = []
    while true {
      let key = try scanner.key(text.span)
      var name: [UInt8] = []
      JSONScanner.unescape(key, text.span, into: &name)
      guard seen.insert(name).inserted else {
        return JSONLineError(
          offset: key.start - 1,
          reason: "the name \"\(String(decoding: name, as: UTF8.self))\" occurs twice; keep one")
      }
      _ = try scanner.skipValue(text.span)
      try scanner.expect(",", "','", text.span)
    }
  }
}

/// Comments, and commas before closing brackets, in a JSON text.
struct JSONComments {
  /// The text with spaces in their place.
  private(set) var blanked: [UInt8]
  /// The index of a comment that is not closed; nil if all are.
  private(set) var unclosed: Int?

  private var index = 0
  /// The brackets that close the open lists and objects.
  private var closing: [UInt8] = []
  /// The index of the last byte if it is a comma after a value.
  private var comma: Int?
  /// The last byte that is neither white space nor part of a comment.
  private var last = UInt8(ascii: "[")

  /// Finds them. Of a text that is not valid JSON otherwise only the part before the first error matters.
  init(_ text: [UInt8]) {
    blanked = text
    while index < text.count, unclosed == nil {
      let byte = text[index]
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      case UInt8(ascii: "/") where index + 1 < text.count && "/*".utf8.contains(text[index + 1]):
        blankComment(text)
      default:
        if byte == closing.last, let comma { blanked[comma] = UInt8(ascii: " ") }
        let isValue = !"[{,:".utf8.contains(last)
        comma = byte == UInt8(ascii: ",") && isValue ? index : nil
        take(byte, text)
        last = byte
      }
    }
  }

  private mutating func take(_ byte: UInt8, _ text: [UInt8]) {
    index += 1
    switch byte {
    case UInt8(ascii: "["): closing.append(UInt8(ascii: "]"))
    case UInt8(ascii: "{"): closing.append(UInt8(ascii: "}"))
    case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = closing.popLast()
    case UInt8(ascii: "\""):
      while index < text.count, text[index] != UInt8(ascii: "\"") {
        index += text[index] == UInt8(ascii: "\\") ? 2 : 1
      }
      index += 1
    default: break
    }
  }

  private mutating func blankComment(_ text: [UInt8]) {
    let start = index
    if text[start + 1] == UInt8(ascii: "/") {
      index = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
    } else {
      index = start + 2
      while !text[index...].starts(with: "*/".utf8) {
        guard index < text.count else {
          unclosed = start
          return
        }
        index += 1
      }
      index += 2
    }
    for place in start..<index where text[place] != UInt8(ascii: "\n") {
      blanked[place] = UInt8(ascii: " ")
    }
  }
}
