import ArgumentParser
import EventLog

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
    let summary = try progress.mode.running("merging", of: merge.eventCount) { update in
      let writer = try LogTarget.fill(output, seed: merge.seed)
      return try LogTarget.filling([output]) {
        try merge.write(to: writer, temporaryFolder: output, progress: update)
      }
    }
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
