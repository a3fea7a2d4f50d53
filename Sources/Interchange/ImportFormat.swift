public import Events
public import Statistics

/// A format that events can be imported from, as a type of its own.
///
/// The built-in formats are in ``FormatCatalog/standard``; ``FormatCatalog/adding(_:)`` adds one of another package. A
/// format whose records stand on lines, or in rows of CSV, reads them with a ``LineSource`` or a ``CSVSource``.
public protocol ImportFormat: Sendable {
  /// The name for `--format`, what the format is in one line, its parameters, and where it is documented.
  static var info: SpecificationInfo { get }

  /// How the format is recognized by its content, in one line.
  static var recognition: String { get }

  /// Makes the format with parameters.
  ///
  /// - Parameter specification: The name and the parameters, whose keys are known to be in ``info``.
  /// - Throws: `SpecificationError` when a value cannot be used.
  init(_ specification: Specification) throws(SpecificationError)

  /// Returns whether an input is in this format, judged by its first line, and why.
  static func match(_ sample: InputSample) -> FormatMatch

  /// Opens an input and returns what reads its records.
  ///
  /// - Parameter input: The input, of which nothing has been consumed.
  /// - Returns: The source of its records.
  /// - Throws: ``ImportError`` when the input as a whole cannot be read, such as for a column that its header lacks.
  func open(_ input: ImportInput) throws(ImportError) -> any RecordSource
}

/// A format that events can be exported in as well.
public protocol ExportFormat: ImportFormat {
  /// Appends an event, as this format writes it, to some bytes.
  static func append(_ record: EventRecord, to bytes: inout [UInt8])
}

/// Whether an input is in a format, and why.
public enum FormatMatch: Hashable, Sendable {
  /// The input is in the format, and what shows it: `the key "type"`.
  case match(String)
  /// The input is of the same kind, such as CSV, but not in the format, and what shows it: `no key "type"`.
  case mismatch(String)
  /// The input is of another kind altogether.
  case unrelated
}

/// An input to open, with what a format may need besides its bytes.
public struct ImportInput {
  /// The path; `-` is standard input.
  public let path: String
  /// The bytes of the input, of which nothing has been consumed.
  public let bytes: ByteSource
  let experiment: String?
  let waitForInput: @Sendable (Int32) -> Bool

  /// The name of the experiment, for formats whose records do not have one: the one that was given to the ``Importer``,
  /// or the name of the file without folders, `.gz` and extension, such as `men` for `obd/men.csv.gz`.
  ///
  /// - Throws: ``ImportError`` `usage`: the name is empty, or none was given for standard input.
  public func experimentName() throws(ImportError) -> String {
    if let experiment, !experiment.isEmpty { return experiment }
    guard experiment == nil, path != "-" else {
      throw ImportError(
        .usage, "the experiment has no name; give one with --experiment NAME")
    }
    return Self.stem(path)
  }

  /// Opens a further file that the format needs, such as a table of items.
  ///
  /// - Throws: ``ImportError``.
  public func open(_ path: String) throws(ImportError) -> ByteSource {
    try ByteSource(path: path, waitForInput: waitForInput)
  }

  static func stem(_ path: String) -> String {
    let file = path.split(separator: "/").last.map { String($0) } ?? path
    var stem = file[...]
    if stem.hasSuffix(".gz"), stem != ".gz" { stem = stem.dropLast(3) }
    if let dot = stem.lastIndex(of: "."), dot != stem.startIndex { stem = stem[..<dot] }
    return String(stem)
  }
}
