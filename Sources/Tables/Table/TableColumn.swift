/// A column of a table: its heading, kind, value type and description.
public struct TableColumn: Equatable, Sendable {
  /// Whether a column identifies a row or measures something.
  public enum Kind: String, CaseIterable, Sendable {
    /// Part of the key that identifies and sorts rows.
    case key
    /// A value that is measured, computed or judged.
    case measure
  }

  /// The type of a column's cells; any cell may be empty instead.
  public enum ValueType: String, CaseIterable, Sendable {
    /// Any text.
    case text
    /// An integer.
    case integer
    /// A floating-point number.
    case decimal
    /// A boolean.
    case flag
    /// A time in UTC as ISO 8601 text.
    case timestamp

    /// Whether the values are numbers, which are right-aligned.
    var isNumber: Bool { self == .integer || self == .decimal }
  }

  /// How people see the values of a column.
  public enum Display: String, CaseIterable, Sendable {
    /// As they are, decimals with six significant digits.
    case plain
    /// Decimals with an error or an interval beside them: four significant digits.
    case estimate
    /// Shares and rates from 0 to 1: per cent with two decimals.
    case share
    /// Seconds: seconds, minutes, hours or days.
    case duration
    /// Probabilities of tests: three significant digits, `<0.0001` for those below.
    case pValue
    /// Decimals that count something: no decimals.
    case count
    /// Sentences: in full below their row.
    case sentence
    /// Timestamps that are the starts of days: the day.
    case day
  }

  /// The heading in snake_case, the same word in CSV, JSON, SQL and API.
  public let name: String

  /// Whether the column is a key or a measure.
  public let kind: Kind

  /// The type of the cells.
  public let type: ValueType

  /// A one-line description of the values, with their unit.
  public let description: String

  /// Whether the terminal shows the column unless others are asked for: the five to eight columns that matter. If no
  /// column of a table is, all are shown.
  public private(set) var isMain = false

  /// Whether the rows that differ in this key alone are compared: people see them below each other.
  public private(set) var isCompared = false

  /// How people see the values; programs get them as they are.
  public private(set) var display = Display.plain

  /// Creates a column; ``Table`` validates its name.
  public init(name: String, kind: Kind, type: ValueType, description: String) {
    self.name = name
    self.kind = kind
    self.type = type
    self.description = description
  }

  /// Returns a key column.
  public static func key(_ name: String, _ type: ValueType, _ description: String) -> Self {
    Self(name: name, kind: .key, type: type, description: description)
  }

  /// Returns a measure column.
  public static func measure(_ name: String, _ type: ValueType, _ description: String) -> Self {
    Self(name: name, kind: .measure, type: type, description: description)
  }

  /// The column as one that the terminal shows unless others are asked for.
  public var main: Self {
    var column = self
    column.isMain = true
    return column
  }

  /// The key column as the one whose rows people compare.
  public var compared: Self {
    var column = self
    column.isCompared = true
    return column
  }

  /// The column with decimals of four significant digits for people: those with an error or an interval beside them.
  public var estimate: Self { shown(as: .estimate) }

  /// The column with values from 0 to 1 that people see in per cent.
  public var share: Self { shown(as: .share) }

  /// The column with seconds that people see in the units that fit.
  public var duration: Self { shown(as: .duration) }

  /// The column with probabilities of tests.
  public var pValue: Self { shown(as: .pValue) }

  /// The column with decimals that count something, which people see without decimals.
  public var count: Self { shown(as: .count) }

  /// The column with sentences, which people see in full below their row.
  public var sentence: Self { shown(as: .sentence) }

  /// The column with timestamps at the start of a day, of which people see the day.
  public var day: Self { shown(as: .day) }

  private func shown(as display: Display) -> Self {
    var column = self
    column.display = display
    return column
  }
}
