public import Specifications
public import Statistics

/// `gradient:alpha=0.1,baseline=yes`: gradient bandit: probabilities proportional to exp(H), where the preferences H
/// ascend the gradient of the expected reward.
///
/// R. S. Sutton and A. G. Barto, *Reinforcement Learning* (2nd edition, 2018), section 2.8, equation 2.12: after a
/// reward R of variant a, H(a) grows by α (R − B)(1 − π(a)), and H(b) of any other falls by α (R − B) π(b). The
/// baseline B is the mean of the rewards before this one, the first one itself at first, or 0 with `baseline=no`. The
/// probabilities π are those at the time the reward is learned.
public struct Gradient: Policy {
  /// The step size.
  public var alpha = 0.1
  /// Whether rewards are relative to their mean.
  public var hasBaseline = true
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "gradient", "gradient bandit: probabilities proportional to exp(preference)",
    source: "Sutton and Barto 2018, equation 2.12", example: "gradient:alpha=0.1,baseline=yes")

  public static var parameters: [Field] {
    Field.number("alpha", \.alpha, in: 1e-9...1e9, "step size, {range}")
    Field.flag(
      "baseline", \.hasBaseline, "whether rewards are relative to their mean, yes or no",
      alternatives: "yes or no")
  }

  public func makeState(_ problem: Problem) -> GradientState { GradientState(self, problem) }
}

/// The state of a run: the preferences.
public struct GradientState: AllocatingState {
  private let policy: Gradient
  private var preferences: [Double]
  private var shares: [Double]
  private var learned = 0.0
  private var mean = 0.0

  init(_ policy: Gradient, _ problem: Problem) {
    self.policy = policy
    preferences = [Double](repeating: 0, count: problem.variants)
    shares = [Double](repeating: 1 / Double(problem.variants), count: problem.variants)
  }

  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    Choice(from: shares, &random)
  }

  public var allocation: Allocation { Allocation(probabilities: shares) }

  /// Makes a step along the gradient.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    // Bounds beyond any sensible reward keep all preferences finite.
    let reward = min(max(reward, -1e100), 1e100)
    let baseline = policy.hasBaseline ? (learned > 0 ? mean : reward) : 0
    let step = policy.alpha * (reward - baseline)
    learned += 1
    mean += (reward - mean) / learned
    for variant in preferences.indices {
      let gain = (variant == choice.variant ? 1 : 0) - shares[variant]
      preferences[variant] = min(max(preferences[variant] + step * gain, -1e200), 1e200)
      shares[variant] = preferences[variant]
    }
    LearnedPolicy.Softmax.normalize(&shares)
  }
}
