import ArgumentParser
import EventLog
import Events
import Platform
import Projections
import Reports

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Update an SQLite database with the tables of reports from a log.",
    usage: "bandolier replay <log> --into <database> [<options>]",
    discussion: """
      The first run creates the database; later runs read only the new events of the log. Each run is one \
      transaction: if it is interrupted, the database is unchanged, and readers see the old state until it ends. The \
      log is not changed. Reports take the database instead of the log and give the same results, with any options \
      but --since, --until, --without-reason, --by and --post-stratify, and analysis files without dimensions, since \
      and until. Choices and their probabilities are not stored: adaptive, predictions, evaluate and learn need the \
      log, and where these test the sample ratio, compare and decisions say so and decide nothing.
      """)

  @OptionGroup var log: LogArgument

  @Option(
    help: ArgumentHelp("The database; created if it does not exist.", valueName: "database"),
    completion: .logOrDatabase)
  var into: String

  @Option(
    help: ArgumentHelp(
      "Time zone of the days of the tables, such as Europe/Madrid (default: that of the database; of a new one, UTC).",
      valueName: "zone"), transform: OptionValue.timeZone)
  var timeZone: DayCalendar?

  @Option(
    help: "Number of threads; the result does not depend on it (default: all processors).",
    transform: OptionValue.positive)
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Memory limit for the new events of units, such as 500M or 4G; events beyond it spill to disk.",
      valueName: "size"), transform: OptionValue.memoryLimit)
  var memory: Int?

  @Flag(
    help: ArgumentHelp(
      "Rebuild the database if it is damaged, of another log or of a newer version, or if the file is not a database; "
        + "another program's database is never replaced."))
  var force = false

  @OptionGroup var progress: ProgressOptions

  func validate() throws {
    if into.isEmpty { throw ValidationError("--into needs the path of a database") }
  }

  func run() throws {
    let reader = try log.open()
    guard !isInside(reader.path) else {
      throw Failure(
        exitCode: Failure.usage,
        "\(into) is in the folder of the log, which is reserved for the files of the log; name another folder"
      )
    }
    let update = try progress.mode.showing("replaying", of: nil) {
      try ReadModel(into, reports: Bandolier.reports, calendar: timeZone).update(
        from: reader, jobs: jobs, memoryLimit: memory, force: force, progress: $0)
    }
    Message.print("\(into): \(Self.text(update))")
    for name in update.projectionsRebuilt {
      Message.print(
        "\(into): \(name) was recomputed from the database, which had it of an older version or time zone"
      )
    }
  }

  private static func text(_ update: ReadModelUpdate) -> String {
    let read = "\(update.eventsRead) events of \(update.unitsTouched) units"
    return switch update.kind {
    case .made: "created from \(read)"
    case .appended: "\(read) added; it now has all \(update.position) events"
    case .unchanged: "up to date with all \(update.position) events; nothing to do"
    case .madeAnew(let reason): "rebuilt from \(read): \(reason)"
    }
  }

  /// Returns whether the database would be inside the folder.
  private func isInside(_ folder: String) -> Bool {
    let parent = into.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let place = parent.isEmpty ? "." : parent == [""] ? "/" : parent.joined(separator: "/")
    guard let first = Self.resolved(place), let second = Self.resolved(folder) else { return false }
    return first == second
  }

  private static func resolved(_ path: String) -> String? {
    // Safety: the call returns a terminated text that is ours to free, or null.
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}

extension ReplayCommand: WorkedExamples {
  static let examples = [
    "bandolier replay datasets/storefront.log --into shop.sqlite",
    "bandolier report rewards shop.sqlite",
    #"""
    bandolier replay datasets/storefront.log --into shop.sqlite \
      --time-zone Europe/Madrid
    """#,
  ]
}
