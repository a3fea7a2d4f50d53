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

/// How the rows of a time series are drawn for people: a line for each combination of the other keys.
public struct TableSeries: Equatable, Sendable {
  /// The key column that rows follow each other along, such as `day`.
  public let along: String
  /// The measure columns that are drawn, each with the value at the top; nil for the greatest of the line. The bottom
  /// is 0.
  public let drawn: [(column: String, top: Double?)]
  /// The measure columns whose last value is shown beside them.
  public let last: [String]

  /// Creates a description of a series.
  public init(along: String, drawn: [(column: String, top: Double?)], last: [String]) {
    self.along = along
    self.drawn = drawn
    self.last = last
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.along == b.along && a.last == b.last
      && a.drawn.elementsEqual(b.drawn) { $0.column == $1.column && $0.top == $1.top }
  }
}
