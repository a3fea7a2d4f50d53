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

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
