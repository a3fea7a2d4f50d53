internal import Specifications

/// A value in a table.
///
/// Texts are told apart by their UTF-8 bytes.
public enum TableCell: Equatable, Sendable {
  /// Any text.
  case text(String)
  /// An integer.
  case integer(Int)
  /// A floating-point number; a table turns one that is not finite into ``empty``.
  case decimal(Double)
  /// A boolean.
  case flag(Bool)
  /// A time in UTC as ISO 8601 text.
  case timestamp(String)
  /// Not applicable.
  case empty

  /// Creates a text cell, or ``empty`` for nil.
  public init(_ text: String?) {
    self = text.map(Self.text) ?? .empty
  }

  /// Creates an integer cell, or ``empty`` for nil.
  public init(_ number: Int?) {
    self = number.map(Self.integer) ?? .empty
  }

  /// Creates a decimal cell, or ``empty`` for nil, an infinity or a NaN.
  public init(_ number: Double?) {
    self = number.map(Self.decimal)?.finite ?? .empty
  }

  /// Creates a flag cell, or ``empty`` for nil.
  public init(_ flag: Bool?) {
    self = flag.map(Self.flag) ?? .empty
  }

  /// The column type of the cell; nil for ``empty``, which fits any column.
  public var type: TableColumn.ValueType? {
    switch self {
    case .text: .text
    case .integer: .integer
    case .decimal: .decimal
    case .flag: .flag
    case .timestamp: .timestamp
    case .empty: nil
    }
  }

  /// The cell itself, or ``empty`` for an infinity or a NaN.
  var finite: TableCell {
    if case .decimal(let number) = self, !number.isFinite { return .empty }
    return self
  }

  /// Compares texts by their UTF-8 bytes, and numbers by value.
  public static func == (a: TableCell, b: TableCell) -> Bool {
    switch (a, b) {
    case (.text(let a), .text(let b)), (.timestamp(let a), .timestamp(let b)):
      a.isSameName(as: b)
    case (.integer(let a), .integer(let b)): a == b
    case (.decimal(let a), .decimal(let b)): a == b
    case (.flag(let a), .flag(let b)): a == b
    case (.empty, .empty): true
    default: false
    }
  }

  /// Returns whether the cell is sorted before (-1), with (0) or after (1) another.
  ///
  /// Empty cells come first, then flags, numbers by value, timestamps and texts by their UTF-8 bytes.
  func order(against other: TableCell) -> Int {
    switch (self, other) {
    case (.text(let a), .text(let b)), (.timestamp(let a), .timestamp(let b)):
      a.nameOrder(against: b)
    case (.integer(let a), .integer(let b)): a == b ? 0 : (a < b ? -1 : 1)
    case (.decimal(let a), .decimal(let b)): a == b ? 0 : (a < b ? -1 : 1)
    case (.flag(let a), .flag(let b)): a == b ? 0 : (b ? -1 : 1)
    default: rank == other.rank ? 0 : (rank < other.rank ? -1 : 1)
    }
  }

  private var rank: Int {
    switch self {
    case .empty: 0
    case .flag: 1
    case .integer: 2
    case .decimal: 3
    case .timestamp: 4
    case .text: 5
    }
  }
}
