internal import Specifications

extension JSONValue: CustomStringConvertible {
  /// The value as JSON on one line, without spaces, names ascending: equal values have the same text.
  public var description: String { String(decoding: bytes { _ in "null" }, as: UTF8.self) }

  /// Appends the value as JSON on one line, in the form of ``description``. A number that is not finite, which JSON
  /// cannot represent, is written as `null`.
  public func write(to output: inout [UInt8]) {
    JSONText.write(self, to: &output) { _ in "null" }
  }

  /// The value as text to be preserved in a log.
  ///
  /// A number that is not finite, which JSON cannot represent, is written as an invalid word, so that a log refuses
  /// the event instead of returning another value.
  public var jsonText: JSONText {
    JSONText(validated: String(decoding: bytes { "\($0)" }, as: UTF8.self))
  }

  private func bytes(notFinite: (Double) -> String) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONText.write(self, to: &bytes, notFinite: notFinite)
    return bytes
  }
}

extension JSONText {
  /// A list or an object that is being written, and its next child.
  private enum Open {
    case array(JSONArray, next: Int)
    case object(JSONObject, next: Int)
  }

  /// Appends a value iteratively, because values may be nested arbitrarily deep.
  fileprivate static func write(
    _ value: JSONValue, to output: inout [UInt8], notFinite: (Double) -> String
  ) {
    var open: [Open] = []
    begin(value, &open, &output, notFinite)
    while let innermost = open.popLast() {
      switch innermost {
      case .array(let list, let next):
        guard next < list.count else {
          output.append(UInt8(ascii: "]"))
          continue
        }
        if next > 0 { output.append(UInt8(ascii: ",")) }
        open.append(.array(list, next: next + 1))
        begin(list[next], &open, &output, notFinite)
      case .object(let object, let next):
        guard next < object.count else {
          output.append(UInt8(ascii: "}"))
          continue
        }
        if next > 0 { output.append(UInt8(ascii: ",")) }
        open.append(.object(object, next: next + 1))
        let member = object.members[next]
        JSONLinesEncoder.append(text: member.name.utf8.span, to: &output)
        output.append(UInt8(ascii: ":"))
        begin(member.value, &open, &output, notFinite)
      }
    }
  }

  /// Appends a value, or the beginning of one that has children.
  private static func begin(
    _ value: JSONValue, _ open: inout [Open], _ output: inout [UInt8],
    _ notFinite: (Double) -> String
  ) {
    switch value {
    case .null: output.append(contentsOf: "null".utf8)
    case .boolean(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
    case .integer(let integer): NumberText.append(integer, to: &output)
    case .number(let number) where number.isFinite: NumberText.append(number, to: &output)
    case .number(let number): output.append(contentsOf: notFinite(number).utf8)
    case .string(let text): JSONLinesEncoder.append(text: text.utf8.span, to: &output)
    case .array(let list):
      output.append(UInt8(ascii: "["))
      open.append(.array(list, next: 0))
    case .object(let object):
      output.append(UInt8(ascii: "{"))
      open.append(.object(object, next: 0))
    }
  }
}
