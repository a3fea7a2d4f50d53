import ArgumentParser
import EventLog
import Glibc
import Projections
import Tables
import Threads

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Bring an SQLite database with the reports' tables up to date with a log.",
    usage: "bandolier replay <log> --into <database> [<options>]",
    discussion: """
      The first time the database is made; later only the log's new events are read. It is one transaction: when it \
      is interrupted, the database is as it was before, and whoever reads it meanwhile sees that. The log is not \
      touched. Reports take the database in place of the log and say the same, with any options but --since, \
      --until, --without-reason, --by and --post-stratify; the reports adaptive and predictions need the log.
      """)

  @OptionGroup var log: LogArgument

  @Option(help: ArgumentHelp("The database; it is made if it is not there.", valueName: "database"))
  var into: String

  @Option(help: "Threads; the result is the same on any number.", transform: OptionValue.positive)
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Memory for the new events of units, such as 500M or 4G; what is beyond goes to a temporary file.",
      valueName: "size"), transform: OptionValue.bytes)
  var memory: Int?

  @Flag(
    help:
      "Make the database anew where it is damaged, of another log or of a newer version, or the file is no database; another program's database is never replaced."
  )
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
        "\(into) lies in the folder of the log, which nothing but its writers may touch; name another place"
      )
    }
    let line = Monitor(
      Progress.onStandardError(
        label: "replaying", total: nil, unit: .count("events"), mode: progress.progress))
    defer { line.withLock { $0.finish() } }
    let update = try ReadModel(into).update(
      from: reader, jobs: jobs, memoryLimit: memory, force: force
    ) { done in line.withLock { $0.update(done: Int(done)) } }
    line.withLock { $0.finish() }
    Message.print("\(into): \(Self.text(update))")
    for name in update.projectionsRebuilt {
      Message.print(
        "\(into): \(name) was computed anew from what the database holds: an older version wrote it"
      )
    }
  }

  private static func text(_ update: ReadModelUpdate) -> String {
    let read = "\(update.eventsRead) events of \(update.unitsTouched) units"
    return switch update.kind {
    case .made: "made from \(read)"
    case .appended: "\(read) added; it has all \(update.position) events now"
    case .unchanged: "up to date with all \(update.position) events; nothing to do"
    case .madeAnew(let reason): "made anew from \(read): \(reason)"
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
  ]
}
