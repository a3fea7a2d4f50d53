internal import Statistics

/// What runs of one policy in one environment came to, at one checkpoint.
public struct OutcomeSummary: Sendable, Equatable {
  /// How a number was spread over the runs.
  public struct Spread: Sendable, Equatable {
    /// The mean over the runs.
    public var mean: Double
    /// Its standard error; nil for a single run.
    public var standardError: Double?
    /// The quantiles of order 0.05, 0.5 and 0.95: linear between order statistics (type 7).
    public var low: Double
    /// The median.
    public var median: Double
    /// The quantile of order 0.95.
    public var high: Double

    /// The spread of some numbers, at least one; nil for none, or where their sum is no finite number.
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

  /// After how many decisions.
  public var step: Int
  /// How many runs there were.
  public var runs: Int
  /// The pseudo-regret.
  public var regret: Spread?
  /// The realised regret.
  public var realizedRegret: Spread?
  /// The regret against the variant that is best over all the steps.
  public var fixedRegret: Spread?
  /// The regret of recommending a variant now.
  public var simpleRegret: Spread?
  /// The mean reward of a decision.
  public var rewardMean: Double
  /// The share of decisions for a best variant of the moment.
  public var bestChoiceRate: Double

  /// Sums runs up.
  ///
  /// - Parameters:
  ///   - outcomes: The runs in the order of their numbers.
  ///   - index: Which of the checkpoints.
  ///   - step: After how many decisions it was.
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
