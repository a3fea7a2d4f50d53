public import ArgumentParser
public import EventLog

extension CompressionProfile: ExpressibleByArgument {}

struct LogCompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Rewrite a log with full frames: smaller, and faster to read.",
    usage: "bandolier log compact <log> [<options>]",
    discussion: """
      Events, positions and names do not change. Files are replaced one by one, each atomically after it was read back \
      and compared; open readers continue with the old files.

      Profiles: fast compresses texts only, balanced also columns that shrink by a third or more, small \
      all that shrink by 3 % or more.
      """)

  @OptionGroup var log: LogArgument

  @Option(
    help: ArgumentHelp(
      "Which columns are compressed with DEFLATE (default: as before).",
      valueName: "profile"))
  var profile: CompressionProfile?

  @OptionGroup var progress: ProgressOptions

  func run() throws {
    let rewriter = try LogTarget.rewriter(log.log)
    let events = try LogReader(log.log).eventCount
    let summary = try progress.mode.running("compacting", of: events) {
      try rewriter.compact(profile: profile, progress: $0)
    }
    Message.print(
      "compacted \(events) events in \(summary.segments) segments: \(summary.bytesBefore) bytes before, "
        + "\(summary.bytesAfter) now")
  }
}

extension LogCompactCommand: WorkedExamples {
  static let examples = [
    "bandolier import datasets/storefront.jsonl.gz --log shop.log",
    "bandolier log compact shop.log --profile small",
  ]
}
