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
public struct GoFeatureFlag: ShapedFormat {
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

  static let shapes = [
    RecordShape(
      what: "kind", time: "creationDate", unit: "userKey", kept: "value",
      cases: [
        RecordCase(.ignored("events other than feature and tracking"), .unless("kind", is: "feature | tracking")),
        RecordCase(
          .decision(experiment: "key", variant: "variation | value"), .when("default", is: truths),
          .unless("kind", is: "tracking"), status: .excluded),
        RecordCase(
          .decision(experiment: "key", variant: "variation | value"), .when("kind", is: "feature"),
          .unless("default", is: truths)),
        RecordCase(
          .conversion(goal: "key", revenue: "trackingEventDetails.revenue"), .when("kind", is: "tracking")),
      ])
  ]

  private static let truths: FieldNames = "true | True | TRUE"

  /// Opens an input as JSON, or as CSV with or without a header.
  public func open(_ input: ImportInput) throws(ImportError) -> any RecordSource {
    var bytes = input.bytes
    let line = try FirstLine.read(&bytes)
    guard let count = Self.columnCount(line) else {
      return try Self.open(bytes, ShapedReader(Self.shapes))
    }
    let names = ColumnNames(Array(Self.columns.prefix(count)))
    return CSVSource(
      rowsOf: bytes, separator: UInt8(ascii: ";"), columnCount: count,
      FieldRowReader(reader: ShapedReader(Self.shapes), names: names))
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
