/// What a rollout system refuses.
public enum RolloutError: Error, Hashable, Sendable {
  /// A configuration is not of the form that is read.
  case invalidConfiguration(path: String, reason: String)
  /// A weight is no finite number, or the weights of the experiment add up to more than a number holds.
  case invalidWeight(experiment: String, variant: String)
  /// A weight is below zero.
  case negativeWeight(experiment: String, variant: String)
  /// A variant stands in the list twice.
  case duplicateVariant(experiment: String, variant: String)
  /// An experiment or a variant has no name.
  case emptyName(path: String)
  /// What another system stored of a draw cannot be read.
  case invalidStoredDraw(String)
  /// The sink did not take the events, and nothing changed.
  case notRecorded(String)
  /// A snapshot is of another system or version, or not whole.
  case invalidSnapshot(String)
}

extension RolloutError: CustomStringConvertible {
  /// What is wrong, where, and how to mend it.
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
