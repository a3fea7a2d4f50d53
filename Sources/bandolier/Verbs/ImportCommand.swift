public import ArgumentParser
import EventLog
import Events
public import Interchange
import Statistics
import Tables

extension ImportSession.ErrorPolicy: ExpressibleByArgument {}

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Append other systems' logs, plain or gzip.",
    usage: "bandolier import <input> ... --log <log> [<options>]",
    discussion: """
      Importing is idempotent: the same file again, or a longer version of it, adds only what the log does \
      not have. Events are identified by their id; without one, by their content and how often it occurs in the \
      file: two equal lines of one file are two events.
      """)

  @Argument(help: ArgumentHelp("Files, or - for standard input.", valueName: "input"))
  var inputs: [String]

  @Option(
    help: ArgumentHelp("The folder of the log; created if it does not exist.", valueName: "log"))
  var log: String

  @Option(
    help: ArgumentHelp(
      "\(FormatCatalog.standard.all.map { $0.info.name }.joined(separator: ", ")), or auto (detected from the content); see `bandolier formats`.",
      valueName: "format"))
  var format: String = "auto"

  @Option(
    help: ArgumentHelp(
      "The experiment, where the format has none (default: the file's name without its end).",
      valueName: "name"))
  var experiment: String?

  @Option(
    help: ArgumentHelp("Features of the items, for obd (item_context.csv).", valueName: "file"))
  var items: String?

  @Option(
    help: ArgumentHelp("Invalid records: stop at the first one, or skip them.", valueName: "what"))
  var onError: ImportSession.ErrorPolicy = .stop

  @Option(
    help: ArgumentHelp(
      "Write skipped records to a CSV file: line, byte offset, reason, text.", valueName: "file"))
  var rejects: String?

  @Flag(help: "Replace the file of rejects if it exists.")
  var force = false

  @OptionGroup var progress: ProgressOptions

  func validate() throws {
    if rejects != nil, onError == .stop {
      throw ValidationError("--rejects requires --on-error skip")
    }
  }

  func run() throws {
    let importer = try importer()
    // The first input and the rejects are opened before the log, so that a wrong file name creates no log.
    let first = try importer.open(inputs[0])
    Interrupt.postpone()
    let file = try rejects.map { try AtomicFile(path: $0, force: force) }
    do {
      try run(importer, first, file)
    } catch {
      file?.abandon()
      throw error
    }
  }

  private func importer() throws -> Importer {
    do throws(SpecificationError) {
      var specification = try Specification(parsing: format)
      if let items {
        guard specification["items"] == nil else {
          throw SpecificationError("--items is given twice, and once in --format; keep one")
        }
        specification.parameters.append(.init(key: "items", value: items))
      }
      return try Importer(
        specification, experiment: experiment, waitForInput: Interrupt.waitForInput)
    } catch {
      throw Failure(exitCode: Failure.usage, error.description)
    }
  }

  private func run(_ importer: Importer, _ first: any RecordSource, _ file: AtomicFile?) throws {
    let writer = try LogTarget.open(log)
    let filter = DuplicateFilter(directory: log)
    let reader = try LogReader(log)
    try reader.forEachEvent { record, _ in
      try Interrupt.check()
      try filter.addKnown(record)
    }
    let rejectsWriter = file.map { file in
      RejectsWriter { try file.append($0) }
    }
    let shown = ImportProgress(mode: progress.progress)
    let session = ImportSession(
      filter: filter, onError: onError, rejects: rejectsWriter, progress: { shown.update($0) })
    do {
      for (index, input) in inputs.enumerated() {
        var source = index == 0 ? first : try importer.open(input)
        try session.run(&source, into: LogAppender(writer: writer))
        shown.finish()
      }
    } catch {
      shown.finish()
      try finish(after: error, session, file)
    }
    try file?.commit()
    ImportCommand.report(session.summary)
  }

  /// Finishes the import after an error: what was read before it is stored and reported, then the error is
  /// rethrown.
  private func finish(
    after error: any Error, _ session: ImportSession, _ file: AtomicFile?
  ) throws -> Never {
    try? file?.commit()
    // An error in writing the log says how many of the appended events are stored.
    if !(error is LogError) { ImportCommand.report(session.summary) }
    guard error is Interrupt else { throw error }
    throw Failure(
      exitCode: Failure.interrupted,
      "interrupted; everything before it is stored and will not be stored twice")
  }

  private static func report(_ summary: ImportSummary) {
    Message.print(
      "read \(summary.recordsRead) records, appended \(summary.eventsAppended) events, "
        + "duplicates \(summary.alreadyThere), rejected \(summary.rejected)"
        + (summary.blankLines > 0 ? ", blank lines \(summary.blankLines)" : ""))
    for (category, count) in summary.rejections {
      Message.print("rejected \(count): \(category.rawValue)")
    }
  }
}

/// The log as the destination of an import; an interrupt stops the import between two events.
struct LogAppender: RecordAppender {
  let writer: LogWriter

  func append(_ record: EventRecord) throws {
    try Interrupt.check()
    try writer.append(parsed: record)
  }

  func commit() throws {
    try writer.commit()
  }
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

extension ImportCommand: WorkedExamples {
  static let examples = [
    "bandolier import datasets/storefront.jsonl.gz --log shop.log",
    #"""
    bandolier import datasets/storefront.jsonl.gz --log shop.log \
      --on-error skip --rejects rejects.csv
    """#,
  ]
}
