internal import Platform
package import Specifications

/// An error of a file of outcomes.
package struct OutcomeFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error. More may be added.
  package enum Code: String, Sendable, CaseIterable {
    /// No file was given.
    case usage
    /// The file does not exist.
    case notFound
    /// The file is not a file of outcomes.
    case notOutcomes
    /// The outcomes belong to another plan.
    case otherPlan
    /// Another version wrote the file.
    case otherVersion
    /// The outcomes were made with another numerics mark: they may differ in last bits.
    case otherNumerics
    /// Two files have different outcomes of a run.
    case conflict
    /// The first line, with the plan, is damaged.
    case damaged
    /// Another process is writing the file.
    case locked
    /// Reading or writing failed.
    case inputOutput
  }

  /// The kind of error.
  package var code: Code
  /// The fault, its place and its remedy.
  package var description: String

  init(_ code: Code, _ description: String) { (self.code, self.description) = (code, description) }

  static func notOutcomes(_ path: String) -> OutcomeFileError {
    OutcomeFileError(
      .notOutcomes,
      "\(path): no outcomes of a simulation; name the file that `simulate --checkpoint` wrote")
  }

  static func system(_ path: String, _ what: String, _ number: Int32) -> OutcomeFileError {
    let reason = systemMessage(number)
    return OutcomeFileError(
      number == ENOENT ? .notFound : .inputOutput, "\(path): \(what): \(reason)")
  }
}

extension OutcomeFileError: ExitCoded {
  package var exitCode: ExitCode {
    switch code {
    case .usage: .usage
    case .notFound: .inputMissing
    case .notOutcomes, .otherPlan, .otherVersion, .otherNumerics, .conflict, .damaged: .badData
    case .locked: .locked
    case .inputOutput: .inputOutput
    }
  }
}
