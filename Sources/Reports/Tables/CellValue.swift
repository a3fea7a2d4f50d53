public import Events
public import Tables

/// A value that a cell can have: a column of such values needs not name their type.
public protocol CellValue {
  /// The type of columns of these values.
  static var columnType: TableColumn.ValueType { get }

  /// The cell.
  var cell: TableCell { get }
}

extension String: CellValue {
  public static var columnType: TableColumn.ValueType { .text }
  public var cell: TableCell { .text(self) }
}

extension Int: CellValue {
  public static var columnType: TableColumn.ValueType { .integer }
  public var cell: TableCell { .integer(self) }
}

/// A number that is not finite has no cell.
extension Double: CellValue {
  public static var columnType: TableColumn.ValueType { .decimal }
  public var cell: TableCell { TableCell(self) }
}

extension Bool: CellValue {
  public static var columnType: TableColumn.ValueType { .flag }
  public var cell: TableCell { .flag(self) }
}

extension Timestamp: CellValue {
  public static var columnType: TableColumn.ValueType { .timestamp }
  public var cell: TableCell { .timestamp(description) }
}

/// A time as clocks of a zone show it.
struct ZonedTime: CellValue {
  let time: Timestamp
  let calendar: DayCalendar

  static var columnType: TableColumn.ValueType { .timestamp }
  var cell: TableCell { .timestamp(calendar.text(time)) }
}

/// Nil has no cell.
extension Optional: CellValue where Wrapped: CellValue {
  public static var columnType: TableColumn.ValueType { Wrapped.columnType }
  public var cell: TableCell { map(\.cell) ?? .empty }
}

extension Table {
  /// Adds a note; a note of the same name is replaced in place.
  public mutating func note(_ name: String, _ value: some CellValue) { note(name, value.cell) }

  /// Adds a note of the time zone whose days the table has, unless it is UTC.
  mutating func note(timeZone calendar: DayCalendar) {
    if !calendar.isUTC { note("time_zone", calendar.zone) }
  }

  /// Adds a note of each count.
  mutating func note(_ counts: [(name: String, count: Int)]) {
    for (name, count) in counts { note(name, .integer(count)) }
  }
}
