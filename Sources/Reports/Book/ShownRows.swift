internal import Tables

/// The rows of a table in Markdown and notebooks: the first rows, only those in focus if there are any.
struct ShownRows {
  /// The rows with the columns that people see.
  let table: Table
  /// The focus of the rows that are shown; nil for all rows.
  let focus: TableFocus?

  /// Chooses the rows.
  ///
  /// - Parameters:
  ///   - whole: The table.
  ///   - count: The maximum number of rows.
  ///   - isInKeyOrder: Whether the rows keep the order of the CSV file instead of the order for people.
  init(_ whole: Table, most count: Int, isInKeyOrder: Bool = false) {
    let focus = whole.focus
    let focused = focus.map { focus in
      whole.filtered(by: focus.column) { cell in focus.values.contains { cell == .text($0) } }
    }
    let isDivided = focused?.rows.isEmpty == false
    table = ((isDivided ? focused : nil) ?? whole).excerpt(rows: count, isInKeyOrder: isInKeyOrder)
    self.focus = isDivided ? focus : nil
  }
}
