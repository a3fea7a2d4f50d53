public import Events

/// A format that logs are exported in as tables of CSV, each a file in one folder.
public protocol TableExportFormat: ImportFormat {
  /// Returns the tables for a log.
  ///
  /// - Parameter names: The names of the attributes that occur in the log, which become columns.
  /// - Returns: The tables.
  static func makeTables(_ names: AttributeNames) -> [EventTable]

  /// Returns why an event has no row, in the plural: `excluded decisions`; nil if it has one.
  static func omission(of event: EventRecord) -> String?

  /// Returns what no column shows of an event that has a row, in the plural: `metadata of goals`.
  static func losses(of event: EventRecord) -> [String]
}

/// Writes the events of one log as tables.
public struct TableExporter {
  /// The tables.
  public let tables: [EventTable]
  /// The number of events so far without a row, and of events with something that no column shows, by what that is in
  /// the plural.
  public private(set) var omitted: [String: Int] = [:]
  private let format: any TableExportFormat.Type

  /// Creates an exporter for a log with these names of attributes.
  public init(_ format: any TableExportFormat.Type, _ names: AttributeNames) {
    self.format = format
    tables = format.makeTables(names)
  }

  /// Appends the headers, each to the bytes of its table.
  public func appendHeaders(to bytes: inout [[UInt8]]) {
    for (index, table) in tables.enumerated() { table.appendHeader(to: &bytes[index]) }
  }

  /// Appends the row of an event to the bytes of its table.
  ///
  /// - Returns: The index of the table; nil if the event has no row and was counted.
  public mutating func append(_ event: EventRecord, to bytes: inout [[UInt8]]) -> Int? {
    if let kind = format.omission(of: event) {
      omitted[kind, default: 0] += 1
      return nil
    }
    guard let index = tables.firstIndex(where: { $0.kinds.contains(event.kind) }) else {
      let kind = event.kind.isLifeCycle ? "life-cycle events" : "\(event.kind.name) events"
      omitted[kind, default: 0] += 1
      return nil
    }
    for loss in format.losses(of: event) { omitted[loss, default: 0] += 1 }
    tables[index].append(event, to: &bytes[index])
    return index
  }
}

/// A table of CSV with a row for each event of some kinds.
public struct EventTable: Sendable {
  /// The cell of a column for an event: appends its text, or nothing if the event has none.
  public typealias Column = @Sendable (_ event: EventRecord, _ text: inout [UInt8]) -> Void

  /// The name of the file.
  public let fileName: String
  /// The kinds of events that have a row.
  public let kinds: Set<EventKind>
  private let columns: [(name: String, text: Column)]

  /// Creates a table.
  public init(_ fileName: String, _ kinds: Set<EventKind>, _ columns: [(String, Column)]) {
    self.fileName = fileName
    self.kinds = kinds
    self.columns = columns.map { (name: $0.0, text: $0.1) }
  }

  /// The names of the columns.
  public var columnNames: [String] { columns.map(\.name) }

  /// Appends the header.
  public func appendHeader(to bytes: inout [UInt8]) {
    for (index, column) in columns.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      CSVText.append(column.name.utf8, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends the row of an event.
  public func append(_ event: EventRecord, to bytes: inout [UInt8]) {
    var text: [UInt8] = []
    for (index, column) in columns.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      text.removeAll(keepingCapacity: true)
      column.text(event, &text)
      CSVText.append(text, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}
