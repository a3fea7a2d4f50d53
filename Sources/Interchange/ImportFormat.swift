public import EventLog
public import Events
public import Specifications

/// A format that events can be imported from.
///
/// The built-in formats are in ``FormatCatalog/standard``; ``FormatCatalog/adding(_:)`` adds one of another package.
/// A format with one record per line, or per row of CSV, reads them with a ``LineSource`` or a ``CSVSource``.
public protocol ImportFormat: Specified where ParameterSources == Void {
  /// A one-line description of how the format is recognized.
  static var recognition: String { get }

  /// Returns whether an input is in this format, judged by its first line, and why.
  static func match(_ sample: InputSample) -> FormatMatch

  /// Opens an input and returns the source of its records.
  ///
  /// - Parameter input: The input, of which nothing has been consumed.
  /// - Returns: The source of its records.
  /// - Throws: ``ImportError`` if the input as a whole is invalid, for instance because its header lacks a column.
  func open(_ input: ImportInput) throws(ImportError) -> any RecordSource
}

extension ImportFormat {
  /// The name and all parameters, whether they were given or not. Setting it does nothing.
  public var specification: Specification {
    get { fullSpecification }
    set {}
  }
}

/// A format that events can also be exported in.
public protocol ExportFormat: ImportFormat {
  /// Returns an exporter for one log.
  static func makeExporter() -> any EventExporter
}

/// A format that is exported from the columns of a log, and not event by event.
public protocol LogExportFormat: ImportFormat {
  /// Writes a log.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - kinds: The kinds of events to write; nil for all that the log has.
  ///   - progress: Called now and then with the number of events written or passed over; an error ends the export.
  ///   - write: Receives the bytes in order.
  /// - Throws: `LogError` if the log cannot be read, and errors of the closures.
  static func export(
    _ log: LogReader, kinds: Set<EventKind>?, progress: (Int) throws -> Void,
    to write: ([UInt8]) throws -> Void
  ) throws
}

/// A format that has a column for each attribute, whose names an exporter must know before the first event.
public protocol ColumnExportFormat: ExportFormat {
  /// Returns an exporter for one log.
  ///
  /// - Parameter names: The names of the attributes that occur in the log.
  /// - Returns: The exporter.
  static func makeExporter(_ names: AttributeNames) -> any EventExporter
}

extension ColumnExportFormat {
  /// Returns an exporter for a log without attributes.
  public static func makeExporter() -> any EventExporter { makeExporter(AttributeNames()) }
}

/// The result of matching an input against a format.
public enum FormatMatch: Hashable, Sendable {
  /// The input is in the format, with the evidence: `the key "type"`.
  case match(String)
  /// The input is of the same kind, such as CSV, but not in the format, with the evidence: `no key "type"`.
  case mismatch(String)
  /// The input is of another kind.
  case unrelated
}

/// An input to open: its bytes, and what a format may need besides.
public struct ImportInput {
  /// The path; `-` is standard input.
  public let path: String
  /// The bytes of the input, of which nothing has been consumed.
  public let bytes: ByteSource
  /// The mapping of a table's columns, if one was given.
  public let mapping: EventMapping?
  let experiment: String?
  let waitForInput: @Sendable (Int32) -> Bool

  /// Returns what units begin with in formats that number the records of a file: the experiment and a hyphen; if the
  /// file has another name, that without extension and a hyphen follow, so that the units of several files of one
  /// experiment differ.
  func unitPrefix(_ experiment: String) -> [UInt8] {
    let stem = path == "-" ? experiment : Self.stem(path)
    return Array((stem == experiment ? "\(experiment)-" : "\(experiment)-\(stem)-").utf8)
  }

  /// Returns the name of the experiment, for formats whose records do not have one: that given to the ``Importer``,
  /// or the name of the file without directories, `.gz` and extension, such as `men` for `obd/men.csv.gz`. A number
  /// at the end, such as a date, is no extension.
  ///
  /// - Throws: ``ImportError`` `usage` if the name is empty, or none was given for standard input.
  public func experimentName() throws(ImportError) -> String {
    if let experiment, !experiment.isEmpty { return experiment }
    guard experiment == nil, path != "-" else {
      throw ImportError(
        .usage, "the experiment has no name; give one with --experiment NAME")
    }
    return Self.stem(path)
  }

  /// Opens an additional file that the format needs, such as a table of items.
  ///
  /// - Throws: ``ImportError``.
  public func open(_ path: String) throws(ImportError) -> ByteSource {
    try ByteSource(path: path, waitForInput: waitForInput)
  }

  package static func stem(_ path: String) -> String {
    let file = path.split(separator: "/").last.map { String($0) } ?? path
    var stem = file[...]
    if stem.hasSuffix(".gz"), stem != ".gz" { stem = stem.dropLast(3) }
    guard let dot = stem.lastIndex(of: "."), dot != stem.startIndex else { return String(stem) }
    // A number, such as a date, tells files apart and is no extension.
    let isNumber = DigitText.isWhole(Array(stem[stem.index(after: dot)...].utf8).span)
    return String(isNumber ? stem : stem[..<dot])
  }
}
