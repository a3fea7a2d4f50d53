extension JSONTree {
  /// The lists and objects that have one line; the others have a line for each element or member.
  package enum Layout {
    /// Only empty ones. Everything that a terminal interprets is escaped.
    case lines
    /// Those that contain no others.
    case innermost
    /// Those that fit into a number of columns.
    case fitting(columns: Int)

    fileprivate var isShown: Bool { if case .lines = self { true } else { false } }
  }

  /// Returns the value as JSON, which ends with a line feed. A number that is not finite is `null`.
  package func bytes(_ layout: Layout = .lines) -> [UInt8] {
    var bytes: [UInt8] = []
    append(layout, indentation: 0, reserved: 0, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// Appends the value, on whose first line so many columns are reserved for its name and the comma after it.
  private func append(
    _ layout: Layout, indentation: Int, reserved: Int, to bytes: inout [UInt8]
  ) {
    let parts = parts(layout)
    guard let brackets, !hasOneLine(layout, parts, left: indentation + reserved) else {
      return appendLine(layout, to: &bytes)
    }
    bytes.append(brackets.open)
    for (index, part) in parts.enumerated() {
      bytes.append(contentsOf: (index == 0 ? "\n" : ",\n").utf8)
      bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation + 2))
      bytes += part.label
      part.value.append(
        layout, indentation: indentation + 2, reserved: part.label.count + 1, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation))
    bytes.append(brackets.close)
  }

  private func hasOneLine(_ layout: Layout, _ parts: [Part], left: Int) -> Bool {
    guard !parts.isEmpty else { return true }
    switch layout {
    case .lines: return false
    case .innermost: return parts.allSatisfy { $0.value.brackets == nil }
    case .fitting(let columns):
      var line: [UInt8] = []
      appendLine(layout, to: &line)
      return left + line.count <= columns
    }
  }

  /// Appends the value in one line.
  private func appendLine(_ layout: Layout, to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .flag(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    case .integer(let number): NumberText.append(Int64(number), to: &bytes)
    case .unsigned(let number): NumberText.appendDigits(number, atLeast: 1, to: &bytes)
    case .number(let number) where number.isFinite: NumberText.append(number, to: &bytes)
    case .number: bytes.append(contentsOf: "null".utf8)
    case .text(let text): JSONEscape.append(text, isShown: layout.isShown, to: &bytes)
    case .list, .object:
      guard let brackets else { return }
      bytes.append(brackets.open)
      for (index, part) in parts(layout).enumerated() {
        if index > 0 { bytes.append(contentsOf: ", ".utf8) }
        bytes += part.label
        part.value.appendLine(layout, to: &bytes)
      }
      bytes.append(brackets.close)
    }
  }

  private typealias Part = (label: [UInt8], value: JSONTree)

  /// The elements or members, with the text before each.
  private func parts(_ layout: Layout) -> [Part] {
    switch self {
    case .list(let elements): elements.map { ([], $0) }
    case .object(let members):
      members.map { member in
        var label: [UInt8] = []
        JSONEscape.append(member.name, isShown: layout.isShown, to: &label)
        return (label + ": ".utf8, member.value)
      }
    default: []
    }
  }

  private var brackets: (open: UInt8, close: UInt8)? {
    switch self {
    case .list: (UInt8(ascii: "["), UInt8(ascii: "]"))
    case .object: (UInt8(ascii: "{"), UInt8(ascii: "}"))
    default: nil
    }
  }
}
