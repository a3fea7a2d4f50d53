package import Specifications

/// An error of a rollout system.
public enum RolloutError: Error, Hashable, Sendable {
  /// A configuration has an invalid form.
  case invalidConfiguration(path: String, reason: String)
  /// A weight is not a finite number, or the sum of the experiment's weights overflows.
  case invalidWeight(experiment: String, variant: String)
  /// A weight is negative.
  case negativeWeight(experiment: String, variant: String)
  /// A variant is listed twice.
  case duplicateVariant(experiment: String, variant: String)
  /// An experiment or a variant has no name.
  case emptyName(path: String)
  /// A draw stored by another system cannot be read.
  case invalidStoredDraw(String)
  /// The sink did not accept the events; nothing has changed.
  case notRecorded(String)
  /// A snapshot is of another system or version, or incomplete.
  case invalidSnapshot(String)
}

extension RolloutError: CustomStringConvertible {
  /// The problem, its location, and how to fix it.
  public var description: String {
    switch self {
    case .invalidConfiguration(let path, let reason): "\(path): \(reason)"
    case .invalidWeight(let experiment, let variant):
      "\(experiment).Variants.\(variant): the weight must be a finite number such as 70 or \"0.5\", and so "
        + "must the sum of the weights"
    case .negativeWeight(let experiment, let variant):
      "\(experiment).Variants.\(variant): the weight is below zero; give 0 to draw the variant never"
    case .duplicateVariant(let experiment, let variant):
      "\(experiment).Variants: \"\(variant)\" stands there twice; keep one of them"
    case .emptyName(let path): "\(path): a name is empty; give every experiment and variant one"
    case .invalidStoredDraw(let reason): "stored draw: \(reason)"
    case .notRecorded(let reason):
      "the sink did not take the events (\(reason)), so nothing changed; call again when it does"
    case .invalidSnapshot(let reason): "snapshot: \(reason)"
    }
  }
}

extension RolloutError: ExitCoded {
  package var exitCode: ExitCode { .badData }
}
