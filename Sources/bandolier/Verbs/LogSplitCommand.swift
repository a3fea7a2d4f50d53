import ArgumentParser
import EventLog
import Reports

struct LogSplitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "split",
    abstract: "Split a log into new logs of which no two share a unit.",
    usage: "bandolier log split <log> --into <n> -o <prefix>",
    discussion: """
      Writes <prefix>-0 to <prefix>-(n-1), each in the order of the log. The shard of a unit depends on its \
      name and n alone. Life-cycle events that concern everyone go to every shard.

      If it is interrupted, run the same command again to start over.
      """)

  enum Part: String, CaseIterable, ExpressibleByArgument {
    case unit
  }

  @OptionGroup var log: LogArgument

  @Option(help: ArgumentHelp("unit: all events of a unit stay together.", valueName: "what"))
  var by: Part = .unit

  @Option(
    help: ArgumentHelp("How many new logs, 1 to 4096.", valueName: "n"),
    transform: OptionValue.integer)
  var into: Int

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folders of the new logs, without -0, -1, ...", valueName: "prefix"),
    completion: .log)
  var output: String

  @OptionGroup var progress: ProgressOptions

  func validate() throws {
    guard LogSplit.shardCounts.contains(into) else {
      throw ValidationError("--into must be 1 to \(LogSplit.shardCounts.upperBound)")
    }
  }

  func run() throws {
    let reader = try log.open()
    let split = LogSplit(shardCount: into)
    let paths = (0..<into).map { "\(output)-\($0)" }
    let counts = try progress.mode.running("splitting", of: reader.eventCount) { update in
      try LogTarget.noteUnfinished(paths)
      return try LogTarget.filling(paths) {
        try split.write(reader, to: paths, holder: LogTarget.holder, progress: update)
      }
    }
    try report(paths, counts)
  }

  /// The number of shards of which each has a line of its own.
  private static let listedCount = 64

  private func report(_ paths: [String], _ counts: [UInt64?]) throws {
    let written = counts.compactMap { $0 }
    if paths.count > Self.listedCount, let least = written.min(), let most = written.max() {
      Message.print(
        "wrote \(written.reduce(0, +)) events to \(written.count) logs, \(least) to \(most) to each: \(paths[0]) to "
          + "\(paths[paths.count - 1])")
      return
    }
    for (path, count) in zip(paths, counts) {
      Message.print(count.map { "wrote \($0) events to \(path)" } ?? "\(path) is already complete")
    }
  }
}

extension LogSplitCommand: WorkedExamples {
  static let examples = [
    #"""
    bandolier log split datasets/storefront.log --into 4 \
      -o shard
    """#,
    "bandolier log info shard-0",
  ]
}
