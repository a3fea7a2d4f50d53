internal import DecidingAgents
internal import DecidingExperiments
internal import DecidingRollouts
internal import EventLog
internal import Interchange

/// The exit statuses of the commands (those of sysexits.h).
package enum SystemExit {
  package static let usage: Int32 = 64
  package static let badData: Int32 = 65
  package static let inputMissing: Int32 = 66
  package static let cannotCreate: Int32 = 73
  package static let inputOutput: Int32 = 74
  package static let locked: Int32 = 75
  package static let interrupted: Int32 = 130

  /// Returns the exit status for an error of a log, a configuration, a file of keys or an option; nil for any other
  /// error.
  package static func status(for error: any Error) -> Int32? {
    switch error {
    case let error as LogError: status(error.code)
    case let error as ImportError: status(error.code)
    case let error as AgentError:
      if case .notRecorded = error { inputOutput } else { badData }
    case is ExperimentError, is RolloutError, is SystemFileError: badData
    case let error as KeyFileError: status(error.kind)
    case is ServiceOptionError: usage
    default: nil
    }
  }

  private static func status(_ code: LogError.Code) -> Int32 {
    switch code {
    case .notFound: inputMissing
    case .notALog, .newerVersion, .damaged, .badEvent, .outOfSequence, .badBatch, .otherShard:
      badData
    case .locked: locked
    case .sameLog: usage
    case .cannotCreate: cannotCreate
    case .inputOutput, .poisoned: inputOutput
    }
  }

  private static func status(_ code: ImportError.Code) -> Int32 {
    switch code {
    case .missingInput, .isDirectory: inputMissing
    case .truncatedGzip, .badData, .rejectedRecord, .unknownFormat: badData
    case .usage: usage
    case .cannotRead, .cannotWrite: inputOutput
    case .interrupted: interrupted
    }
  }

  private static func status(_ kind: KeyFileError.Kind) -> Int32 {
    switch kind {
    case .usage: usage
    case .invalid: badData
    case .missing: inputMissing
    case .inputOutput: inputOutput
    }
  }
}
