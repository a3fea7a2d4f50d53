/// The counts of an import, over all of its inputs.
public struct ImportSummary: Hashable, Sendable {
  /// The number of records read, including rejected ones but not blank lines.
  public var recordsRead: Int64 = 0
  /// The number of events appended to the log.
  public var eventsAppended: Int64 = 0
  /// The number of events that the log had already, with the same content.
  public var alreadyThere: Int64 = 0
  /// The number of events with the id of another and other content that were appended, as events of their own.
  public var differingKept: Int64 = 0
  /// The number of those that were left out, because the source promises that its ids are unique.
  public var refused: Int64 = 0
  /// The kinds of the events of the last input, and of those of it that were appended, as bits.
  package internal(set) var kinds: UInt32 = 0
  package internal(set) var kindsAppended: UInt32 = 0
  /// Whether an event of the last input has no id.
  package internal(set) var lacksIDs = false
  /// The number of blank lines skipped.
  public var blankLines: Int64 = 0
  /// The number of bytes read from files, compressed ones for gzip.
  public var fileBytes: Int64 = 0
  /// The number of bytes of uncompressed text.
  public var textBytes: Int64 = 0
  /// The doubts about the appended events, complete after each input.
  public internal(set) var quality = ImportQuality()

  private var absent: Set<String>?
  private var ignoredByKind: [String: Int64] = [:]
  private var rejectedByCategory: [RejectionCategory: Int64] = [:]
  private var rejectedByUnit: [String: Int64] = [:]

  /// Creates an empty summary.
  public init() {}

  /// The fields that the mapping names and of which no record of any input had a content, and the conditions that ask
  /// for contents which none had, sorted.
  public var absentFields: [String] { (absent ?? []).sorted() }

  /// The number of rejected records.
  public var rejected: Int64 { rejectedByCategory.values.reduce(0, +) }

  /// The number of rejected records for each category that occurred, sorted by its words.
  public var rejections: [(category: RejectionCategory, count: Int64)] {
    rejectedByCategory.sorted { $0.key < $1.key }.map { (category: $0.key, count: $0.value) }
  }

  /// The texts in place of a unit that records were rejected for, with the number of records, most first; a text is
  /// empty if there was none.
  public var placeholders: [(unit: String, count: Int64)] {
    rejectedByUnit.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { (unit: $0.key, count: $0.value) }
  }

  /// The number of records that are no events, for each kind that occurred, sorted by its words.
  public var ignored: [(kind: String, count: Int64)] {
    ignoredByKind.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
      (kind: $0.key, count: $0.value)
    }
  }

  /// The number of events of the inputs.
  package var eventCount: Int64 { eventsAppended + alreadyThere + refused }

  /// Takes the fields of which no record of an input had a content.
  mutating func meet(absent fields: [String]) { absent = absent?.intersection(fields) ?? Set(fields) }

  mutating func ignore(_ kind: String) {
    ignoredByKind[kind, default: 0] += 1
  }

  mutating func reject(_ record: RejectedRecord) {
    rejectedByCategory[record.category, default: 0] += 1
    guard record.category == .placeholder else { return }
    let words = record.unit.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    let unit = words.isEmpty && !record.unit.isEmpty ? "blank" : words
    if rejectedByUnit.count < Self.mostUnits || rejectedByUnit[unit] != nil {
      rejectedByUnit[unit, default: 0] += 1
    }
  }

  /// The number of spellings of missing units that are counted apart.
  private static let mostUnits = 256

  /// The counts since an earlier state.
  func counts(since start: ImportSummary) -> ImportHistory.Counts {
    ImportHistory.Counts(
      records: recordsRead - start.recordsRead,
      events: eventCount - start.eventCount,
      blankLines: blankLines - start.blankLines, textBytes: textBytes - start.textBytes,
      ignored: ignoredByKind.merging(start.ignoredByKind) { $0 - $1 }.filter { $0.value > 0 },
      refused: refused - start.refused, rejected: rejected - start.rejected)
  }

  /// Counts a file that is imported again, of which every event is a duplicate.
  mutating func add(_ file: ImportHistory.File) {
    addRecords(of: file)
    fileBytes += file.byteCount
    textBytes += file.counts.textBytes
  }

  /// Counts the same without the bytes.
  mutating func addRecords(of file: ImportHistory.File) {
    absent = []
    recordsRead += file.counts.records
    alreadyThere += file.counts.events - file.counts.refused
    refused += file.counts.refused
    blankLines += file.counts.blankLines
    ignoredByKind.merge(file.counts.ignored) { $0 + $1 }
  }
}
