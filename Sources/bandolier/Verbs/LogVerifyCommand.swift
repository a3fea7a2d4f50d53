import ArgumentParser
import EventLog
import Tables

struct LogVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check every byte of a log.",
    discussion: """
      Checks all checksums, of headers, directories and columns, and the order of frames and segments, which finds any \
      corruption by a disk or a copy. --deep also reads every event, and checks that it is valid for its kind, which \
      finds errors of the program that wrote it, and takes hundreds of times as long.

      Exits with 65 if anything is wrong, after printing the file, the byte and the events.
      """)

  @OptionGroup var log: LogArgument
  @Flag(help: "Also read every event.")
  var deep = false

  @OptionGroup var progress: ProgressOptions

  func run() throws {
    // All damage is reported, not only the first that would stop a reader.
    let reader = try log.open(damaged: .skip)
    let result = try progress.mode.showing(
      "verifying", of: reader.byteCount, .bytes, keeping: true
    ) { try reader.verify(deep: deep, progress: $0) }
    let problems = reader.losses.map(\.description) + result.problems.map(\.description)
    for problem in problems { Message.print(problem) }
    guard problems.isEmpty else {
      throw Failure(
        exitCode: Failure.badData,
        "\(log.log): \(AnswerText.count(problems.count, "problem"))"
          + (problems.count == reader.misplaced.count
            ? "; each says how to fix it"
            : "; restore the damaged files from a backup, or drop what is damaged with "
              + "`bandolier log repair`"))
    }
    if try LogFilling.isUnfinished(log.log), !reader.hasWriter {
      throw Failure(
        exitCode: Failure.badData,
        "\(log.log): the log is incomplete: the command that writes it has not finished; run the same "
          + "command again, or remove the folder")
    }
    if let tail = reader.tail, !reader.hasWriter {
      throw Failure(
        exitCode: Failure.badData,
        "\(tail.path), byte \(tail.offset): \(tail.byteCount) bytes behind event "
          + "\(reader.eventCount) are not a frame: a crash left them, or they are damaged; the events before "
          + "them are intact, and the next append or import moves the bytes to the quarantine")
    }
    try checkEnd(of: reader)
    try StandardOutput().append(
      Array("whole: \(result.eventCount) events, \(result.byteCount) bytes\n".utf8))
  }

  /// Says what nothing proves of the end of the log.
  private func checkEnd(of reader: LogReader) throws {
    guard reader.eventCount > 0, !reader.hasWriter else { return }
    switch reader.endProof {
    case .whole: break
    case .missing: Message.print("note: \(LogArgument.unproven(.missing)) whether events are missing at the end")
    case .damaged:
      throw Failure(
        exitCode: Failure.badData,
        "\(log.log): everything else is whole; restore HEAD.0 and HEAD.1 from a backup, or append to the log, which "
          + "writes them again")
    }
  }
}

extension LogVerifyCommand: WorkedExamples {
  static let examples = [
    "bandolier log verify datasets/storefront.log",
    "bandolier log verify datasets/storefront.log --deep",
  ]
}
