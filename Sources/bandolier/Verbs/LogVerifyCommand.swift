import ArgumentParser
import EventLog
import Tables

struct LogVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check every byte of a log.",
    discussion: """
      Checks the checksums of everything: headers, directories and columns, and how they follow each other. That \
      finds whatever a disk or a copy did to the log. --deep then reads back every event as well, and checks \
      that it says what its kind must say: that would find a mistake of the program that wrote it, and takes \
      hundreds of times as long.

      Exits with 65 when anything is wrong, after naming the file, the byte and the events.
      """)

  @OptionGroup var log: LogArgument
  @Flag(help: "Read every event back as well.")
  var deep = false

  @OptionGroup var progress: ProgressOptions

  func run() throws {
    // All damage is reported, not only the first that would stop a reader.
    let reader = try log.open(damaged: .skip)
    var line = Progress.onStandardError(
      label: "verifying", total: Int(reader.byteCount), unit: .bytes, mode: progress.progress)
    let result = try reader.verify(deep: deep) { line.update(done: Int($0)) }
    line.finish(keeping: true)
    let problems = reader.losses.map(\.description) + result.problems.map(\.description)
    for problem in problems { Message.print(problem) }
    guard problems.isEmpty else {
      throw Failure(
        exitCode: Failure.badData,
        "\(log.log): \(problems.count) problems"
          + (problems.count == reader.misplaced.count
            ? "; what to do is said with each"
            : "; take the damaged files from a backup, or give up what is damaged with "
              + "`bandolier log repair`"))
    }
    if try LogFilling.isUnfinished(log.log), !reader.hasWriter {
      throw Failure(
        exitCode: Failure.badData,
        "\(log.log): it is only a part: what fills it has not ended; run the same command again, or "
          + "remove the folder")
    }
    if let tail = reader.tail, !reader.hasWriter {
      throw Failure(
        exitCode: Failure.badData,
        "\(tail.path), byte \(tail.offset): \(tail.byteCount) bytes behind event "
          + "\(reader.eventCount) are no frame: a crash left them, or they are damaged; the events before "
          + "are whole, and the next append or import sets the bytes aside")
    }
    try StandardOutput().append(
      Array("whole: \(result.eventCount) events, \(result.byteCount) bytes\n".utf8))
  }
}

extension LogVerifyCommand: WorkedExamples {
  static let examples = [
    "bandolier log verify datasets/storefront.log",
    "bandolier log verify datasets/storefront.log --deep",
  ]
}
