public import Tables

/// What a report computes, in words: printed by `explain REPORT`.
public struct Explanation: Sendable {
  /// One thing that a report computes.
  public struct Entry: Sendable {
    /// The columns that it is about.
    public var columns: String
    /// The formula, or the rule in words.
    public var formula: String
    /// Where it comes from: a paper with year, or a definition of this project.
    public var source: String

    /// Makes an entry.
    public init(_ columns: String, _ formula: String, source: String) {
      self.columns = columns
      self.formula = formula
      self.source = source
    }
  }

  /// What question it answers.
  public var question: String
  /// Which events and fields it reads.
  public var inputs: String
  /// What is computed, in the order of the columns.
  public var entries: [Entry]

  /// Makes an explanation.
  public init(question: String, inputs: String, entries: [Entry]) {
    self.question = question
    self.inputs = inputs
    self.entries = entries
  }

  /// Returns the explanation of the report of a name as a table.
  ///
  /// - Throws: `TableError` never, as long as the columns are what they are.
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
