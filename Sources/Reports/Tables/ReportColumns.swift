public import Statistics
public import Tables

/// Columns of a report, declared once: their headings, how people see them, how their cells are made from a row, and
/// the formulas.
///
/// ```swift
/// @ColumnsBuilder<Row>
/// static var columns: Columns {
///   Columns.arm(\.arm)
///   Columns.explained(
///     "returned / units, with the score interval", source: "E. B. Wilson, 1927",
///     .measure("retention", "returned / units", \.share).share.main,
///     .interval("ci", "its interval (Wilson)", \.interval).share.main)
/// }
/// ```
///
/// A property of `TableColumn` that returns a column, such as `main` or `estimate`, changes each of the columns.
@dynamicMemberLookup
public struct ReportColumns<Row> {
  /// A column, and what its cell is in a row.
  struct Column {
    var column: TableColumn
    let cell: (Row) -> TableCell
    /// The column with which it shares an explanation, from which others separate it; nil for none.
    var companion: String?
  }

  /// Columns next to each other that are computed together, with the formula; or an explanation of no column alone.
  struct Part {
    var columns: [Column] = []
    /// The subject of the explanation; nil for the columns.
    var subject: String?
    /// The formula, or the rule in words; nil for columns whose descriptions say all.
    var formula: String?
    var source = ""
  }

  var parts: [Part]

  private var all: [Column] { parts.flatMap(\.columns) }

  /// Declares a column with any cells.
  ///
  /// - Parameters:
  ///   - column: The heading, kind, value type and description.
  ///   - cell: Returns the cell of a row.
  public init(_ column: TableColumn, cell: @escaping (Row) -> TableCell) {
    parts = [Part(columns: [Column(column: column, cell: cell)])]
  }

  init(_ parts: [Part]) { self.parts = parts }

  /// The headings, kinds, types and descriptions.
  public var headings: [TableColumn] { all.map(\.column) }

  /// The function that makes the cells of a row.
  var cells: [(Row) -> TableCell] { all.map(\.cell) }

  /// The explanations, in the order of the columns.
  public var entries: [Explanation.Entry] {
    let companions = all.filter { $0.companion != nil }
    return parts.compactMap { part in
      guard let formula = part.formula else { return nil }
      var names = part.columns.map(\.column.name)
      names += companions.filter { names.contains($0.companion ?? "") }.map(\.column.name)
      var entry = Explanation.Entry(
        part.subject ?? names.joined(separator: ", "), formula, source: part.source)
      entry.names.formUnion(names)
      return entry
    }
  }

  /// Returns the columns of both, one after the other.
  public static func + (first: Self, second: Self) -> Self { Self(first.parts + second.parts) }

  /// The columns with another property, such as `main`.
  public subscript(dynamicMember change: KeyPath<TableColumn, TableColumn>) -> Self {
    changing { $0.column = $0.column[keyPath: change] }
  }

  /// Returns the columns as some that the explanation of another column is about too.
  public func explained(with companion: String) -> Self { changing { $0.companion = companion } }

  private func changing(_ change: (inout Column) -> Void) -> Self {
    var columns = self
    for part in parts.indices {
      for column in parts[part].columns.indices { change(&columns.parts[part].columns[column]) }
    }
    return columns
  }
}

extension ReportColumns {
  /// Declares a key column, whose type is that of its values.
  public static func key<Value: CellValue>(
    _ name: String, _ description: String, _ value: @escaping (Row) -> Value
  ) -> Self {
    Self(.key(name, Value.columnType, description)) { value($0).cell }
  }

  /// Declares a measure column, whose type is that of its values.
  public static func measure<Value: CellValue>(
    _ name: String, _ description: String, _ value: @escaping (Row) -> Value
  ) -> Self {
    Self(.measure(name, Value.columnType, description)) { value($0).cell }
  }

