/// How predictions are made and scored: what stands in a report beside its numbers.
public struct EvaluationPlan: Sendable {
  /// How many takes of a study a unit must have before its predictions are scored.
  public var warmUp = 0
  /// How long after a take it is known which option was taken, in microseconds; what was taken later than that before a
  /// prediction has not been learned when it is made.
  public var delay: Int64 = 0
  /// Takes before this time, in microseconds since 1970-01-01T00:00:00Z, are learned and not scored.
  public var since = Int64.min
  /// Up to which ranks hits and discounted gains are counted, ascending.
  public var cutoffs = [1, 3, 5]
  /// The confidences above which one would act, ascending.
  public var thresholds = [0.5]
  /// How many bins of equal width calibration has.
  public var bins = 10
  /// The least probability that log loss takes.
  public var clip = 1e-15
  /// The length of a period of the learning curve, in microseconds.
  public var period: Int64 = 86_400_000_000
  /// The studies and options.
  public var catalog: StudyCatalog

  /// The standard plan.
  public init(catalog: StudyCatalog) { self.catalog = catalog }
}
