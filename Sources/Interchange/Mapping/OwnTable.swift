public import Specifications

/// Tables of one's own, CSV, TSV or JSON, with an ``EventMapping`` that says which column is what.
public struct OwnTable: FieldFormat {
  public static let info = SpecificationInfo(
    "csv", "a table of your own: CSV, TSV or JSON of any shape, with --map",
    source: "Sources/Interchange/Interchange.docc/FromOtherSystems.md")

  public static let recognition = "never by content; taken where --map is given"

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch { .unrelated }

  public func makeReader(_ input: ImportInput) throws(ImportError) -> MappedReader {
    guard let mapping = input.mapping else {
      throw ImportError(
        .usage,
        "\(input.path): say which column is what with --map, as bandolier import --suggest "
          + "\(input.path) proposes it")
    }
    return MappedReader(
      mapping, experiment: mapping.needsExperiment ? try input.experimentName() : nil)
  }
}

/// Converts records to events by a mapping.
public struct MappedReader: MemorylessReader {
  let mapping: EventMapping
  private var events: [MappedEvent]
  private var fields = MappedFields()
  /// Whether the columns that no event has are kept.
  private let keepsOthers: Bool
  private let hasUniqueIDs: Bool
  /// Whether the fields of all events are used, whichever a record has, so that no decision has an outcome of its row
  /// in its context.
  private let marksAll: Bool
  /// The columns that an event needs; nil for all where others are kept.
  public private(set) var columnsRead: [Int]?

  init(_ mapping: EventMapping, experiment: String?) {
    self.mapping = mapping
    var fields = MappedFields()
    fields.addLists(mapping.events[0].entries)
    let hasOneEventEach = mapping.hasOneEventEach
    events = mapping.events.indices.map {
      MappedEvent(mapping, $0, &fields, experiment: experiment, isOnly: hasOneEventEach)
    }
    self.fields = fields
    keepsOthers = events.contains { $0.keepsContext || $0.keepsMetadata }
    marksAll = keepsOthers && !hasOneEventEach
    hasUniqueIDs = mapping.events.contains { $0[.unique] != nil }
  }

  public var absentFields: [String] { fields.absent + events.flatMap(\.unmet) }

  public mutating func check(_ header: CSVHeader) throws(ImportError) {
    for names in mapping.alternatives where !names.contains(where: { Self.has($0, header) }) {
      // The first of several is the text with all of them.
      let asked = names.count > 1 ? names.dropFirst().joined(separator: " | ") : names.joined()
      throw ImportError(
        .badData, "\(header.inputName): \(NearestName.unknown("column", asked, among: header.names))")
    }
    let needed = fields.bind(to: ColumnNames(header.names))
    if !keepsOthers { columnsRead = needed }
  }

  /// Returns whether there is a column, or one with the JSON that it is a field of: `properties.plan`.
  private static func has(_ column: String, _ header: CSVHeader) -> Bool {
    if header[column] != nil { return true }
    let parts = column.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1)
    return parts.count == 2 && header[String(parts[0]) ?? ""] != nil
  }

  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    self.fields.find(in: &fields, marking: marksAll)
    for index in events.indices { try events[index].add(&fields, to: &record) }
    record.hasUniqueIDs = hasUniqueIDs && record.count > 0
    if record.count == 0 { record.ignore(Self.ignored) }
  }

  /// The rows that have no event, for counting.
  package static let ignored = "rows without an event"
}

extension EventMapping {
  /// Whether an event needs the name of the experiment from outside the records.
  var needsExperiment: Bool {
    events.indices.contains { index in
      guard source(of: .experiment, event: index) == nil else { return false }
      return events[index][.variant] != nil || events[index][.type] != nil
        || (events[index][.goal] != nil && events[index][.value] != nil)
    }
  }
}
