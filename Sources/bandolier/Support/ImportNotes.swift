import EventLog
import Interchange
import Tables

/// The files that were imported into a log to their end, noted in the log's folder, so that importing one of them again
/// only takes comparing it.
final class ImportNotes {
  private let log: String
  private let isKeeping: Bool
  private var files: ImportHistory
  private typealias Added = (
    input: ImportRun.Input, settings: String, counts: ImportHistory.Counts, kinds: UInt32,
    lacksIDs: Bool, onlyCount: UInt64?
  )
  private var added: [Added] = []

  /// Reads the notes of a log; none if there are none, or they cannot be read.
  ///
  /// - Parameters:
  ///   - log: The folder of the log.
  ///   - isKeeping: Whether files are added. Their digests have a random key and depend on the names of the files, so
  ///     the folders of two logs with the same events differ.
  init(_ log: String, isKeeping: Bool = true) {
    self.log = log
    self.isKeeping = isKeeping
    // Larger notes are not written.
    let bytes = try? LogReader.contents(of: LogReader.importsName, in: log, limit: 16 << 20)
    files = bytes.flatMap { ImportHistory($0) } ?? ImportHistory()
  }

  /// Opens an input, and records its content.
  func open(_ path: String, _ importer: Importer) throws -> ImportRun.Input {
    let beginning = lookUp(path, importer) { $0.findBeginning(path, settings: $1, in: $2) }
    let content = ContentRecorder(files, after: beginning)
    return ImportRun.Input(
      source: try importer.open(path, recorder: content), content: content, beginning: beginning)
  }

  /// Returns the earlier import of a file whose events the log still has; nil if there was none.
  func find(_ path: String, _ importer: Importer) -> ImportHistory.File? {
    lookUp(path, importer) { $0.find(path, settings: $1, in: $2) }
  }

  /// Returns the earlier imports of a file's content, or of its beginning, with another format or mapping.
  func findOthers(_ path: String, _ importer: Importer) -> [ImportHistory.File] {
    lookUp(path, importer) { $0.findOthers(path, settings: $1, in: $2) } ?? []
  }

  /// Returns the earlier imports, with another format or mapping, of an input that was read to its end.
  func findOthers(_ content: ContentRecorder, _ importer: Importer) -> [ImportHistory.File] {
    lookUp("-", importer) { $0.findOthers(content, settings: $1, in: $2) } ?? []
  }

  private func lookUp<Found>(
    _ path: String, _ importer: Importer, _ body: (ImportHistory, String, LogReader) -> Found?
  ) -> Found? {
    guard let settings = importer.settings(of: path), !files.isEmpty,
      let reader = try? LogReader(log)
    else { return nil }
    return body(files, settings, reader)
  }

  /// Adds a file whose events are in the log.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - importer: The importer, with its settings.
  ///   - input: The input, read to its end.
  ///   - start: The summary before it was read.
  ///   - session: The session that read it.
  ///   - position: The number of events of the log before.
  func add(
    _ path: String, _ importer: Importer, _ input: ImportRun.Input, since start: ImportSummary,
    _ session: ImportSession, at position: UInt64
  ) {
    guard isKeeping, let settings = importer.settings(of: path), input.content.hasAll(of: path)
    else { return }
    let (summary, known) = (session.summary, input.beginning)
    let appended = UInt64(summary.eventsAppended - start.eventsAppended)
    added.append(
      (
        input, settings, session.counts(since: start), summary.kinds,
        summary.lacksIDs || known?.rest == .only,
        position == (known?.rest == .only ? known?.position : 0) ? position + appended : nil
      ))
  }

  /// Writes the notes, if there are new ones, after all events of the import are durable.
  func write() {
    // An import that failed before its first event has made no log.
    guard !added.isEmpty, LogReader.isLog(log) else { return }
    do {
      let reader = try LogReader(log)
      for file in added {
        let rest: ImportHistory.Rest? =
          !file.lacksIDs ? .ids : file.onlyCount == reader.eventCount ? .only : nil
        files.add(
          file.input.content, settings: file.settings, file.counts, kinds: file.kinds, rest: rest,
          in: reader)
      }
      try reader.replaceFile(LogReader.importsName, by: files.bytes)
    } catch {
      Message.print("note: the next import of the same files will read them again: \(error)")
    }
  }
}
