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
