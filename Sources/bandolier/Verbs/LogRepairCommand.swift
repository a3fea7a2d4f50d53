import ArgumentParser
import EventLog

struct LogRepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Drop the damaged parts of a log, so that it can be read and written again.",
    usage: "bandolier log repair <log> [<options>]",
    discussion: """
      If there is a backup of the damaged files, restore it instead. Events that cannot be read are dropped; their \
      positions remain, and are listed. Everything else is unchanged: before a file is replaced, the repaired log is \
      read completely, and compared with what could be read before. Misplaced files get their names back, or are \
      moved to the quarantine. Nothing is deleted: every file that is rewritten, and what a crash left, is first \
      copied to the folder quarantine in the log.

      If it is interrupted, run the same command again to finish.
      """)

  @OptionGroup var log: LogArgument

  @Flag(
    help: ArgumentHelp(
      "Accept earlier versions of segments, from before some of their events were erased.",
      discussion: "What was erased since must then be erased again."))
  var acceptEarlier = false

  @Flag(help: "Print what would be done, without changing anything.")
  var dryRun = false

  @OptionGroup var progress: ProgressOptions

  func run() throws {
    let repair = try progress.mode.running("reading", of: nil) {
      try LogRepair(log.log, acceptingEarlier: acceptEarlier, progress: $0)
    }
    let summary =
      dryRun
      ? repair.preview
      : try progress.mode.running("repairing", of: nil) {
        try repair.run(holder: LogTarget.holder, progress: $0)
      }
    for loss in summary.losses { Message.print("lost: \(loss)") }
    tell(summary)
    guard !dryRun else { return tellTail() }
    // Opening a log for writing sets aside the torn tail that a crash left after the last frame.
    _ = try LogTarget.open(log.log)
  }

  private func tell(_ summary: LogRepair.Summary) {
    guard !summary.losses.isEmpty else { return Message.print("nothing is damaged") }
    for path in summary.rewritten {
      Message.print("\(dryRun ? "would rewrite" : "rewrote") \(path)")
    }
    for path in summary.leftOut {
      Message.print("\(dryRun ? "would put" : "put") \(path) aside")
    }
    for (path, newPath) in summary.renamed {
      Message.print("\(dryRun ? "would rename" : "renamed") \(path) to \(newPath)")
    }
    for path in summary.quarantined { Message.print("kept what was there as \(path)") }
    Message.print("\(dryRun ? "would give up" : "gave up") \(summary.lostEvents) events")
  }

  private func tellTail() {
    guard let reader = try? LogReader(log.log, damaged: .skip), let tail = reader.tail else {
      return
    }
    Message.print(
      "would move \(tail.byteCount) bytes at byte \(tail.offset) of \(tail.path), which were never "
        + "acknowledged")
  }
}

extension LogRepairCommand: WorkedExamples {
  static let examples = [
    "bandolier import datasets/storefront.jsonl.gz --log shop.log",
    "bandolier log repair shop.log --dry-run",
    "bandolier log repair shop.log",
  ]
}
