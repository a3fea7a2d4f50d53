public import Events
package import Specifications

/// An error of an ``ExperimentClient``.
public enum ExperimentError: Error, Hashable, Sendable {
  /// No configuration has been applied yet.
  case sdkNotReady
  /// The user id is empty or longer than 255 UTF-8 bytes.
  case visitorCodeInvalid(String)
  /// The configuration has no such experiment: it was not started, or is paused or stopped.
  case experimentConfigurationNotFound(ExperimentID)
  /// The site is disabled.
  case siteCodeDisabled(String)
  /// The user does not match the targeting of the experiment.
  case notTargeted(ExperimentID)
  /// The user is in the traffic not allocated to any variation.
  case notAllocated(ExperimentID)
  /// Consent is required and was not given.
  case consentRequired
  /// There is no such flag.
  case featureNotFound(String)
  /// The flag is disabled.
  case featureDisabled(String)
  /// There is no such variation.
  case variationNotFound(String)
  /// The variation has no such variable.
  case variableNotFound(String)
  /// The variable has another type than the requested one.
  case variableTypeMismatch(String)
  /// The configuration is invalid; the one in use remains.
  case invalidConfiguration(path: String, reason: String)
  /// A revenue is not a finite number.
  case invalidRevenue(Double)
  /// The configuration could not be loaded.
  case loadFailed(String)
  /// The log did not accept the events, or could not make them durable.
  case notRecorded(String)
  /// The snapshot is invalid.
  case invalidSnapshot(String)
}

extension ExperimentError: CustomStringConvertible {
  /// The problem, its location, and how to fix it, in one line.
  public var description: String {
    switch self {
    case .sdkNotReady:
      "no configuration has been applied yet; wait with runWhenReady, and show the reference until then"
    case .visitorCodeInvalid(let id):
      "the user id has \(id.utf8.count) UTF-8 bytes; give one of 1 to 255"
    case .experimentConfigurationNotFound(let id):
      "the configuration has no experiment \"\(id)\": it is not started, paused or stopped, or the id is "
        + "misspelt; show the reference"
    case .siteCodeDisabled(let code):
      "the site \"\(code)\" is disabled in its configuration; enable it there, and show the reference"
    case .notTargeted(let id):
      "the user does not meet the targeting of experiment \"\(id)\"; show the reference"
    case .notAllocated(let id):
      "the user is in the traffic that experiment \"\(id)\" leaves out; show the reference"
    case .consentRequired:
      "the site requires consent and the user has not given it; ask, and call setConsent"
    case .featureNotFound(let key):
      "the configuration has no flag \"\(key)\"; look for a misspelling, or add the flag"
    case .featureDisabled(let key):
      "the flag \"\(key)\" is disabled or outside its schedules; enable it in the configuration"
    case .variationNotFound(let key):
      "there is no variation \"\(key)\"; use one that the configuration names"
    case .variableNotFound(let key):
      "the variation has no variable \"\(key)\"; look for a misspelling, or add it to the flag"
    case .variableTypeMismatch(let text):
      "\(text); ask for the type that the configuration gives the variable"
    case .invalidConfiguration(let path, let reason):
      "\(path.isEmpty ? "the configuration" : path) \(reason); the configuration in use stays"
    case .invalidRevenue(let revenue):
      "a conversion's revenue is \(revenue); give a finite number"
    case .loadFailed(let reason):
      "the configuration could not be loaded: \(reason); the one in use stays, refresh to try again"
    case .notRecorded(let reason):
      "the events were not recorded: \(reason); data stay in the buffer, call again"
    case .invalidSnapshot(let reason): "the snapshot cannot be used: \(reason)"
    }
  }
}

extension ExperimentError: ExitCoded {
  package var exitCode: ExitCode { .badData }
}
