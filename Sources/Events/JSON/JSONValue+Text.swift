internal import Specifications

extension JSONValue: CustomStringConvertible {
  /// The value as JSON on one line, without spaces, names ascending: equal values have the same text.
  public var description: String {
    String(decoding: bytes(JSONText.append), as: UTF8.self)
  }

  /// Appends the value as JSON on one line, in the form of ``description``. A number that is not finite, which JSON
  /// cannot represent, is written as `null`.
  public func write(to output: inout [UInt8]) {
    JSONText.write(self, to: &output, number: JSONText.append)
  }

  /// The value as text to be preserved in a log.
  ///
  /// A number that is not finite, which JSON cannot represent, is written as an invalid word, so that a log refuses
  /// the event instead of returning another value.
  public var jsonText: JSONText {
    let bytes = bytes { number, output in
      if number.isFinite {
        NumberText.append(number, to: &output)
      } else {
        output += number.description.utf8
      }
    }
    return JSONText(validated: String(decoding: bytes, as: UTF8.self))
  }

  /// Appends the value as JSON on one line whose numbers keep their type: 20.0 has a decimal point and 20 has none,
  /// because clients check whether the value of a flag is an integer.
  package func writeTyped(to output: inout [UInt8]) {
    JSONText.write(self, to: &output) { number, output in
      if NumberText.integer(number) != nil {
        output += number.description.utf8
      } else {
        JSONText.append(number, to: &output)
      }
    }
  }

  /// The value as text to be preserved in a log, with the types of its numbers. The value must be readable.
  package var typedText: JSONText {
    var output: [UInt8] = []
    writeTyped(to: &output)
    return JSONText(validated: String(decoding: output, as: UTF8.self))
  }

  private func bytes(_ number: JSONText.NumberWriter) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONText.write(self, to: &bytes, number: number)
    return bytes
  }
}

extension JSONText {
  /// Appends a number.
  fileprivate typealias NumberWriter = (Double, inout [UInt8]) -> Void

  /// Appends a number in its shortest form; `null` if it is not finite.
  fileprivate static func append(_ number: Double, to output: inout [UInt8]) {
    if number.isFinite {
      NumberText.append(number, to: &output)
    } else {
      output.append(contentsOf: "null".utf8)
    }
  }

  /// A list or an object that is being written, and its next child.
  private enum Open {
    case array(JSONArray, next: Int)
    case object(JSONObject, next: Int)
  }

  /// Appends a value iteratively, because values may be nested arbitrarily deep.
  fileprivate static func write(
    _ value: JSONValue, to output: inout [UInt8], number: NumberWriter
  ) {
    var open: [Open] = []
    begin(value, &open, &output, number)
    while let innermost = open.popLast() {
      switch innermost {
      case .array(let list, let next):
        guard next < list.count else {
          output.append(UInt8(ascii: "]"))
          continue
        }
        if next > 0 { output.append(UInt8(ascii: ",")) }
        open.append(.array(list, next: next + 1))
        begin(list[next], &open, &output, number)
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
        begin(member.value, &open, &output, number)
      }
    }
  }

  /// Appends a value, or the beginning of one that has children.
  private static func begin(
    _ value: JSONValue, _ open: inout [Open], _ output: inout [UInt8],
    _ writer: NumberWriter
  ) {
    switch value {
    case .null: output.append(contentsOf: "null".utf8)
    case .boolean(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
    case .integer(let integer): NumberText.append(integer, to: &output)
    case .number(let number): writer(number, &output)
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
