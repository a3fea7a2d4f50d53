import EventLog
public import Specifications

/// Opens inputs: recognizes their format and returns the source of their records.
public struct Importer: Sendable {
  /// The formats that inputs can be recognized as.
  public var formats: FormatCatalog
  /// The format of the inputs; nil to recognize it by their content.
  public var format: (any ImportFormat)?
  /// The parameters for the recognized format.
  public var parameters: [Specification.Parameter]
  /// The name of the experiment, for formats whose records do not have one; nil for the file's name without
  /// extension.
  public var experiment: String?
  /// The uses of a table's columns; nil for formats that are known.
  public var mapping: EventMapping?
  /// Called with the path and the format of each input whose format was recognized by its content.
  public var onRecognized: @Sendable (String, RecognizedFormat) -> Void = { _, _ in }
  /// Called with the path and the columns of a table that no entry of the mapping names, and which are left out: those
  /// of the header or, of JSON, of the first records.
  public var onLeftOut: @Sendable (String, [String]) -> Void = { _, _ in }
  /// The specification of the format, if it was created from one.
  private var specification: Specification?
  /// Called with the descriptor before each read, to wait for input; if it returns false, reading ends with the error
  /// `interrupted`.
  public var waitForInput: @Sendable (Int32) -> Bool

  /// Creates an importer.
  public init(
    formats: FormatCatalog = .standard, format: (any ImportFormat)? = nil,
    parameters: [Specification.Parameter] = [], experiment: String? = nil,
    waitForInput: @escaping @Sendable (Int32) -> Bool = { _ in true }
  ) {
    self.formats = formats
    self.format = format
    self.parameters = parameters
    self.experiment = experiment
    self.waitForInput = waitForInput
  }

  /// Creates an importer for the format that a specification describes; `auto` recognizes it by the content.
  ///
  /// - Throws: `SpecificationError` if no format has that name or a parameter is invalid.
  public init(
    _ specification: Specification, formats: FormatCatalog = .standard, experiment: String? = nil,
    waitForInput: @escaping @Sendable (Int32) -> Bool = { _ in true }
  ) throws(SpecificationError) {
    self.init(formats: formats, experiment: experiment, waitForInput: waitForInput)
    self.specification = specification
    if specification.name == Self.automatic {
      parameters = specification.parameters
    } else {
      let type = try formats.entry(named: specification.name, besides: [Self.automatic]).made
      format = try type.init(specification)
    }
  }

  private static let automatic = "auto"

  /// Opens a file, or standard input for `-`, plain or gzip, or the folder of a log. An empty file has no records,
  /// whatever its format.
  ///
  /// - Throws: ``ImportError``.
  public func open(_ path: String) throws(ImportError) -> any RecordSource {
    try open(path, recorder: nil)
  }

  /// Opens a file, with a recorder of its bytes.
  package func open(
    _ path: String, recorder: ContentRecorder?
  ) throws(ImportError) -> any RecordSource {
    if path != "-", LogReader.isLog(path) { return try LogSource(path) }
    var bytes = try opened(path, recorder: recorder)
    let format =
      if bytes.isEmpty { empty(bytes.name) } else if let format { format } else if mapping != nil {
        OwnTable() as any ImportFormat
      } else {
        try recognized(&bytes)
      }
    if let mapping, format is OwnTable {
      var sample = try Self.sample(&bytes)
      // Records of JSON differ in their fields.
      if sample.keys != nil, let paths = sample.paths {
        sample.sampled = ColumnSampler.columns(inMemoryOf: bytes, paths)
      }
      let left = mapping.leftOut(of: sample)
      if !left.isEmpty { onLeftOut(bytes.name, left) }
    }
    return try format.open(
      ImportInput(
        path: path, bytes: bytes, mapping: mapping, experiment: experiment,
        waitForInput: waitForInput))
  }

  /// Opens the bytes of a file; those of a Parquet file are the Arrow stream that another program makes of it, and
  /// those of a file of rejects the texts in it.
  func opened(
    _ path: String, recorder: ContentRecorder?
  ) throws(ImportError) -> ByteSource {
    let input = try FileInput(path: path, waitForInput: waitForInput, recorder: recorder)
    var source = try ByteSource(input)
    guard let kind = try ConvertedInput.kind(&source) else {
      return try RejectsInput.unwrapped(&source) ?? source
    }
    return try ByteSource(
      ConvertedInput(kind, path: path, file: source, waitForInput: waitForInput))
  }

  /// All that the events of a file depend on besides its content; nil if that is not known, because the format has
  /// parameters, which may name another file, or is not one of the catalog.
  package func settings(of path: String) -> String? {
    guard let specification, specification.parameters.isEmpty else { return nil }
    let stem = ImportInput.stem(path)
    let lines = [specification.name, experiment ?? stem, stem]
    let entries = mapping?.entries ?? []
    // The order of the entries means nothing.
    return (lines + entries.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
      .joined(separator: "\n")
  }

  /// Returns a format for an input without a byte.
  private func empty(_ name: String) -> any ImportFormat {
    onRecognized(name, RecognizedFormat(type: JSONLines.self, reason: "the input is empty"))
    return JSONLines()
  }

  /// Returns the format that the content of a file is recognized as; nil if it is a table of its own, and for standard
  /// input, which can be read once.
  ///
  /// - Throws: ``ImportError`` if the file cannot be read.
  package func recognizedFormat(of path: String) throws(ImportError) -> RecognizedFormat? {
    guard path != "-" else { return nil }
    var bytes = try opened(path, recorder: nil)
    return try? formats.recognize(&bytes)
  }

  private func recognized(_ bytes: inout ByteSource) throws(ImportError) -> any ImportFormat {
    let recognized = try formats.recognize(&bytes)
    let type = recognized.type
    onRecognized(bytes.name, recognized)
    for key in parameters.map(\.key) where !Self.takes(key, type) {
      let others = formats.formats.filter { Self.takes(key, $0) }.map { $0.info.name }
      guard !others.isEmpty else { break }
      throw ImportError(
        .usage,
        "\(bytes.name): \(key) belongs to the format \(others.joined(separator: " or ")) and this is "
          + type.info.name)
    }
    do throws(SpecificationError) {
      return try type.init(Specification(type.info.name, parameters))
    } catch {
      throw ImportError(.usage, "\(bytes.name): \(error.description)")
    }
  }

  private static func takes(_ key: String, _ format: any ImportFormat.Type) -> Bool {
    format.listing.parameters.contains { $0.key == key }
  }
}
