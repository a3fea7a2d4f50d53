import EventLog
import Events
import Interchange
import Tables

/// One run of the verb `import`: all inputs, into a log or as a preview.
struct ImportRun {
  let importer: Importer
  let paths: [String]
  let onError: ImportSession.ErrorPolicy
  let keepsPlaceholders: Bool
  let rejects: AtomicFile?
  /// Whether files that were imported with other settings add their events again.
  var again = false
  private let shown: ImportProgress

  init(
    importer: Importer, paths: [String], onError: ImportSession.ErrorPolicy,
    keepsPlaceholders: Bool, rejects: AtomicFile?, progress: ProgressMode
  ) {
    (self.importer, self.paths, self.onError) = (importer, paths, onError)
    self.keepsPlaceholders = keepsPlaceholders
    self.rejects = rejects
    shown = ImportProgress(mode: progress)
  }

  /// An input that is open.
  struct Input {
    var source: any RecordSource
    var content: ContentRecorder
    /// The beginning of the file that was imported before.
    var beginning: ImportHistory.Beginning?
  }

  /// Appends the events of all inputs, of which the first is open, to a log.
  func append(_ first: Input, to log: String, seed: UInt64?, _ notes: ImportNotes) throws {
    let target = try ImportTarget(log, seed: seed)
    let filter = DuplicateFilter(directory: target.folderForTemporaryFiles)
    let session = session(filter)
    defer { notes.write() }
    var knowsLog = false
    try run(session) { index, path in
      if let file = notes.find(path, importer) {
        session.skip(file)
        return Message.print("\(path): imported before, and unchanged since")
      }
      if !knowsLog { try Self.addKnown(of: target, to: filter) }
      knowsLog = true
      if !again { try refuse(path, like: notes.findOthers(path, importer), filter) }
      var input = index == 0 ? first : try notes.open(path, importer)
      let start = session.summary
      let position = target.eventCount
      // Others may have written since it was opened.
      if let known = input.beginning, !known.file.canGoOn(at: position) { input.beginning = nil }
      if try session.run(&input.source, after: input.beginning, into: target), let known = input.beginning {
        Message.print("\(path): imported before up to line \(known.lineCount), and read from there on")
      }
      if path == "-" { warn(of: input.content, session.summary, start, notes) }
      notes.add(path, importer, input, since: start, session, at: position)
    }
    try refuseIfNothingFits(session.summary)
    try target.create()
  }

  /// Throws if a file that was imported with other settings would add events of the kinds that it had then, which would
  /// be in the log twice.
  private func refuse(
    _ path: String, like files: [ImportHistory.File], _ filter: DuplicateFilter
  ) throws {
    guard !files.isEmpty else { return }
    var silent = importer
    silent.onRecognized = { _, _ in }
    silent.onLeftOut = { _, _ in }
    var source = try silent.open(path)
    let trial = try ImportSession.preview(&source, filter)
    guard trial.eventsAppended > 0,
      let file = files.last(where: { $0.mayHaveHad(kinds: trial.kindsAppended) })
    else { return }
    throw Failure(
      exitCode: Failure.badData,
      "\(path): the log has the content of this file from an import with other settings"
        + difference(file, path)
        + "; now it would add \(trial.eventsAppended) events beside those, "
        + "which would count twice: import the files of this log again into a new log, or add the events on purpose "
        + "with --again (bandolier log erase cannot take them back: it erases units, or all events before a time)"
    )
  }

  /// Returns the settings that an earlier import and this one do not have in common.
  private func difference(_ file: ImportHistory.File, _ path: String) -> String {
    guard let settings = importer.settings(of: path) else { return "" }
    let before = file.settings(besides: settings).prefix(5)
    return before.isEmpty ? "" : " (\(before.joined(separator: " ")))"
  }

  /// Says that standard input, which is known only once it was read, had the content of an earlier import.
  private func warn(
    of content: ContentRecorder, _ summary: ImportSummary, _ start: ImportSummary,
    _ notes: ImportNotes
  ) {
    let count = summary.eventsAppended - start.eventsAppended
    guard count > 0, !again,
      let file = notes.findOthers(content, importer).last(where: {
        $0.mayHaveHad(kinds: summary.kindsAppended)
      })
    else { return }
    Message.print(
      "warning: standard input has the content of an earlier import with other settings"
        + difference(file, "-") + ": \(count) events were added beside those and count twice; "
        + "import into a new log to have only the right ones")
  }

