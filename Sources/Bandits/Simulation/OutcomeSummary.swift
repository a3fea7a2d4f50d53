internal import Statistics

/// The outcomes of the runs of one policy in one environment, summarized at one checkpoint.
public struct OutcomeSummary: Sendable, Equatable {
  /// The distribution of a quantity over the runs.
  public struct Spread: Sendable, Equatable {
    /// The mean over the runs.
    public var mean: Double
    /// The standard error of the mean; nil for a single run.
    public var standardError: Double?
    /// The 0.05 quantile. All quantiles interpolate linearly between order statistics (type 7).
    public var low: Double
    /// The median.
    public var median: Double
    /// The 0.95 quantile.
    public var high: Double

    /// Summarizes values; returns nil if there are none or their sum is not finite.
    public init?(_ values: [Double]) {
      let moments = Moments(values)
      let sorted = values.sorted()
      guard let mean = moments.mean, mean.isFinite,
        let low = QuantileType.linear.quantile(0.05, of: sorted),
        let median = QuantileType.linear.quantile(0.5, of: sorted),
        let high = QuantileType.linear.quantile(0.95, of: sorted)
      else { return nil }
      self.mean = mean
      standardError = moments.standardError
      (self.low, self.median, self.high) = (low, median, high)
    }
  }

  /// The number of decisions made.
  public var step: Int
  /// The number of runs.
  public var runs: Int
  /// The pseudo-regret.
  public var regret: Spread?
  /// The realized regret.
  public var realizedRegret: Spread?
  /// The regret against the variant that is best over all the steps.
  public var fixedRegret: Spread?
  /// The simple regret: the regret of the variant recommended at this step.
  public var simpleRegret: Spread?
  /// The mean reward per decision.
  public var rewardMean: Double
  /// The share of decisions that chose a variant optimal at the time.
  public var bestChoiceRate: Double

  /// Summarizes runs.
  ///
  /// - Parameters:
  ///   - outcomes: The outcomes, by run number.
  ///   - index: The index of the checkpoint.
  ///   - step: The number of decisions at the checkpoint.
  public init(_ outcomes: [RunOutcome], at index: Int, step: Int) {
    let points = outcomes.map { $0.points[index] }
    self.step = step
    runs = points.count
    regret = Spread(points.map(\.regret))
    realizedRegret = Spread(points.map(\.realizedRegret))
    fixedRegret = Spread(points.map(\.fixedRegret))
    simpleRegret = Spread(points.map(\.simpleRegret))
    let decisions = Double(step) * Double(max(1, points.count))
    rewardMean = ExactSum(points.map(\.reward)).value / decisions
    bestChoiceRate = points.reduce(0) { $0 + Double($1.bestChoices) } / decisions
  }
}
