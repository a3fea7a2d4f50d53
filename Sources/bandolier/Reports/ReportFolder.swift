import CCommit
import EventLog
import Events
import Platform
import Projections
import Replay
import Reports
import Tables

/// The folder that `report all` writes: everything in it is taken from the book, except for the manifest.
final class ReportFolder {
  private let folder: AtomicFolder
  private let path: String
  private var files: [BookManifest.File] = []

  /// The files besides the tables and the plots.
  private static let contents: [(path: String, description: String)] = [
    ("report.html", "all reports as one page, which needs no network"),
    ("report.md", "the same as Markdown, with the first rows of each table"),
    ("report.ipynb", "the same as a Jupyter notebook, which needs pandas and matplotlib to be run"),
    ("results.json", "the answers and all tables as JSON"),
    ("results.sqlite", "all tables as an SQLite database"),
    ("datapackage.json", "types and meaning of all columns (Frictionless Data Package)"),
    ("manifest.json", "what made the reports, from which log, and what was counted and left out"),
  ]

  /// Creates the temporary folder.
  ///
  /// - Throws: ``Failure`` if the folder would be inside the log, or one that `report all` has not written;
  ///   `OutputError` if it exists or cannot be created.
  init(path: String, force: Bool, log: String) throws {
    self.path = path
    guard !"\(path)/".utf8.starts(with: "\(log)/".utf8) else {
      throw Failure(
        exitCode: Failure.usage,
        "\(path) is in the folder of the log, which is reserved for the files of the log; name another folder"
      )
    }
    folder = try AtomicFolder(path: path, force: force) {
      try WrittenFolder($0, files: $1).require()
    }
  }

  func abandon() { folder.abandon() }

  /// Writes all files, the manifest last, and puts the folder in place.
  ///
  /// - Parameters:
  ///   - book: The reports.
  ///   - replay: The log that they were made from.
  ///   - spreadsheetSafe: Whether texts in CSV files that a spreadsheet would take for formulas are prefixed.
  ///   - run: Describes the run; called at its end.
  /// - Throws: `OutputError`; `ProjectionError`; `LogError`; ``Interrupt``.
  func write(
    _ book: Book, of replay: LogReplay, spreadsheetSafe: Bool,
    by run: () throws -> BookManifest.Run
  ) throws {
    let options = TableOptions(spreadsheetSafe: spreadsheetSafe)
    for table in book.tables {
      try write(Tables.write(table, as: .csv, options: options), to: "\(table.name).csv")
    }
    for (path, svg) in book.figureFiles { try write(Array(svg.utf8), to: path) }
    try write(Array(BookPage(book).html.utf8), to: "report.html")
    try write(BookMarkdown(book).bytes, to: "report.md")
    try write(BookNotebook(book).bytes, to: "report.ipynb")
    try write(BookJSON(book).bytes, to: "results.json")
    try write(BookPackage(book).bytes, to: "datapackage.json")
    try write(BookReadme(book, files: Self.contents).bytes, to: "README.md")
    try writeDatabase(book)
    files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    let manifest = BookManifest(book, of: replay, by: try run(), files: files)
    try write(manifest.bytes, to: WrittenFolder.manifest)
    try folder.commit()
  }

  private func write(_ bytes: [UInt8], to name: String) throws {
    try Interrupt.check()
    try folder.write(bytes, to: name)
    files.append(
      BookManifest.File(path: name, byteCount: bytes.count, digest: Digest.sha256(bytes)))
  }

  private func writeDatabase(_ book: Book) throws {
    try Interrupt.check()
    let name = "results.sqlite"
    let path = "\(folder.temporaryPath)/\(name)"
    try ResultDatabase.write(book.tables, to: path)
    let (byteCount, digest) = try Digest.sha256(ofFile: path)
    files.append(
      BookManifest.File(path: name, byteCount: Int(clamping: byteCount), digest: digest))
  }

  /// The commit that the program was built from; nil if it is unknown.
  static var commit: String? {
    // Safety: the text is a terminated constant.
    let commit = unsafe String(cString: bandolier_commit())
    return commit.isEmpty ? nil : commit
  }

  /// The time of the clock in UTC, which is written into the manifest only.
  static var now: String {
    Timestamp(microseconds: SystemClock.microsecondsSince1970).description
  }
}
