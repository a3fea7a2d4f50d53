internal import Tables

/// What Markdown and notebooks show of a table: the first rows, of health only checks that failed or warned.
struct ShownRows {
  /// The rows with the columns that people see.
  let table: Table
  /// The verdicts of the rows that are shown; nil for all rows.
  let verdicts: [String]?

  /// Chooses the rows.
  ///
  /// - Parameters:
  ///   - whole: The table.
  ///   - count: The maximum number of rows.
  ///   - isInKeyOrder: Whether the rows keep the order of the CSV file instead of the order for people.
  init(_ whole: Table, most count: Int, isInKeyOrder: Bool = false) {
    let verdicts = [HealthVerdict.failed.rawValue, HealthVerdict.warning.rawValue]
    let raised = whole.filtered(by: "verdict") { cell in
      verdicts.contains { cell == .text($0) }
    }
    let isDivided = whole.name == HealthReport.name && !raised.rows.isEmpty
    table = (isDivided ? raised : whole).excerpt(rows: count, isInKeyOrder: isInKeyOrder)
    self.verdicts = isDivided ? verdicts : nil
  }
}
