public import Replay
public import Statistics

/// All that a comparison of variants is asked for.
public struct ComparisonPlan: Sendable {
  /// A normal prior of an effect.
  public struct Prior: Sendable, Hashable {
    /// Its mean.
    public var mean: Double
    /// Its standard deviation, positive.
    public var standardDeviation: Double

    /// Makes a prior.
    public init(mean: Double, standardDeviation: Double) {
      (self.mean, self.standardDeviation) = (mean, standardDeviation)
    }
  }

  /// The looks of a group sequential test.
  public struct Looks: Sendable, Hashable {
    /// How many looks were planned, equally far apart.
    public var count: Int
    /// Which of them this one is, from 1.
    public var look: Int
    /// How the level is spent.
    public var spending: GroupSequential.Spending
    /// The name of that.
    public var spendingName: String

    /// Makes looks.
    public init(
      count: Int, look: Int, spending: GroupSequential.Spending, spendingName: String
    ) {
      (self.count, self.look) = (count, look)
      (self.spending, self.spendingName) = (spending, spendingName)
    }
  }

  /// A covariate from before the first exposure.
  public struct Covariate: Sendable, Hashable {
    /// How long before, in microseconds.
    public var period: Int64
    /// Which slope is used.
    public var theta: CupedTheta

    /// Makes a covariate.
    public init(period: Int64, theta: CupedTheta = .pooled) {
      (self.period, self.theta) = (period, theta)
    }
  }

  /// How means are compared.
  public var method = ComparisonMethod.welch
  /// How the interval of the lift is made.
  public var lift = LiftMethod.auto
  /// What is held against no difference.
  public var alternative = Alternative.twoSided
  /// The level of tests; intervals cover 1 less it.
  public var alpha = 0.05
  /// How p-values are adjusted over all rows of the report; nil for not at all.
  public var correction: Multiplicity?
  /// The variant that the others are compared with; nil for one whose name says it, else the first.
  public var baseline: String?
  /// What shares of units variants were meant to have; empty for equal ones.
  public var expectedShares: [String: Double] = [:]
  /// Whether counts of units are tested against their shares at all; not where a policy changed the shares as it learned.
  public var testsSampleRatio = true
  /// What a guardrail may lose, in units of the metric; nil for tests against no difference.
  public var margin: Double?
  /// The covariate that reduces variance; nil for none.
  public var covariate: Covariate?
  /// The prior of a Bayesian comparison; flat when nil.
  public var prior: Prior?
  /// The variance of the effects that ``ComparisonMethod/msprt`` looks for, positive.
  public var mixingVariance = 1.0
  /// The total units at which ``ComparisonMethod/asymptoticCS`` is tightest, positive.
  public var tightestAt = 5_000.0
  /// The looks of ``ComparisonMethod/groupSequential``.
  public var looks = Looks(count: 1, look: 1, spending: .obrienFleming, spendingName: "lan-obf")
  /// How ``ComparisonMethod/bootstrap`` resamples.
  public var resampling = MetricProjector.Bootstrap()
  /// Whether the dimension is one of strata over which differences are put together.
  public var isPostStratified = false

  /// Welch's t test without anything else.
  public init() {}

  /// The coverage of intervals.
  var level: Double { 1 - alpha }

  /// The method and all that belongs to it, in words.
  func methodText(_ metric: Metric) -> String {
    var parts = [isPostStratified ? "post-stratified z" : method.rawValue]
    switch method {
    case .bayes, .bayesLift:
      parts.append(
        prior.map { "prior normal, mean \($0.mean), sd \($0.standardDeviation)" } ?? "flat prior")
    case .betaBinomial: parts.append("prior Beta(1, 1)")
    case .msprt: parts.append("variance of effects \(mixingVariance)")
    case .asymptoticCS: parts.append("tightest at \(tightestAt) units")
    case .bootstrap:
      parts.append("percentile, \(resampling.replicates) replicates, seed \(resampling.seed)")
    case .groupSequential:
      parts.append("look \(looks.look) of \(looks.count), \(looks.spendingName)")
    default: break
    }
    if metric.denominator != nil { parts.append("delta method") }
    if let margin { parts.append("non-inferiority, margin \(margin)") }
    if let covariate, metric.denominator == nil {
      parts.append(
        "cuped \(DurationText.text(covariate.period)), theta \(covariate.theta.rawValue)")
    }
    return parts.joined(separator: ", ")
  }
}
