import Specifications

/// An error that ends a verb, with its exit code.
struct Failure: ExitCoded {
  static let checkFailed = ExitCode.checkFailed
  static let usage = ExitCode.usage
  static let badData = ExitCode.badData
  static let inputMissing = ExitCode.inputMissing
  static let cannotCreate = ExitCode.cannotCreate
  static let inputOutput = ExitCode.inputOutput
  static let interrupted = ExitCode.interrupted
  static let brokenPipe = ExitCode.brokenPipe

  let exitCode: ExitCode
  let description: String

  init(exitCode: ExitCode, _ description: String) {
    self.exitCode = exitCode
    self.description = description
  }
}
