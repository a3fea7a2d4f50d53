internal import Events

/// A JSON value for output, with members in the given order.
enum OrderedJSON {
  /// A value without members or elements.
  case value(JSONValue)
  case unsigned(UInt64)
  case array([OrderedJSON])
  case object([(String, OrderedJSON)])

  static func text(_ text: String) -> OrderedJSON { .value(.string(text)) }
  static func integer(_ number: Int) -> OrderedJSON { .value(.integer(Int64(number))) }
  static func number(_ number: Double) -> OrderedJSON { .value(.number(number)) }

  /// The value as text: objects and arrays of them are indented, objects of plain values are on one line.
  var text: String {
    var output = ""
    write(to: &output, indentation: 0)
    return output
  }

  private func write(to output: inout String, indentation: Int) {
    switch self {
    case .value(let value): output += value.description
    case .unsigned(let number): output += String(number)
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
        output += JSONValue.string(name).description + ": "
      }
      item.value.write(to: &output, indentation: indentation + 2)
    }
    if !isShort { output += "\n" + String(repeating: " ", count: indentation) }
    output += brackets.1
  }
}
