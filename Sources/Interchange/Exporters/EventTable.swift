public import Events

/// A format that logs are exported in as tables of CSV, each a file in one folder.
public protocol TableExportFormat: ImportFormat {
  /// Returns the tables for a log.
  ///
  /// - Parameter names: The names of the attributes that occur in the log, which become columns.
  static func makeTables(_ names: AttributeNames) -> [EventTable]
}

/// A table of CSV with a row for each event of some kinds.
public struct EventTable: Sendable {
  /// What a column shows of an event: appends its text, or nothing if the event has none.
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

/// The names of the attributes that occur in a log.
public struct AttributeNames: Sendable {
  private var contextNames: Set<[UInt8]> = []
  private var metadataNames: [EventKind: Set<[UInt8]>] = [:]
  private var featureNames: Set<[[UInt8]]> = []

  /// Creates an empty collection.
  public init() {}

  /// Adds the names of an event.
  ///
  /// - Complexity: O(attributes).
  public mutating func add(_ event: EventRecord) {
    for attribute in event.context { contextNames.insert(Array(event.bytes[attribute.name.range])) }
    for attribute in event.metadata {
      metadataNames[event.kind, default: []].insert(Array(event.bytes[attribute.name.range]))
    }
    var start = 0
    for group in event.featureGroups {
      let variant = Array(event.bytes[group.variant.range])
      for attribute in event.features[start..<start + group.count] {
        featureNames.insert([variant, Array(event.bytes[attribute.name.range])])
      }
      start += group.count
    }
  }

  /// The names in contexts, sorted bytewise.
  public var context: [String] { Self.sorted(contextNames) }

  /// The names in the metadata of a kind, sorted bytewise.
  public func metadata(of kind: EventKind) -> [String] { Self.sorted(metadataNames[kind] ?? []) }

  /// The variants with features and the names of these, sorted bytewise.
  public var features: [(variant: String, name: String)] {
    featureNames.sorted { a, b in
      a[0] == b[0] ? a[1].lexicographicallyPrecedes(b[1]) : a[0].lexicographicallyPrecedes(b[0])
    }.map { (variant: Self.text($0[0]), name: Self.text($0[1])) }
  }

  private static func sorted(_ names: Set<[UInt8]>) -> [String] {
    names.sorted { $0.lexicographicallyPrecedes($1) }.map(text)
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// Writes fields of CSV.
enum CSVText {
  /// Appends a field, quoted if RFC 4180 requires it.
  static func append(_ field: some Collection<UInt8>, to bytes: inout [UInt8]) {
    let special: [UInt8] = [0x22, 0x2C, 0x0A, 0x0D]
    guard field.contains(where: { special.contains($0) }) else {
      bytes.append(contentsOf: field)
      return
    }
    bytes.append(0x22)
    for byte in field {
      if byte == 0x22 { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(0x22)
  }
}
