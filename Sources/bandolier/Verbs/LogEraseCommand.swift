import ArgumentParser
import EventLog
import Events
import Tables

struct LogEraseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase the events of units, or those before a time, for good.",
    usage: "bandolier log erase <log> [<options>]",
    discussion: """
      Of an erased event only its position stays: positions are never given to another event. Names that no \
      other event uses go with it, and so does everything in the quarantine. That it happened is noted in \
      the log (see `bandolier log info`), without saying of whom. The log no longer knows the ids of erased \
      events: importing them again brings them back. What was made from the log before still has them: backups \
      and copies, exports, databases of `replay --into` and reports are yours to find (those that can be seen in \
      and beside the folder of the log are named; make databases anew), and so is what symbolic links lead to. The \
      file system may keep old bytes until it writes others over them.

      When it is interrupted, the same command again does the rest.
      """)

  @OptionGroup var log: LogArgument

  @Option(help: ArgumentHelp("Events of this unit; may be repeated.", valueName: "unit"))
  var unit: [String] = []

  @Option(
    help: ArgumentHelp("Events before this time.", valueName: "time"),
    transform: OptionValue.time)
  var before: Timestamp?

  @Flag(help: "Say what would be erased, and change nothing.")
  var dryRun = false

  @OptionGroup var progress: ProgressOptions

  func validate() throws {
    guard !unit.isEmpty || before != nil else {
      throw ValidationError("say what to erase: --unit or --before")
    }
    guard !unit.contains("") else {
      throw ValidationError("--unit must not be empty: such events concern everyone")
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
      "note: backups, exports, reports and databases that were made from the log still have what was erased: "
        + "make them anew, or remove them")
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
    var line = progressLine(total: reader.eventCount)
    let summary = try erasure.preview(reader) { line.update(done: Int($0)) }
    line.finish()
    return summary
  }

  private func erase(_ erasure: Erasure) throws -> Erasure.Summary {
    let rewriter = try LogTarget.rewriter(log.log)
    Interrupt.postpone()
    var line = progressLine(total: 2 * (try LogReader(log.log).eventCount))
    let summary = try rewriter.erase(erasure) {
      line.update(done: Int($0))
      try Interrupt.check()
    }
    line.finish()
    return summary
  }

  private func progressLine(total: UInt64) -> Progress {
    Progress.onStandardError(
      label: "erasing", total: Int(total), unit: .count("events"), mode: progress.progress)
  }
}

extension LogEraseCommand: WorkedExamples {
  static let examples = [
    "bandolier import datasets/storefront.jsonl.gz --log shop.log",
    "bandolier log erase shop.log --unit u-1 --dry-run",
    "bandolier log erase shop.log --unit u-1",
  ]
}
