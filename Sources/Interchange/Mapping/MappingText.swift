internal import Specifications

/// The entries of a mapping as YAML.
enum MappingText {
  static func scalar(_ source: EventMapping.Source) -> String {
    switch source {
    // What begins with the sign of a value is a column in a list.
    case .column(let name): return name.hasPrefix("=") ? "[\(scalar(name))]" : scalar(name)
    case .constant(let value):
      let quoted = scalar(value)
      return quoted == value ? "=\(value)" : "\"=" + quoted.dropFirst()
    }
  }

  /// Returns a field as a key of YAML. The number of an event needs no quotes before the name of a field.
  static func key(_ field: String) -> String {
    let rest = field.drop { $0.isASCII && $0.isNumber }
    let name = rest.dropFirst()
    let isNumbered = rest.count < field.count && rest.first == "."
    return isNumbered && scalar(String(name)) == name ? field : scalar(field)
  }

  /// Returns a text as a YAML scalar, in quotes if it needs them.
  static func scalar(_ text: String) -> String {
    let isPlain =
      text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
      && text.first?.isLetter == true
      && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
    guard !isPlain else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case let scalar where MappingSuggestion.isControl(scalar):
        quoted += "\\u" + UInt16(truncatingIfNeeded: scalar.value).hexadecimal
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
