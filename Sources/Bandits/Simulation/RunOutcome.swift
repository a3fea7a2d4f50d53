/// What became of one policy in one run of an environment.
public struct RunOutcome: Hashable, Sendable {
  /// What had come together after some steps.
  public struct Point: Hashable, Sendable {
    /// Σ (μ* − μ of the chosen variant): the pseudo-regret. μ* is the mean of the best variant of the moment.
    public var regret = 0.0
    /// Σ (μ* − reward): the realised regret.
    public var realizedRegret = 0.0
    /// Σ (mean of the variant that is best over all these steps − μ of the chosen one); `regret` where nothing changes.
    public var fixedRegret = 0.0
    /// The sum of the rewards.
    public var reward = 0.0
    /// How many of the choices had the largest mean of the moment.
    public var bestChoices = 0
    /// μ* − μ of the variant that the policy would recommend now.
    public var simpleRegret = 0.0

    /// Nothing yet.
    public init() {}
  }

  /// One point for each checkpoint.
  public var points: [Point]
  /// How often each variant was chosen.
  public var choices: [Int]
  /// The part of the pseudo-regret that each variant caused.
  public var regretByVariant: [Double]
  /// The variant that the policy recommends at the end.
  public var recommendation: Int
  /// After how many steps the policy was sure of it; nil when it never was.
  public var stopped: Int?

  /// Makes an outcome.
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
