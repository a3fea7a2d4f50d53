import ArgumentParser
import EventLog
import Events
import Reports

struct LogEraseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase the events of units, or those before a time, for good.",
    usage: "bandolier log erase <log> [<options>]",
    discussion: """
      Only the positions of erased events remain, which are never reused. Names that no other event uses are erased \
      too, and so is everything in the quarantine. The log records that events were erased (see `bandolier log \
      info`), but not whose. It no longer has the ids of erased events, so importing them again brings them back. \
      Backups, exports, databases of `replay --into` and reports that were made before still contain them: find and \
      recreate or remove them (those in and beside the folder of the log are listed). A log with a symbolic link in \
      its folder is refused, because what the link points to would stay: replace the link by the file first. The file \
      system may keep old bytes until it overwrites them.

      If it is interrupted, run the same command again to finish.
      """)

  @OptionGroup var log: LogArgument

  @Option(help: ArgumentHelp("Events of this unit; may be repeated.", valueName: "unit"))
  var unit: [String] = []

  @Option(
    help: ArgumentHelp("Events before this time.", valueName: "time"),
    transform: OptionValue.time)
  var before: Timestamp?

  @Flag(help: "Print what would be erased, without changing anything.")
  var dryRun = false

  @OptionGroup var progress: ProgressOptions

  func validate() throws {
    guard !unit.isEmpty || before != nil else {
      throw ValidationError("nothing to erase is given; use --unit or --before")
    }
    guard !unit.contains("") else {
      throw ValidationError("--unit must not be empty: events without a unit concern everyone")
    }
  }

  func run() throws {
    try noteUnknown()
    let erasure = Erasure(units: unit, before: before)
    let remains = try ErasureRemains.find(around: log.log)
    let summary = dryRun ? try preview(erasure) : try erase(erasure)
    Message.print(
      "\(dryRun ? "would erase" : "erased") \(summary.events) events and \(summary.names) names in "
        + "\(summary.rewritten.segments) segments"
        + (dryRun ? "" : ", removed \(summary.quarantined) files from the quarantine"))
    if summary.mentions > 0 {
      Message.print(
        "note: \(summary.mentions) names that other events use are the same text as an erased unit; they "
          + "stay")
    }
    guard summary.events > 0 || !remains.isEmpty else { return }
    Message.print(
      "note: backups, exports, reports and databases made from the log still contain the erased events: "
        + "recreate or remove them")
    for file in remains { Message.print("note: not reached: \(file)") }
  }

  /// Prints a note about units without events. This is not an error: they may have been erased before.
  private func noteUnknown() throws {
    let reader = try LogReader(log.log)
    let unknown = try UnknownUnits(unit, of: reader)
    for name in unknown.names { Message.print("warning: \(try unknown.message(name))") }
    if let before, let earliest = reader.earliest, before <= earliest {
      Message.print(
        "warning: --before \(before) is not after the first event; \(LogCoverage(reader).text)")
    }
  }

  private func preview(_ erasure: Erasure) throws -> Erasure.Summary {
    let reader = try log.open()
    return try progress.mode.showing("erasing", of: reader.eventCount) {
      try erasure.preview(reader, progress: $0)
    }
  }

  private func erase(_ erasure: Erasure) throws -> Erasure.Summary {
    let rewriter = try LogTarget.rewriter(log.log)
    let total = 2 * (try LogReader(log.log).eventCount)
    return try progress.mode.running("erasing", of: total) {
      try rewriter.erase(erasure, progress: $0)
    }
  }
}

extension LogEraseCommand: WorkedExamples {
  static let examples = [
    "bandolier import datasets/storefront.jsonl.gz --log shop.log",
    "bandolier log erase shop.log --unit u-1 --dry-run",
    "bandolier log erase shop.log --unit u-1",
  ]
}
