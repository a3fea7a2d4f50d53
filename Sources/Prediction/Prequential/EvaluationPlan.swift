/// The parameters of an evaluation, which a report states beside its numbers.
public struct EvaluationPlan: Sendable {
  /// The burn-in: the number of takes of a study that a unit must have before its predictions are scored.
  public var warmUp = 0
  /// The label delay: the time after a take until the option taken is known, in microseconds. A prediction learns
  /// only takes that are known when it is made.
  public var delay: Int64 = 0
  /// Takes before this time, in microseconds since 1970-01-01T00:00:00Z, are learned and not scored.
  public var since = Int64.min
  /// The ranks up to which hits and discounted gains are counted, ascending.
  public var cutoffs = [1, 3, 5]
  /// The confidence thresholds for acting on a prediction, ascending.
  public var thresholds = [0.5]
  /// The number of calibration bins of equal width.
  public var bins = 10
  /// The probability at which log loss is clipped.
  public var clip = 1e-15
  /// The length of a period of the learning curve, in microseconds.
  public var period: Int64 = 86_400_000_000
  /// The studies and options.
  public var catalog: StudyCatalog

  /// Creates the default plan.
  public init(catalog: StudyCatalog) { self.catalog = catalog }
}