  private static func addKnown(of target: ImportTarget, to filter: DuplicateFilter) throws {
    try target.forEachEvent { record in
      try Interrupt.check()
      try filter.addKnown(record)
    }
  }

  /// Prints the events of the first records, and what the import into a log would say; without a log, what one into a
  /// new log would say.
  func preview(_ first: any RecordSource, to log: String?) throws {
    let filter = DuplicateFilter(directory: ".")
    if let log, LogTarget.exists(log) {
      try LogReader(log).forEachEvent { record, _ in
        try Interrupt.check()
        try filter.addKnown(record)
      }
    }
    let session = session(filter)
    let preview = ImportPreview()
    try run(session, isPreview: true) { index, path in
      var source = index == 0 ? first : try importer.open(path)
      try session.run(&source, into: preview)
    }
    Message.print("nothing was imported (--dry-run)")
    try refuseIfNothingFits(session.summary)
  }

  private func session(_ filter: DuplicateFilter) -> ImportSession {
    let writer = rejects.map { file in RejectsWriter { try file.append($0) } }
    return ImportSession(
      filter: filter, onError: onError, rejects: writer, keepsPlaceholders: keepsPlaceholders,
      progress: { [shown] in shown.update($0) })
  }

  /// Imports each input, then reports what was done.
  private func run(
    _ session: ImportSession, isPreview: Bool = false, _ body: (Int, String) throws -> Void
  ) throws {
    do {
      for (index, path) in paths.enumerated() {
        try body(index, path)
        shown.finish()
      }
    } catch {
      shown.finish()
      try finish(after: error, session, isPreview: isPreview)
    }
    try rejects?.commit()
    report(session.summary, isPreview: isPreview)
  }

  /// Finishes the import after an error: what was read before it is stored and reported, then the error is
  /// rethrown.
  private func finish(
    after error: any Error, _ session: ImportSession, isPreview: Bool
  ) throws -> Never {
    try? rejects?.commit()
    // An error in writing the log says how many of the appended events are stored, and without a record there is
    // nothing to report.
    if !(error is LogError), session.summary.recordsRead > 0 {
      report(session.summary, isPreview: isPreview)
    }
    guard error is Interrupt else { throw error }
    throw Failure(
      exitCode: Failure.interrupted,
      "interrupted; everything before it is stored and will not be stored twice")
  }

  /// Throws if all records were skipped, or none has what the mapping names as time or unit, which is no import.
  private func refuseIfNothingFits(_ summary: ImportSummary) throws {
    guard summary.eventCount == 0, summary.recordsRead > 0 else { return }
    guard summary.rejected > 0 else {
      let needed = (importer.mapping?.entries ?? []).filter { $0.hasPrefix("time=") || $0.hasPrefix("unit=") }
        .map { String($0.dropFirst("time=".count)) }
      guard let name = needed.first(where: summary.absentFields.contains) else { return }
      throw Failure(
        exitCode: Failure.badData,
        "nothing is imported, because no record has a content for \(name); --suggest shows what the records have, and "
          + "records within an object are taken out as jq -c '.data[]' does")
    }
    let (category, count) = summary.rejections.max { $0.count < $1.count } ?? (.event, 0)
    throw Failure(
      exitCode: Failure.badData,
      "no record was valid: \(count) of \(summary.recordsRead) were rejected as \(category.rawValue); check --format "
        + "and --map, or see the first reasons with "
        + (category.isExpected ? "--rejects FILE" : "--on-error stop"))
  }

  /// Returns the texts that stood in place of units, and how to keep them.
  private static func placeholders(_ summary: ImportSummary, _ count: Int64) -> String {
    let found = summary.placeholders
    var names = found.prefix(5).map { "\($0.unit.isEmpty ? "empty" : $0.unit) \($0.count)" }
    let others = found.prefix(5).reduce(count) { $0 - $1.count }
    if others > 0 { names.append("others \(others)") }
    let canKeep = found.contains { !$0.unit.isEmpty }
    return " (\(names.joined(separator: ", ")))"
      + (canKeep ? "; --keep-placeholder-units keeps those that are not empty" : "")
  }

  /// The name of the experiment of a table that names none; nil for other inputs, or several.
  private var nameOfExperiment: String? {
    guard paths.count == 1, importer.experiment == nil, let mapping = importer.mapping,
      !mapping.entries.contains(where: { $0.hasPrefix("experiment") })
    else { return nil }
    return ImportInput.stem(paths[0])
  }

