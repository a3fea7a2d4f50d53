internal import EventLog
internal import Events
package import Replay
internal import Specifications
internal import Tables

/// The file `manifest.json` of a book's folder: what made it, from what, and what was counted. Only this file has
/// times of the run.
package struct BookManifest {
  /// The run that made a book: program, arguments, settings and seeds.
  package struct Run: Sendable {
    /// The version of the program, and the commit that it was built from; nil if unknown.
    package var version: String, commit: String?
    /// The arguments of the command, its own name first.
    package var arguments: [String]
    /// The settings of the command as they were resolved, by name.
    package var settings: [(name: String, value: String)]
    /// The seeds of random numbers, by report.
    package var seeds: [(report: String, seed: UInt64)]
    /// The SHA-256 of the log, in hexadecimal digits.
    package var logDigest: String
    /// The times of the start and the end of the run in UTC.
    package var start: String, end: String

    /// Creates a description of a run.
    package init(
      version: String, commit: String?, arguments: [String],
      settings: [(name: String, value: String)], seeds: [(report: String, seed: UInt64)],
      logDigest: String, start: String, end: String
    ) {
      (self.version, self.commit, self.arguments) = (version, commit, arguments)
      (self.settings, self.seeds, self.logDigest) = (settings, seeds, logDigest)
      (self.start, self.end) = (start, end)
    }
  }

  /// A file of the folder.
  package struct File: Sendable {
    /// The path in the folder.
    package var path: String
    /// The length in bytes.
    package var byteCount: Int
    /// The SHA-256 in hexadecimal digits.
    package var digest: String

    /// Creates a file.
    package init(path: String, byteCount: Int, digest: String) {
      (self.path, self.byteCount, self.digest) = (path, byteCount, digest)
    }
  }

  /// The version of the folder's layout: of its files, their columns and their meaning.
  package static let schemaVersion = 1
  /// The name by which a manifest of such a folder is recognised.
  package static let schema = "bandolier-report-folder"

  private let book: Book
  private let replay: LogReplay
  private let run: Run
  private let files: [File]

  /// Creates the writer of a manifest.
  ///
  /// - Parameters:
  ///   - book: The book.
  ///   - replay: The log that it was made from.
  ///   - run: What made it.
  ///   - files: The other files of the folder.
  package init(_ book: Book, of replay: LogReplay, by run: Run, files: [File]) {
    (self.book, self.replay, self.run, self.files) = (book, replay, run, files)
  }

  /// The text of the file.
  package var bytes: [UInt8] {
    JSONTree.members([
      ("schema", .text(Self.schema)), ("schema_version", .integer(Self.schemaVersion)),
      ("version", .text(run.version)), ("commit", .cell(TableCell(run.commit))),
      ("arguments", .texts(run.arguments)), ("start", .text(run.start)), ("end", .text(run.end)),
      ("settings", .members(run.settings.map { ($0.name, .text($0.value)) })),
      (
        "seeds",
        .members(run.seeds.map { ($0.report, .integer(Int(clamping: $0.seed))) })
      ),
      ("log", log), ("reports", .list(book.tables.map(Self.report))),
      ("files", .list(files.map(Self.file))),
    ]).bytes()
  }

  private var log: JSONTree {
    let log = replay.log
    return .members([
      ("id", .cell(TableCell(log.id?.description))), ("sha256", .text(run.logDigest)),
      ("bytes", .integer(Int(clamping: log.byteCount))), ("first_position", .integer(0)),
      ("end_position", .integer(Int(clamping: log.eventCount))),
      ("earliest", .cell(TableCell(log.earliest?.description))),
      ("latest", .cell(TableCell(log.latest?.description))),
      ("events_lost", .integer(Int(clamping: log.lostEventCount))),
      ("losses", .texts(log.losses.map(\.description))),
    ])
  }

  /// Returns the parameters of a table, which are notes that are texts, and its counts, which are the others.
  private static func report(_ table: Table) -> JSONTree {
    var (settings, counts): ([JSONTree.Member], [JSONTree.Member]) = ([], [])
    for note in table.notes {
      if case .text = note.value {
        settings.append(.init(note.name, .cell(note.value)))
      } else {
        counts.append(.init(note.name, .cell(note.value)))
      }
    }
    return .members([
      ("table", .text(table.name)), ("rows", .integer(table.rows.count)),
      ("settings", .object(settings)), ("counts", .object(counts)),
    ])
  }

  private static func file(_ file: File) -> JSONTree {
    .members([
      ("path", .text(file.path)), ("bytes", .integer(file.byteCount)),
      ("sha256", .text(file.digest)),
    ])
  }
}
