import Events
public import Specifications

/// Feature flag evaluations among the log records of OpenTelemetry, as OTLP JSON: documents with `resourceLogs`, or one
/// log record for each line.
///
/// | field of the log record | becomes |
/// |---|---|
/// | `eventName`, else the attribute `event.name` | `feature_flag.evaluation` or the older `feature_flag`: a decision |
/// | `timeUnixNano`, else `timestamp`, `observedTimeUnixNano` | its time |
/// | the attribute `feature_flag.context.id` | its unit |
/// | `feature_flag.key` | its experiment |
/// | `feature_flag.result.variant`, else `feature_flag.variant`, `feature_flag.result.value` | its variant |
/// | `feature_flag.result.reason` or `feature_flag.evaluation.reason` | its reason; `error`: its status is `excluded` |
/// | `traceId`, `spanId`, the flag and the unit | its id, if there are all of them |
/// | all other attributes and fields | `context` |
/// | attributes and fields of the resource and the scope | `context`, as `resource.NAME` and `scope.NAME` |
///
/// Other log records, and evaluations without `feature_flag.context.id` or without a result, are counted and not
/// imported. A list or an object among the attributes is kept as the text of its JSON.
public struct OpenTelemetry: ImportFormat {
  public static let info = SpecificationInfo(
    "otel", "feature flag evaluations in log records of OpenTelemetry, as OTLP JSON",
    source: "https://opentelemetry.io/docs/specs/semconv/feature-flags/feature-flags-events/")

  public static let recognition =
    "JSON with resourceLogs, or eventName or attributes of a feature flag evaluation"

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    let document = sample.match(keys: "resourceLogs")
    if case .match = document { return document }
    if let name = sample.text("eventName"), name.hasPrefix("feature_flag") {
      return .match("the eventName \"\(name)\"")
    }
    guard let fields = sample.fields, let attributes = fields.find("attributes") else {
      return document
    }
    let isFlag = fields.children(of: attributes).contains { attribute in
      let key = fields.find("key", in: attribute).map { fields.text($0) }
      return (key ?? fields.name(of: attribute)).elementsEqual("feature_flag.key".utf8)
    }
    return isFlag ? .match("the attribute \"feature_flag.key\"") : document
  }

  public func open(_ input: ImportInput) throws(ImportError) -> any RecordSource {
    var bytes = input.bytes
    let documents = LogDocuments()
    if let rejects = bytes.input as? RejectsInput {
      return LogRecordSource(RejectedTextSource(bytes, rejects, documents), documents)
    }
    switch try FieldLayout(&bytes) {
    case .lines:
      return LogRecordSource(LineSource(bytes, FieldLineReader(reader: documents)), documents)
    case .texts: return LogRecordSource(JSONTextSource(bytes, documents), documents)
    case .table:
      throw ImportError(
        .badData, "\(bytes.name): the log records are not JSON; export them as OTLP JSON")
    }
  }
}

/// Passes the fields of each document on to a ``LogRecordSource``.
final class LogDocuments: FieldReader {
  fileprivate(set) var fields = FieldTree()

  func read(_ fields: inout FieldTree, into record: inout ImportedRecord) {
    swap(&self.fields, &fields)
  }
}

/// The log records of an input whose documents have any number of them each.
struct LogRecordSource: RecordSource {
  private var documents: any RecordSource
  private let document: LogDocuments
  private var cursor = LogCursor()
  private var reader = LogRecordReader()
  private var line = 0
  private var byteOffset: Int64 = 0

  /// Creates a source of the log records of documents that are read into `document`.
  init(_ documents: any RecordSource, _ document: LogDocuments) {
    self.documents = documents
    self.document = document
  }

  var name: String { documents.name }

  var progress: SourceProgress { documents.progress }

  mutating func next(_ record: inout ImportedRecord) throws(ImportError) -> RecordStep {
    while !cursor.advance(in: document.fields) {
      let step = try documents.next(&record)
      guard case .record = step else { return step }
      (line, byteOffset) = (record.line, record.byteOffset)
      cursor = LogCursor(document.fields)
      guard cursor.advance(in: document.fields) else {
        return .ignored("documents without log records")
      }
      break
    }
    record.begin(line: line, byteOffset: byteOffset)
    do throws(Rejection) {
      try reader.read(&document.fields, cursor, into: &record)
      try record.validate()
      return record.ignored.map { .ignored($0) } ?? .record
    } catch {
      let bytes = cursor.record.map { Array(document.fields.text($0)) } ?? []
      return .rejected(
        RejectedRecord(
          error, line: line, byteOffset: byteOffset,
          bytes: bytes))
    }
  }
}

/// A place among the log records of a document: an element of `resourceLogs`, of its `scopeLogs`, and of its
/// `logRecords`.
struct LogCursor {
  /// The current log record; nil before the first and after the last one.
  private(set) var record: FieldTree.Field?
  /// The current element of `resourceLogs`.
  private(set) var resource: FieldTree.Field?
  /// The current element of its `scopeLogs`.
  private(set) var scope: FieldTree.Field?
  private var resources: FieldTree.Field?
  private var scopes: FieldTree.Field?
  private var records: FieldTree.Field?
  /// The document, as long as it is a log record itself that has not been read.
  private var single: FieldTree.Field?

  /// Creates a place behind the last record.
  init() {}

  /// Creates a place before the first record of a document.
  init(_ tree: FieldTree) {
    resources = tree.find("resourceLogs")
    if resources == nil { single = tree.root }
  }

  /// Goes to the next log record; returns false behind the last one.
  mutating func advance(in tree: FieldTree) -> Bool {
    if let single {
      (record, self.single) = (single, nil)
      return true
    }
    while let resources {
      if let records, let next = tree.child(after: record, of: records) {
        record = next
        return true
      }
      (records, record) = (nil, nil)
      if let scopes, let next = tree.child(after: scope, of: scopes) {
        scope = next
        records = tree.find("logRecords", in: next)
        continue
      }
      (scopes, scope) = (nil, nil)
      resource = tree.child(after: resource, of: resources)
      if let resource {
        scopes = tree.find("scopeLogs", in: resource)
      } else {
        self.resources = nil
      }
    }
    record = nil
    return false
  }
}
