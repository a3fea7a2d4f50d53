import ArgumentParser
import EventLog
import Tables

struct LogMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge several logs into a new one, ordered by event time.",
    usage: "bandolier log merge <log> ... -o <log> [<options>]",
    discussion: """
      Of events with the same id the first is kept; events without id are all kept. At equal times events \
      are ordered by the id of their log, then by their position, so the order of the arguments does \
      not matter: the same logs give the same bytes.

      If it is interrupted, run the same command again to start over.
      """)

  @Argument(help: ArgumentHelp("The folders of the logs.", valueName: "log"), completion: .log)
  var logs: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folder of the new log; it must hold no events.", valueName: "log"),
    completion: .log)
  var output: String

  @OptionGroup var progress: ProgressOptions

  func run() throws {
    let merge = try LogMerge(try logs.map { try LogArgument.open($0) })
    Interrupt.postpone()
    let writer = try LogTarget.fill(output, seed: merge.seed)
    var line = Progress.onStandardError(
      label: "merging", total: Int(merge.eventCount), unit: .count("events"),
      mode: progress.progress)
    let summary = try LogTarget.filling([output]) {
      try merge.write(to: writer, temporaryFolder: output) {
        line.update(done: Int($0))
        try Interrupt.check()
      }
    }
    line.finish()
    Message.print(
      "wrote \(summary.written) events to \(output), skipped \(summary.duplicates) duplicates"
        + (summary.differing > 0
          ? "; \(summary.differing) have the id of another event with other content and are kept"
          : ""))
  }
}

extension LogMergeCommand: WorkedExamples {
  static let examples = [
    #"""
    bandolier generate storefront --events 500 --seed 1 \
      --log phone.log
    """#,
    #"""
    bandolier log merge phone.log datasets/storefront.log \
      -o all.log
    """#,
  ]
}
