extension JSONValue: CustomStringConvertible {
  /// The value as JSON on one line, without blanks, names ascending: the same value is always the same text.
  public var description: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the value as JSON on one line, as ``description`` has it. A number that is not finite, which
  /// JSON cannot say, is written as `null`.
  public func write(to output: inout [UInt8]) {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .boolean(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
    case .integer(let integer): DecimalText.append(integer, to: &output)
    case .number(let number):
      if number.isFinite {
        DecimalText.append(number, to: &output)
      } else {
        output.append(contentsOf: "null".utf8)
      }
    case .string(let text): JSONLinesEncoder.append(text: text.utf8.span, to: &output)
    case .array(let values):
      output.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        value.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let object): object.write(to: &output)
    }
  }

  /// The value as text that a log carries unread.
  public var jsonText: JSONText { JSONText(validated: description) }
}

extension JSONObject {
  fileprivate func write(to output: inout [UInt8]) {
    output.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      JSONLinesEncoder.append(text: member.name.utf8.span, to: &output)
      output.append(UInt8(ascii: ":"))
      member.value.write(to: &output)
    }
    output.append(UInt8(ascii: "}"))
  }
}
