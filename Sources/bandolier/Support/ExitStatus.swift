/// The exit statuses of the command and their meanings, by number.
enum ExitStatus {
  static let all: [(status: Int32, meaning: String)] = [
    (0, "done"),
    (Failure.checkFailed, "a check named by --fail-on failed, after the report was written"),
    (Failure.usage, "usage error"),
    (Failure.badData, "invalid or damaged data"),
    (Failure.inputMissing, "an input does not exist"),
    (Failure.cannotCreate, "an output cannot be created"),
    (Failure.inputOutput, "input/output error"),
    (Failure.locked, "the log is locked by another writer"),
    (Failure.interrupted, "interrupted"),
    (Failure.brokenPipe, "the pipe was closed"),
  ]

  /// The statuses in one sentence.
  static var sentence: String {
    "Exit codes: " + all.map { "\($0.status) \($0.meaning)" }.joined(separator: "; ") + "."
  }
}
