/// An error that says with which code it ends a command. Its description is the message.
package protocol ExitCoded: Error, CustomStringConvertible {
  /// The exit code of a command that the error ends.
  var exitCode: ExitCode { get }
}

/// The exit codes of the commands: those of sysexits.h, and those that shells use.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case done = 0
  case checkFailed = 3
  case usage = 64
  case badData = 65
  case inputMissing = 66
  case cannotCreate = 73
  case inputOutput = 74
  case locked = 75
  case interrupted = 130
  case brokenPipe = 141

  /// The meaning, as help and manual pages say it.
  package var meaning: String {
    switch self {
    case .done: "done"
    case .checkFailed: "a check named by --fail-on failed, after the report was written"
    case .usage: "usage error"
    case .badData: "invalid or damaged data"
    case .inputMissing: "an input does not exist"
    case .cannotCreate: "an output cannot be created"
    case .inputOutput: "input/output error"
    case .locked: "the log is locked by another writer"
    case .interrupted: "interrupted"
    case .brokenPipe: "the pipe was closed"
    }
  }
}

extension ExitCode {
  /// All codes in one sentence.
  package static var sentence: String {
    "Exit codes: " + allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: "; ") + "."
  }
}

extension SpecificationError: ExitCoded {
  package var exitCode: ExitCode { .usage }
}