  private func report(_ summary: ImportSummary, isPreview: Bool) {
    let appended = isPreview ? "would append" : "appended"
    Message.print(
      "read \(summary.recordsRead) records, \(appended) \(summary.eventsAppended) events, "
        + "duplicates \(summary.alreadyThere)"
        + Message.refused(Int(summary.refused))
        + ", rejected \(summary.rejected)"
        + (summary.blankLines > 0 ? ", blank lines \(summary.blankLines)" : ""))
    for (kind, count) in summary.ignored {
      let why = kind == MappedReader.ignored ? importer.mapping.map { ": \($0.conditions)" } : nil
      Message.print("ignored \(count): \(kind)\(why ?? "")")
    }
    for (category, count) in summary.rejections {
      let units = category == .placeholder ? Self.placeholders(summary, count) : ""
      Message.print("rejected \(count): \(category.rawValue)\(units)")
    }
    if rejects != nil, summary.rejected > 0, let name = nameOfExperiment {
      Message.print(
        "the experiment has the name of the file: import the corrected rejects with --experiment \(name)"
      )
    }
    if summary.recordsRead > 0, !summary.absentFields.isEmpty {
      let names = summary.absentFields.joined(separator: ", ")
      Message.print("no record has a content for \(names), which the mapping names")
    }
    for finding in summary.quality.findings {
      Message.print("quality \(finding.count): \(finding)")
    }
  }
}

/// The log as the destination of an import, which is created with the first event, so that an import without any leaves
/// no log behind. An interrupt stops the import between two events.
private final class ImportTarget: RecordAppender {
  private let path: String
  private let seed: UInt64?
  private var writer: LogWriter?
  private var isInterrupted = false

  init(_ path: String, seed: UInt64?) throws {
    self.path = path
    self.seed = seed
    if LogTarget.exists(path) { writer = try LogTarget.open(path, seed: seed) }
  }

  /// The folder of the log, or, before there is one, the one that it will be in.
  var folderForTemporaryFiles: String {
    if writer != nil { return path }
    let parts = path.split(separator: "/", omittingEmptySubsequences: true).dropLast()
    let folder = (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    return folder.isEmpty ? "." : folder
  }

  /// The number of events of the log.
  var eventCount: UInt64 { writer?.nextPosition ?? 0 }

  func forEachEvent(_ body: (EventRecord) throws -> Void) throws {
    guard writer != nil else { return }
    try LogReader(path).forEachEvent { record, _ in try body(record) }
  }

  /// Creates the log, unless there is one.
  func create() throws { _ = try opened() }

  func append(_ record: EventRecord) throws {
    try Interrupt.check()
    try opened().append(parsed: record)
  }

  func append(_ records: [EventRecord], at indices: [Int]) throws {
    if isInterrupted { throw Interrupt() }
    try opened().append(parsed: records, at: indices)
    // What was read before an interrupt is stored, and what is read after it is not.
    isInterrupted = Interrupt.isNoted
  }

  func commit() throws { try writer?.commit() }

  private func opened() throws -> LogWriter {
    if let writer { return writer }
    let opened = try LogTarget.open(path, seed: seed)
    writer = opened
    return opened
  }
}

/// Prints the first events as JSON Lines.
private final class ImportPreview: RecordAppender {
  private static let eventCount = 10
  private var printed = 0

  func append(_ record: EventRecord) throws {
    try Interrupt.check()
    guard printed < Self.eventCount else { return }
    printed += 1
    var line: [UInt8] = []
    JSONLines.append(record, to: &line)
    print(String(decoding: line, as: UTF8.self), terminator: "")
  }

  func commit() {}
}

/// The progress lines, one for each input in turn.
private final class ImportProgress {
  private let mode: ProgressMode
  private var current: (name: String, line: Progress)?

  init(mode: ProgressMode) {
    self.mode = mode
  }

  func update(_ progress: ImportSession.Progress) {
    if current?.name != progress.name {
      finish()
      let total = progress.source.totalFileBytes.map { Int($0) }
      current = (
        progress.name,
        Progress.onStandardError(
          label: "importing \(progress.name)", total: total, unit: .bytes, mode: mode)
      )
    }
    current?.line.update(done: Int(progress.source.fileBytes))
  }

  func finish() {
    current?.line.finish()
    current = nil
  }
}