  /// Declares the two columns of the ends of an interval, such as `ci_low` and `ci_high`.
  ///
  /// - Parameters:
  ///   - name: The name without `_low` and `_high`.
  ///   - what: What is between the ends, such as `its interval (Wilson)`.
  ///   - interval: Returns the interval; nil for none.
  /// - Returns: The columns.
  public static func interval(
    _ name: String, _ what: String, _ interval: @escaping (Row) -> Interval?
  ) -> Self {
    measure("\(name)_low", "lower end of \(what)") { interval($0)?.low }
      + measure("\(name)_high", "upper end of \(what)") { interval($0)?.high }
  }

  /// Declares columns that are computed together, with the formula.
  ///
  /// - Parameters:
  ///   - formula: The formula, or the rule in words.
  ///   - source: A paper with year, or a definition of this project.
  ///   - subject: What the explanation is about; nil for the names of the columns.
  ///   - columns: The columns; none for an explanation that is about no column alone, such as of a bias.
  /// - Returns: The columns.
  public static func explained(
    _ formula: String, source: String = "definition", as subject: String? = nil, _ columns: Self...
  ) -> Self {
    let columns = columns.flatMap(\.all)
    return Self([Part(columns: columns, subject: subject, formula: formula, source: source)])
  }
}

/// Collects the columns of a table from single ones, explained ones, and those that several reports share.
@resultBuilder
public enum ColumnsBuilder<Row> {
  /// Returns all columns.
  public static func buildBlock(_ columns: ReportColumns<Row>...) -> ReportColumns<Row> {
    ReportColumns(columns.flatMap(\.parts))
  }

  /// Returns the columns of a condition, or none.
  public static func buildOptional(_ columns: ReportColumns<Row>?) -> ReportColumns<Row> {
    columns ?? ReportColumns([])
  }

  /// Returns the columns of a loop.
  public static func buildArray(_ columns: [ReportColumns<Row>]) -> ReportColumns<Row> {
    ReportColumns(columns.flatMap(\.parts))
  }
}

extension Table {
  /// Creates a table of rows, each with a cell for every column.
  ///
  /// - Parameters:
  ///   - name: The name in snake_case, such as `rewards`.
  ///   - title: The human-readable title.
  ///   - columns: The columns.
  ///   - rows: What the rows are made from.
  ///   - count: The number of rows, if it is known and large.
  /// - Throws: `TableError` only if the column declarations are invalid.
  public init<Row>(
    name: String, title: String, columns: ReportColumns<Row>, rows: some Sequence<Row>,
    count: Int? = nil
  ) throws(TableError) {
    try self.init(name: name, title: title, columns: columns.headings)
    reserve(rows: count ?? rows.underestimatedCount)
    let cells = columns.cells
    for row in rows { try append(row: cells.map { $0(row) }) }
  }

  /// Creates a table of rows whose columns are declared in place, where nothing else needs them.
  init<Row>(
    name: String, title: String, of rows: [Row],
    @ColumnsBuilder<Row> _ columns: (ReportColumns<Row>.Type) -> ReportColumns<Row>
  ) throws(TableError) {
    self = try TableDraft(name: name, title: title, of: rows, columns).table()
  }
}

/// Columns that are declared in place, with what makes a table of them: one of several tables of a report.
struct TableDraft {
  /// The headings, kinds, types and descriptions.
  let headings: [TableColumn]
  /// The explanations, in the order of the columns.
  let entries: [Explanation.Entry]
  /// Makes the table.
  let table: () throws(TableError) -> Table

  init<Row>(
    name: String, title: String, of rows: [Row],
    @ColumnsBuilder<Row> _ columns: (ReportColumns<Row>.Type) -> ReportColumns<Row>
  ) {
    let columns = columns(ReportColumns<Row>.self)
    (headings, entries) = (columns.headings, columns.entries)
    table = { () throws(TableError) in
      try Table(name: name, title: title, columns: columns, rows: rows)
    }
  }
}
