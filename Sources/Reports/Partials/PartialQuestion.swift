internal import Replay

/// The question that a report answers, as text: its name and every one of its parameters.
///
/// Parameters are read from the value itself, so that none can be forgotten: partials of different questions are never
/// merged. Sets and dictionaries are in bytewise order of their elements' texts.
package enum PartialQuestion {
  /// Returns the question of a report.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - selection: What is selected of the log, by names of options and their values.
  /// - Returns: Lines of `name: value`.
  package static func text(
    of report: some Report, selection: [(name: String, value: String)]
  ) -> String {
    let options = selection.map { "\($0.name): \($0.value)" }
    return (["report: \(type(of: report).name)"] + options + [describe(report)])
      .joined(separator: "\n")
  }

  /// Returns a text that is equal for equal values, and different for different ones.
  static func describe(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { describe($0.value) } ?? "nil"
    case .set, .dictionary:
      let parts = mirror.children.map { describe($0.value) }
      return "["
        + parts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: ", ")
        + "]"
    case .collection:
      return "[" + mirror.children.map { describe($0.value) }.joined(separator: ", ") + "]"
    case .enum where mirror.children.isEmpty: return "\(value)"
    case nil where mirror.children.isEmpty:
      if let text = value as? String { return quoted(text) }
      return "\(value)"
    default:
      let parts = mirror.children.map { "\($0.label ?? ""): \(describe($0.value))" }
      return "(" + parts.joined(separator: ", ") + ")"
    }
  }

  // MARK: Differences

  /// Returns the first parameter in which two lines of questions differ, such as `window 7d` and `window none`; the
  /// lines themselves if they are not of a report's parameters.
  static func difference(_ own: String, _ asked: String) -> (own: String, asked: String) {
    guard own.hasPrefix("("), asked.hasPrefix("(") else { return ("\"\(own)\"", "\"\(asked)\"") }
    let texts = (Array(own.utf8), Array(asked.utf8))
    let common = zip(texts.0, texts.1).prefix { $0 == $1 }.count
    return (parameter(texts.0, at: common), parameter(texts.1, at: common))
  }

  /// The parameters that are durations in microseconds.
  private static let durations = ["window", "conversion-window", "delay", "inactivity"]

  /// Returns the parameter of a described value that a byte belongs to.
  private static func parameter(_ text: [UInt8], at place: Int) -> String {
    let letters = UInt8(ascii: "A")...UInt8(ascii: "z")
    let colon = text[..<min(place, text.count)].lastIndex(of: UInt8(ascii: ":")) ?? 0
    let start = text[..<colon].lastIndex { !letters.contains($0) }.map { $0 + 1 } ?? 0
    var depth = 0
    let value = text[min(colon + 2, text.count)...].prefix { byte in
      if "([".utf8.contains(byte) { depth += 1 }
      if ")]".utf8.contains(byte) { depth -= 1 }
      return depth > 0 || depth == 0 && byte != UInt8(ascii: ",")
    }
    let name = String(decoding: text[start..<colon], as: UTF8.self).reduce(into: "") { name, letter in
      name += letter.isUppercase ? "-\(letter.lowercased())" : "\(letter)"
    }
    let written = String(decoding: value, as: UTF8.self)
    guard written != "nil" else { return "\(name) none" }
    let duration = durations.contains(name) ? Int64(written) : nil
    return "\(name) \(duration.map(DurationText.text) ?? written)"
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
