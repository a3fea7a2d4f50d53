/// A JSON value for output, with members in the given order.
enum OrderedJSON {
  case null
  case flag(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case number(Double)
  case text(String)
  case array([OrderedJSON])
  case object([(String, OrderedJSON)])

  /// The value as text: objects and arrays of them are indented, objects of plain values are on one line.
  var text: String {
    var output = ""
    write(to: &output, indentation: 0)
    return output
  }

  private func write(to output: inout String, indentation: Int) {
    switch self {
    case .null: output += "null"
    case .flag(let flag): output += flag ? "true" : "false"
    case .integer(let number): output += String(number)
    case .unsigned(let number): output += String(number)
    case .number(let number): output += Self.decimal(number)
    case .text(let text): Self.write(quoted: text, to: &output)
    case .array(let values):
      let items = values.map { (nil as String?, $0) }
      Self.write(items, between: ("[", "]"), to: &output, indentation: indentation)
    case .object(let members):
      let items = members.map { ($0.0 as String?, $0.1) }
      Self.write(items, between: ("{", "}"), to: &output, indentation: indentation)
    }
  }

  private var isPlain: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  private static func write(
    _ items: [(name: String?, value: OrderedJSON)], between brackets: (String, String),
    to output: inout String, indentation: Int
  ) {
    let isShort = items.allSatisfy { $0.value.isPlain }
    output += brackets.0
    for (index, item) in items.enumerated() {
      if index > 0 { output += isShort ? ", " : "," }
      if !isShort { output += "\n" + String(repeating: " ", count: indentation + 2) }
      if let name = item.name {
        write(quoted: name, to: &output)
        output += ": "
      }
      item.value.write(to: &output, indentation: indentation + 2)
    }
    if !isShort { output += "\n" + String(repeating: " ", count: indentation) }
    output += brackets.1
  }

  /// Returns the shortest decimal that parses back to the same number, integers without a fraction; JSON cannot
  /// represent a number that is not finite.
  private static func decimal(_ number: Double) -> String {
    guard number.isFinite else { return "null" }
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private static func write(quoted text: String, to output: inout String) {
    output += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
    output += "\""
  }
}
