import Events
public import Specifications

/// Events that exporters of GO Feature Flag write, as JSON lines or CSV.
///
/// | field | becomes |
/// |---|---|
/// | `creationDate`, in seconds or milliseconds | the time |
/// | `userKey` | the unit |
/// | `kind` = `feature` | a decision |
/// | `key` | its experiment |
/// | `variation`, else `value` as text | its variant |
/// | `default` = `true` | its status is `excluded`: the flag was not found or failed, and the unit got the default |
/// | `kind` = `tracking` | a conversion with the goal `key` |
/// | `trackingEventDetails.revenue` | its revenue |
/// | all other fields | `context` of a decision, `metadata` of a conversion |
///
/// CSV of the default template has no header: its columns are `kind`, `contextKind`, `userKey`, `creationDate`, `key`,
/// `variation`, `value`, `default` and, in newer versions, `source`, with semicolons between them. Records have no key:
/// those that are equal in everything are stored once.
public struct GoFeatureFlag: FieldFormat {
  private static let columns = [
    "kind", "contextKind", "userKey", "creationDate", "key", "variation", "value", "default",
    "source",
  ]

  public static let info = SpecificationInfo(
    "go-feature-flag", "events that exporters of GO Feature Flag write",
    source: "https://gofeatureflag.org/docs/concepts/exporter")

  public static let recognition =
    "kind, userKey, creationDate and key, or lines of CSV that begin with feature; or tracking;"

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    if let count = columnCount(sample.line) {
      return .match("\(count) columns without a header, the first of which is a kind of event")
    }
    return sample.match(fields: "kind", "userKey", "creationDate", "key")
  }

  public func makeReader(_ input: ImportInput) -> GoFeatureFlagReader { GoFeatureFlagReader() }

  /// Opens an input as JSON, or as CSV with or without a header.
  public func open(_ input: ImportInput) throws(ImportError) -> any RecordSource {
    var bytes = input.bytes
    let line = try FirstLine.read(&bytes)
    guard let count = Self.columnCount(line) else {
      return try Self.open(bytes, GoFeatureFlagReader())
    }
    let names = ColumnNames(Array(Self.columns.prefix(count)))
    return CSVSource(
      rowsOf: bytes, separator: UInt8(ascii: ";"), columnCount: count,
      FieldRowReader(reader: GoFeatureFlagReader(), names: names))
  }

  /// Returns the number of columns of a first line of the default template; nil if it is not one.
  private static func columnCount(_ line: [UInt8]) -> Int? {
    guard line.starts(with: "feature;".utf8) || line.starts(with: "tracking;".utf8) else {
      return nil
    }
    let count = 1 + line.count { $0 == UInt8(ascii: ";") }
    return count == columns.count || count == columns.count - 1 ? count : nil
  }
}

/// Converts events of GO Feature Flag.
public struct GoFeatureFlagReader: MemorylessReader {

  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    let kind = try fields.require("kind")
    let isDecision = fields.text(kind, is: "feature")
    guard isDecision || fields.text(kind, is: "tracking") else {
      return record.ignore("events other than feature and tracking")
    }
    let time = try fields.time(
      fields.take("creationDate"), named: "creationDate")
    let unit = try fields.requireUnit(firstOf: "userKey")
    let index = try record.add(isDecision ? .decision : .conversion, at: time, unit: unit, fields)
    let key = try fields.require("key")
    if isDecision {
      guard let variant = fields.take("variation") ?? fields.find("value") else {
        throw Rejection(.event, #"there is no "variation" or "value""#)
      }
      try fields.set(.experiment, of: &record.events[index], to: key)
      try fields.set(.variant, of: &record.events[index], to: variant)
      if fields.text(fields.take("default"), is: "true") {
        record.events[index].status = .excluded
      }
    } else {
      try fields.set(.goal, of: &record.events[index], to: key)
      let revenue = fields.take("trackingEventDetails", "revenue")
      try fields.setRevenue(of: &record.events[index], to: revenue)
    }
    try fields.addUnused(to: isDecision ? .context : .metadata, of: &record.events[index])
  }
}
