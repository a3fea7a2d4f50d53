public import ArgumentParser
public import EventLog
import Tables

extension CompressionProfile: ExpressibleByArgument {}

struct LogCompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Write a log anew with full frames: smaller, and faster to read.",
    usage: "bandolier log compact <log> [<options>]",
    discussion: """
      Every event, position and name stays as it is. Files are replaced one by one, each in a single step \
      after it was read back and compared; readers that are at work go on with the files they have.

      Profiles: fast compresses texts only, balanced also columns that shrink by a third or more, small \
      whatever shrinks by 3 % or more.
      """)

  @OptionGroup var log: LogArgument

  @Option(
    help: ArgumentHelp(
      "When columns are compressed with DEFLATE (default: as they were).", valueName: "profile"))
  var profile: CompressionProfile?

  @OptionGroup var progress: ProgressOptions

  func run() throws {
    let rewriter = try LogTarget.rewriter(log.log)
    let events = try LogReader(log.log).eventCount
    Interrupt.postpone()
    var line = Progress.onStandardError(
      label: "compacting", total: Int(events), unit: .count("events"), mode: progress.progress)
    let summary = try rewriter.compact(profile: profile) {
      line.update(done: Int($0))
      try Interrupt.check()
    }
    line.finish()
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
