internal import Specifications

/// Cells as people see them.
package enum CellText {
  /// Returns the text of a cell, with control characters escaped.
  ///
  /// - Parameters:
  ///   - cell: The cell.
  ///   - display: How its column is shown.
  /// - Returns: The text; empty for an empty cell.
  package static func text(_ cell: TableCell, as display: TableColumn.Display = .plain) -> String {
    switch cell {
    case .text(let text): TerminalText.escaped(text)
    case .timestamp(let text):
      TerminalText.escaped(display == .day ? String(text.prefix { $0 != "T" }) : text)
    case .integer(let number):
      display == .duration ? duration(Double(number)) : String(number)
    case .decimal(let number): text(number, as: display)
    case .flag(let flag): flag ? "true" : "false"
    case .empty: ""
    }
  }

  /// Returns the text of a number.
  package static func text(_ number: Double, as display: TableColumn.Display) -> String {
    switch display {
    case .plain, .sentence, .day: NumberText.readable(number)
    case .estimate: NumberText.readable(number, digits: 4)
    case .share: NumberText.share(number)
    case .duration: duration(number)
    case .pValue: number < 0.0001 ? "<0.0001" : NumberText.readable(number, digits: 3)
    case .count: NumberText.readable(number.rounded())
    }
  }

  /// Returns seconds in the two units that matter: `0.25 s`, `12.5 s`, `3 min 12 s`, `5 h 4 min`, `2 d 3 h`.
  private static func duration(_ seconds: Double) -> String {
    let size = seconds.magnitude
    guard size >= 59.95, size < 1e12 else { return NumberText.readable(seconds, digits: 3) + " s" }
    let sign = seconds < 0 ? "-" : ""
    let units = [("s", 1), ("min", 60), ("h", 3_600), ("d", 86_400)]
    let large = units.lastIndex { size.rounded() >= Double($0.1) } ?? 1
    let place = max(large, 1)
    // Rounded to the smaller unit first, so that 59 min 59.9 s are 1 h.
    let small = Int((size / Double(units[place - 1].1)).rounded())
    let ratio = units[place].1 / units[place - 1].1
    let rest = small % ratio
    return "\(sign)\(small / ratio) \(units[place].0)"
      + (rest > 0 ? " \(rest) \(units[place - 1].0)" : "")
  }
}
