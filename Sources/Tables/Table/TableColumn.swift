/// One column of a table: its heading, what it is for, what its cells hold.
public struct TableColumn: Equatable, Sendable {
  /// Whether a column says which thing a row is about or what was measured of it.
  public enum Kind: String, CaseIterable, Sendable {
    /// Part of what names the row; rows are sorted by these.
    case key
    /// Measured, computed or judged.
    case measure
  }

  /// What the cells of a column hold; any cell may be empty instead.
  public enum ValueType: String, CaseIterable, Sendable {
    /// Any text.
    case text
    /// A whole number.
    case integer
    /// A floating-point number.
    case decimal
    /// True or false.
    case flag
    /// A moment in UTC as ISO 8601 text.
    case timestamp

    /// Whether people expect the values right-aligned.
    var isNumber: Bool { self == .integer || self == .decimal }
  }

  /// The heading in snake_case, the same word in CSV, JSON, SQL and API.
  public let name: String

  /// Whether the column is a key or a measure.
  public let kind: Kind

  /// What its cells hold.
  public let type: ValueType

  /// One line that says what is measured, with its unit.
  public let description: String

  /// Makes a column; ``Table`` checks its name.
  public init(name: String, kind: Kind, type: ValueType, description: String) {
    self.name = name
    self.kind = kind
    self.type = type
    self.description = description
  }

  /// A key column.
  public static func key(_ name: String, _ type: ValueType, _ description: String) -> Self {
    Self(name: name, kind: .key, type: type, description: description)
  }

  /// A measure column.
  public static func measure(_ name: String, _ type: ValueType, _ description: String) -> Self {
    Self(name: name, kind: .measure, type: type, description: description)
  }
}
