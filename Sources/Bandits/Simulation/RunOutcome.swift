/// The outcome of one run of a policy in an environment.
public struct RunOutcome: Hashable, Sendable {
  /// Cumulative measures at a checkpoint.
  public struct Point: Hashable, Sendable {
    /// The pseudo-regret Σ (μ* − μ of the chosen variant), where μ* is the largest mean at each step.
    public var regret = 0.0
    /// The realized regret Σ (μ* − reward).
    public var realizedRegret = 0.0
    /// Σ (mean of the variant that is best over all these steps − μ of the chosen one); equal to ``regret`` if means
    /// never change.
    public var fixedRegret = 0.0
    /// The sum of the rewards.
    public var reward = 0.0
    /// The number of choices with the largest mean at their step.
    public var bestChoices = 0
    /// The simple regret μ* − μ of the variant recommended at this step.
    public var simpleRegret = 0.0

    /// Creates a point with all measures at zero.
    public init() {}
  }

  /// The measures at each checkpoint.
  public var points: [Point]
  /// The number of times each variant was chosen.
  public var choices: [Int]
  /// The pseudo-regret contributed by each variant.
  public var regretByVariant: [Double]
  /// The index of the variant recommended at the end.
  public var recommendation: Int
  /// The number of steps after which the policy stopped exploring; nil if it never did.
  public var stopped: Int?

  /// Creates an outcome.
  public init(
    points: [Point], choices: [Int], regretByVariant: [Double], recommendation: Int, stopped: Int?
  ) {
    self.points = points
    self.choices = choices
    self.regretByVariant = regretByVariant
    self.recommendation = recommendation
    self.stopped = stopped
  }
}
