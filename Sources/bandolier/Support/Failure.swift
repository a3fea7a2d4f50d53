import Deciding
import Projections
import Replay
import Reports
import Scenarios
import Service
import Simulations
import Specifications
import Tables

/// An error that ends a verb, with its exit code (those of sysexits.h).
struct Failure: Error {
  /// The report was written, and a check named by `--fail-on` failed.
  static let checkFailed: Int32 = 3
  static let usage = SystemExit.usage
  static let badData = SystemExit.badData
  static let inputMissing = SystemExit.inputMissing
  static let cannotCreate = SystemExit.cannotCreate
  static let inputOutput = SystemExit.inputOutput
  static let locked = SystemExit.locked
  static let interrupted = SystemExit.interrupted
  /// The status that a shell reports for a process ended by SIGPIPE.
  static let brokenPipe: Int32 = 141

  var exitCode: Int32
  /// The message; nil when it was already printed, or has no reader.
  var message: String?

  init(exitCode: Int32, _ message: String? = nil) {
    self.exitCode = exitCode
    self.message = message
  }

  /// - Returns: Nil for other errors, such as those of the command-line parser.
  init?(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as OutputError:
      self.init(
        exitCode: Self.code(error.code), error.code == .brokenPipe ? nil : error.description)
    case let error as ProjectionError:
      self.init(exitCode: Self.code(error.code), error.description)
    case let error as ReportError:
      self.init(exitCode: error.code == .badData ? Self.badData : Self.usage, error.description)
    case let error as TableError: self.init(exitCode: Self.badData, "\(error)")
    case let error as ConfigError: self.init(exitCode: Self.badData, error.description)
    case let error as StudyError: self.init(exitCode: Self.badData, error.description)
    case let error as ScenarioError: self.init(exitCode: Self.usage, error.description)
    case let error as PlanError: self.init(exitCode: Self.usage, error.description)
    case let error as PlanFileError:
      self.init(
        exitCode: error.isMissing ? Self.inputMissing : Self.inputOutput, error.description)
    case let error as SpecificationError: self.init(exitCode: Self.usage, error.description)
    case let error as OutcomeFileError:
      self.init(exitCode: Self.code(error.code), error.description)
    case let error as GroupLimitError: self.init(exitCode: Self.badData, error.description)
    case let error as PartialSet.Refusal: self.init(exitCode: Self.badData, error.description)
    case let error as StateError:
      self.init(exitCode: Self.badData, "a partial is damaged: \(error)")
    case is Interrupt: self.init(exitCode: Self.interrupted, "interrupted")
    default:
      guard let status = SystemExit.status(for: error) else { return nil }
      self.init(exitCode: status, "\(error)")
    }
  }

  private static func code(_ code: ProjectionError.Code) -> Int32 {
    switch code {
    case .notFound: inputMissing
    case .notADatabase, .foreignDatabase, .otherLog, .newerVersion, .olderVersion, .damaged: badData
    case .busy: locked
    case .cannotCreate: cannotCreate
    case .inputOutput: inputOutput
    }
  }

  private static func code(_ code: OutcomeFileError.Code) -> Int32 {
    switch code {
    case .usage: usage
    case .notFound: inputMissing
    case .notOutcomes, .otherPlan, .otherVersion, .otherNumerics, .conflict, .damaged: badData
    case .locked: locked
    case .inputOutput: inputOutput
    }
  }

  private static func code(_ code: OutputError.Code) -> Int32 {
    switch code {
    case .exists, .cannotCreate: cannotCreate
    case .ioError: inputOutput
    case .brokenPipe: brokenPipe
    }
  }
}
