/// The rows that people see first, and without asking for all of them alone: what failed, not what passed.
public struct TableFocus: Equatable, Sendable {
  /// The text column that tells the rows apart, such as `verdict`.
  public let column: String
  /// The values of the rows that people see, in that order.
  public let values: [String]

  /// Creates a focus.
  public init(column: String, values: [String]) {
    self.column = column
    self.values = values
  }
}

extension Table {
  /// The table with the rows in focus, in the order of the values; all rows without a focus.
  var focused: Table {
    guard let focus, let column = columns.firstIndex(where: { $0.name == focus.column }) else {
      return self
    }
    let width = columns.count
    let order = focus.values.flatMap { value in
      rows.indices.filter { cells[$0 * width + column] == .text(value) }
    }
    var table = self
    table.cells = order.flatMap { cells[$0 * width..<($0 + 1) * width] }
    return table
  }
}
