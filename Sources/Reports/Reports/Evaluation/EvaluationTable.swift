/// The tables of the report `evaluate`, by their names on the command line.
public enum EvaluationTable: String, CaseIterable, Sendable {
  /// The value of each policy by each estimator, with its intervals.
  case values
  /// Whether the log can answer what each policy would have earned, and why.
  case support
  /// For each policy, slot and variant what the log has and what the policy would choose.
  case overlap
  /// The logged propensities of each slot.
  case propensities
  /// The distribution of the importance weights of each policy.
  case weights
  /// The difference of each policy to another one.
  case versus
  /// The values under other attribution windows.
  case windows
  /// The values over time.
  case time
  /// The values against the mean reward in a log of the policy itself.
  case truth
}

/// The checks of an evaluation whose failure is reported as an alarm.
public enum EvaluationAlarm: String, CaseIterable, Sendable {
  /// The verdict on a policy is not `answers`.
  case support
}

/// The paths of the plots of an evaluation; nil for none.
public struct EvaluationPlots: Sendable, Equatable {
  /// The estimates of each policy with their intervals.
  public var estimates: String?
  /// The distribution of the weights of each policy.
  public var weights: String?
  /// The value of each policy over time.
  public var time: String?

  /// Creates paths.
  public init(estimates: String? = nil, weights: String? = nil, time: String? = nil) {
    self.estimates = estimates
    self.weights = weights
    self.time = time
  }
}

/// A log that the evaluated policy wrote itself, which tells the policy's value.
public struct EvaluationTruth: Sendable, Equatable {
  /// The path of the log.
  public var path: String
  /// The name of its experiment; nil for the name of the evaluated one.
  public var experiment: String?
  /// The number of bootstrap replicates of the errors.
  public var replicates: Int

  /// Creates a description of the log.
  public init(path: String, experiment: String? = nil, replicates: Int = 1_000) {
    self.path = path
    self.experiment = experiment
    self.replicates = replicates
  }
}
