/// A named value that belongs to a whole table, such as the attribution rule.
public struct TableNote: Equatable, Sendable {
  /// The name of the note.
  public let name: String
  /// The value of the note.
  public let value: TableCell
}

/// How a table was made, in one line for people; the notes have it in full.
public struct TableMethod: Equatable, Sendable {
  /// The method, such as `mean of decisions, Student t, 95 %`.
  public let text: String
  /// The name with which `bandolier explain` prints the formulas; nil if it has none.
  public let report: String?

  /// Creates a method.
  public init(_ text: String, report: String? = nil) {
    self.text = text
    self.report = report
  }
}
