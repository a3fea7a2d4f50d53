public import Statistics

/// Opens inputs: recognizes their format and returns what reads their records.
public struct Importer: Sendable {
  /// The formats that an input is recognized as.
  public var formats: FormatCatalog
  /// The format of the inputs; recognized by their content when nil.
  public var format: (any ImportFormat)?
  /// The parameters for the format that an input is recognized as.
  public var parameters: [Specification.Parameter]
  /// The name of the experiment, for formats whose records do not have one; the file's name without extension when nil.
  public var experiment: String?
  /// Called with the descriptor before each read, to wait until there is something to read; reading ends
  /// with `interrupted` when it answers false.
  public var waitForInput: @Sendable (Int32) -> Bool

  /// Makes an importer.
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

  /// Makes an importer for the format that a specification names; `auto` is the one that the content shows.
  ///
  /// - Throws: `SpecificationError`: no format has that name, or it cannot use a parameter.
  public init(
    _ specification: Specification, formats: FormatCatalog = .standard, experiment: String? = nil,
    waitForInput: @escaping @Sendable (Int32) -> Bool = { _ in true }
  ) throws(SpecificationError) {
    self.init(formats: formats, experiment: experiment, waitForInput: waitForInput)
    if specification.name == Self.automatic {
      parameters = specification.parameters
    } else {
      let type = try formats.type(named: specification.name, besides: [Self.automatic])
      format = try FormatCatalog.make(type, specification)
    }
  }

  private static let automatic = "auto"

  /// Opens a file, or standard input for `-`, plain or gzip.
  ///
  /// - Throws: ``ImportError``.
  public func open(_ path: String) throws(ImportError) -> any RecordSource {
    var bytes = try ByteSource(path: path, waitForInput: waitForInput)
    let format = if let format { format } else { try recognized(&bytes) }
    return try format.open(
      ImportInput(path: path, bytes: bytes, experiment: experiment, waitForInput: waitForInput))
  }

  private func recognized(_ bytes: inout ByteSource) throws(ImportError) -> any ImportFormat {
    let type = try formats.recognize(&bytes)
    for key in parameters.map(\.key) where !Self.takes(key, type) {
      let others = formats.all.filter { Self.takes(key, $0) }.map { $0.info.name }
      guard !others.isEmpty else { break }
      throw ImportError(
        .usage,
        "\(bytes.name): \(key) belongs to the format \(others.joined(separator: " or ")) and this is "
          + type.info.name)
    }
    do throws(SpecificationError) {
      return try FormatCatalog.make(type, Specification(type.info.name, parameters))
    } catch {
      throw ImportError(.usage, "\(bytes.name): \(error.description)")
    }
  }

  private static func takes(_ key: String, _ format: any ImportFormat.Type) -> Bool {
    format.info.parameters.contains { $0.key == key }
  }
}
