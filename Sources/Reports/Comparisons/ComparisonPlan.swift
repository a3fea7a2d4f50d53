public import Replay
public import Statistics

/// The parameters of a comparison of variants.
public struct ComparisonPlan: Sendable {
  /// A normal prior of an effect.
  public struct Prior: Sendable, Hashable {
    /// The mean.
    public var mean: Double
    /// The standard deviation, positive.
    public var standardDeviation: Double

    /// Creates a prior.
    public init(mean: Double, standardDeviation: Double) {
      (self.mean, self.standardDeviation) = (mean, standardDeviation)
    }
  }

  /// The looks of a group sequential test.
  public struct Looks: Sendable, Hashable {
    /// The number of planned looks.
    public var count: Int
    /// The number of the current look, from 1.
    public var look: Int
    /// The alpha-spending function.
    public var spending: GroupSequential.Spending
    /// The information of the looks up to the current one, as parts of that planned; nil for equally spaced looks.
    public var information: [Double]?

    /// Makes looks.
    public init(
      count: Int, look: Int, spending: GroupSequential.Spending = .obrienFleming,
      information: [Double]? = nil
    ) {
      (self.count, self.look) = (count, look)
      (self.spending, self.information) = (spending, information)
    }
  }

  /// A covariate from before the first exposure.
  public struct Covariate: Sendable, Hashable {
    /// The length of the pre-exposure period, in microseconds.
    public var period: Int64
    /// The kind of slope.
    public var theta: CupedTheta

    /// Creates a covariate.
    public init(period: Int64, theta: CupedTheta = .pooled) {
      (self.period, self.theta) = (period, theta)
    }
  }

  /// The statistical method.
  public var method = ComparisonMethod.welch
  /// The method of the lift's interval.
  public var lift = LiftMethod.auto
  /// The alternative hypothesis.
  public var alternative = Alternative.twoSided
  /// The significance level of tests; the confidence level of intervals is 1 less it.
  public var alpha = 0.05
  /// The correction of p-values for multiple comparisons over all rows of the report; nil for none.
  public var correction: Multiplicity?
  /// The variant that others are compared with; nil for a variant with a baseline's name, else the first.
  public var baseline: String?
  /// The intended share of units of each variant, at least two of them positive; empty for equal shares.
  public var expectedShares: [String: Double] = [:]
  /// Whether to test for a sample ratio mismatch; not applicable where a policy changed the shares as it learned.
  public var testsSampleRatio = true
  /// The margin of a guardrail, in units of the metric; nil for tests against no difference.
  public var margin: Double?
  /// The covariate for variance reduction; nil for those of the metrics.
  public var covariate: Covariate?
  /// Whether metrics are adjusted by covariates of their own, where the plan has none and the method takes one.
  public var usesCovariatesOfMetrics = true
  /// The prior of a Bayesian comparison; nil for a flat one.
  public var prior: Prior?
  /// The mixing variance of ``ComparisonMethod/msprt``, which requires it: the variance of the effects it looks for,
  /// positive.
  public var mixingVariance: Double?
  /// The total number of units at which ``ComparisonMethod/asymptoticCS`` is tightest, at least 1; nil for 5,000.
  public var tightestAt: Double?
  /// The looks of ``ComparisonMethod/groupSequential``, which requires them.
  public var looks: Looks?
  /// The resampling of ``ComparisonMethod/bootstrap``; nil for 1,000 replicates from seed 0.
  public var resampling: MetricProjector.Bootstrap?
  /// Whether the dimension is a stratification over which differences are combined.
  public var isPostStratified = false

  /// Creates a plan for Welch's t test.
  public init() {}

  /// The confidence level of intervals.
  var level: Double { 1 - alpha }

  /// The resampling of the method; nil for methods without any.
  var bootstrap: MetricProjector.Bootstrap? {
    method == .bootstrap ? resampling ?? MetricProjector.Bootstrap() : nil
  }

  /// The looks of a group sequential test, a single one by default.
  var plannedLooks: Looks {
    looks ?? Looks(count: 1, look: 1)
  }

  /// The mixing variance of the mSPRT.
  var effectVariance: Double { mixingVariance ?? 1 }

  /// The number of units at which a confidence sequence is tightest.
  var tightestUnits: Double { tightestAt ?? 5_000 }

  /// Returns the covariate by which a metric is adjusted; nil for none.
  func covariate(of metric: Metric) -> Covariate? {
    let takesOwn =
      usesCovariatesOfMetrics && method.takesCovariate && !isPostStratified && !lift.isOfProportions
    return covariate ?? (takesOwn ? metric.covariate.map { Covariate(period: $0) } : nil)
  }

  /// Returns a description of the method and its parameters.
  func methodText(_ metric: Metric) -> String {
    var parts = [isPostStratified ? "post-stratified z" : method.rawValue]
    switch method {
    case .bayes, .bayesLift:
      parts.append(
        prior.map { "prior normal, mean \($0.mean), sd \($0.standardDeviation)" } ?? "flat prior")
    case .betaBinomial: parts.append("prior Beta(1, 1)")
    case .msprt: parts.append("variance of effects \(effectVariance)")
    case .asymptoticCS: parts.append("tightest at \(tightestUnits) units")
    case .bootstrap:
      if let bootstrap {
        parts.append("percentile, \(bootstrap.replicates) replicates, seed \(bootstrap.seed)")
      }
    case .groupSequential:
      let looks = plannedLooks
      parts.append("look \(looks.look) of \(looks.count), \(looks.spending.name)")
    default: break
    }
    if metric.denominator != nil { parts.append("delta method") }
    if let margin { parts.append("non-inferiority, margin \(margin)") }
    if let covariate = covariate(of: metric) {
      parts.append(
        "cuped \(DurationText.text(covariate.period)), theta \(covariate.theta.rawValue)")
    }
    return parts.joined(separator: ", ")
  }
}
