/// Opens inputs: finds out their format and makes the source that reads them.
public struct Importer: Sendable {
  /// The format of the inputs; told by their content when nil.
  public var format: ImportFormat?
  /// The name of the experiment, for formats whose records do not name one; the file's stem when nil.
  public var experiment: String?
  /// The features of the items, for Open Bandit files.
  public var itemsPath: String?
  /// Called with the descriptor before each read, to wait until there is something to read; reading ends
  /// with `interrupted` when it answers false.
  public var waitForInput: @Sendable (Int32) -> Bool

  /// Makes an importer.
  public init(
    format: ImportFormat? = nil, experiment: String? = nil, itemsPath: String? = nil,
    waitForInput: @escaping @Sendable (Int32) -> Bool = { _ in true }
  ) {
    self.format = format
    self.experiment = experiment
    self.itemsPath = itemsPath
    self.waitForInput = waitForInput
  }

  /// Opens a file, or standard input for `-`, plain or gzip.
  ///
  /// - Throws: ``ImportError``.
  public func open(_ path: String) throws(ImportError) -> any RecordSource {
    var bytes = try ByteSource(path: path, waitForInput: waitForInput)
    let found = if let format { format } else { try FormatDetection.detect(&bytes) }
    if found == .openBandit {
      return try OpenBanditSource(
        bytes, experiment: try experimentName(for: path), itemsPath: itemsPath)
    }
    guard itemsPath == nil else {
      throw ImportError(
        .usage, "\(bytes.name): --items belongs to the format obd and this is \(found.name)")
    }
    return JSONLinesSource(bytes)
  }

  private func experimentName(for path: String) throws(ImportError) -> String {
    if let experiment, !experiment.isEmpty { return experiment }
    guard experiment == nil, path != "-" else {
      throw ImportError(
        .usage, "the experiment has no name; give one with --experiment NAME")
    }
    return Self.stem(path)
  }

  /// The name of a file without folders, `.gz` and its extension: `men` of `obd/men.csv.gz`.
  static func stem(_ path: String) -> String {
    let file = path.split(separator: "/").last.map { String($0) } ?? path
    var stem = file[...]
    if stem.hasSuffix(".gz"), stem != ".gz" { stem = stem.dropLast(3) }
    if let dot = stem.lastIndex(of: "."), dot != stem.startIndex { stem = stem[..<dot] }
    return String(stem)
  }
}
