public import Tables

/// The formulas, inputs and sources of a report, as printed by `explain REPORT`.
public struct Explanation: Sendable {
  /// An explanation of one quantity of a report.
  public struct Entry: Sendable {
    /// The columns that the entry explains.
    public var columns: String
    /// The formula, or the rule in words.
    public var formula: String
    /// The source: a paper with year, or a definition of this project.
    public var source: String

    /// Creates an entry.
    public init(_ columns: String, _ formula: String, source: String) {
      self.columns = columns
      self.formula = formula
      self.source = source
    }
  }

  /// The question that the report answers.
  public var question: String
  /// The events and fields that the report reads.
  public var inputs: String
  /// The computed quantities, in the order of the columns.
  public var entries: [Entry]

  /// Creates an explanation.
  public init(question: String, inputs: String, entries: [Entry]) {
    self.question = question
    self.inputs = inputs
    self.entries = entries
  }

  /// Returns the explanation as a table.
  ///
  /// - Parameter report: The name of the report.
  /// - Returns: The table.
  /// - Throws: `TableError` only if the column declarations are invalid.
  public func table(of report: String) throws(TableError) -> Table {
    var table = try Table(
      name: "explanation", title: "report \(report): \(question)",
      columns: [
        .measure("columns", .text, "what is computed"),
        .measure("formula", .text, "how"), .measure("source", .text, "where the rule comes from"),
      ])
    for entry in entries {
      try table.append(row: [.text(entry.columns), .text(entry.formula), .text(entry.source)])
    }
    table.note("inputs", .text(inputs))
    return table
  }
}
