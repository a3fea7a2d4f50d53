package import Events
internal import Specifications

/// JSON whose numbers keep their type: 20.0 has a decimal point and 20 has none, because clients check whether the
/// value of a flag is an integer.
package enum TypedJSON {
  /// Appends a value; its nesting is limited by what it was read from.
  package static func write(_ value: JSONValue, to output: inout [UInt8]) {
    switch value {
    case .number(let number) where NumberText.integer(number) != nil:
      output += number.description.utf8
    case .array(let list):
      write(list.elements, in: "[]", to: &output) { write($0, to: &$1) }
    case .object(let object):
      write(object.members, in: "{}", to: &output) { member, output in
        JSONValue.string(member.name).write(to: &output)
        output += ":".utf8
        write(member.value, to: &output)
      }
    default: value.write(to: &output)
    }
  }

  private static func write<Element>(
    _ elements: [Element], in brackets: String, to output: inout [UInt8],
    _ element: (Element, inout [UInt8]) -> Void
  ) {
    output.append(brackets.utf8.first ?? 0)
    for (index, next) in elements.enumerated() {
      if index > 0 { output += ",".utf8 }
      element(next, &output)
    }
    output.append(brackets.utf8.last ?? 0)
  }
}

extension JSONValue {
  /// The value as text to be preserved in a log, with the types of its numbers. The value must be readable.
  package var typedText: JSONText {
    var output: [UInt8] = []
    TypedJSON.write(self, to: &output)
    return JSONText(validated: String(decoding: output, as: UTF8.self))
  }
}
