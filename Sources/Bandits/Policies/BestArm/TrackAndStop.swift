public import Specifications
internal import Statistics

/// `track-and-stop:delta=0.05,threshold=practical`: fixed-confidence best-arm identification with error probability δ
/// and asymptotically optimal sample complexity, for rewards in 0 ... 1.
///
/// A. Garivier and E. Kaufmann, "Optimal best arm identification with fixed confidence" (COLT 2016), for Bernoulli
/// rewards: D-tracking (section 3) of the weights of ``TrackAndStopWeights`` for the means so far. A variant with fewer
/// than √t − K/2 decisions comes first; otherwise the one furthest behind its weight, t·wₐ − nₐ. It stops by Chernoff's
/// rule (section 4) when each other variant is worse than the best one by a log-likelihood ratio that exceeds ln((1 +
/// ln t)/δ), the threshold of the paper's experiments (section 6). `threshold=proven` is ln(2t(K − 1)/δ), for which
/// theorem 10 bounds the error probability by δ.
public struct TrackAndStop: Policy {
  /// The threshold of the stopping rule.
  public enum Threshold: String, CaseIterable, Sendable {
    /// ln((1 + ln t)/δ).
    case practical
    /// ln(2t(K − 1)/δ).
    case proven
  }

  /// The probability of a wrong recommendation.
  public var delta = 0.05
  /// The threshold: practical for ln((1 + ln t)/delta), proven for ln(2t(K-1)/delta).
  public var threshold = Threshold.practical
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "track-and-stop", "fixed-confidence best-arm identification, by the optimal allocation",
    source: "Garivier and Kaufmann 2016, D-tracking and Chernoff's rule",
    example: "track-and-stop:delta=0.05,threshold=practical")

  public static var parameters: [Field] {
    Field.errorProbability(\.delta)
    Field.word(
      "threshold", \.threshold, "practical for ln((1 + ln t)/delta), proven for ln(2t(K-1)/delta)"
    )
  }

  /// The likelihood is Bernoulli.
  public static let needsUnitRewards = true

  public func makeState(_ problem: Problem) -> TrackAndStopState {
    TrackAndStopState(self, problem.variants)
  }

  /// Returns the threshold of the log-likelihood ratio after t rewards.
  func threshold(_ t: Double, _ variants: Int) -> Double {
    threshold == .proven
      ? Double.log(2 * t * Double(variants - 1) / delta)
      : Double.log((1 + Double.log(t)) / delta)
  }
}

/// The state of `track-and-stop`.
public struct TrackAndStopState: IndexedState {
  private let policy: TrackAndStop
  var table: ArmTable
  /// The number of times each variant was chosen, with or without a reward yet.
  private var pulls: [Double]
  private var total = 0.0
  /// The optimal weights; empty if a reward was learned since they were computed.
  private var weights: [Double] = []
  /// Whether a variant has too few decisions.
  private var isForced = false
  private(set) var found: Int?

  init(_ policy: TrackAndStop, _ variants: Int) {
    self.policy = policy
    table = ArmTable(variants)
    pulls = [Double](repeating: 0, count: variants)
    found = variants == 1 ? 0 : nil
  }

  mutating func prepare() {
    guard table.roster.isSettled else { return }
    let fewest = pulls.reduce(Double.infinity) { min($0, $1) }
    isForced = fewest < total.squareRoot() - Double(pulls.count) / 2
    guard !isForced, weights.isEmpty else { return }
    weights = TrackAndStopWeights(means: table.arms.map(\.mean)).weights
  }

  /// By how much the variant is behind its weight.
  func index(_ variant: Int) -> Double {
    isForced ? -pulls[variant] : total * weights[variant] - pulls[variant]
  }

  mutating func take(_ variant: Int, isFirst: Bool) {
    pulls[variant] += 1
    total += 1
  }

  /// Adds the reward and checks the stopping rule.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
    guard found == nil else { return }
    weights.removeAll(keepingCapacity: true)
    let best = table.leader
    if evidence(for: best) > policy.threshold(Double(table.learned), pulls.count) { found = best }
  }

  /// The identified variant; before that the best mean.
  public var recommendation: Int? { found ?? table.leader }

  /// The log-likelihood ratio between the best variant and its closest competitor: the least of nₐ·d(μₐ, m) + n·d(μ,
  /// m), where m is the pooled mean.
  private func evidence(for best: Int) -> Double {
    let leader = table.arms[best]
    var least = Double.infinity
    for (variant, arm) in table.arms.enumerated() where variant != best {
      guard arm.decisions > 0, arm.mean < leader.mean else { return 0 }
      let (n, m) = (Double(leader.decisions), Double(arm.decisions))
      let pooled = (leader.sum + arm.sum) / (n + m)
      let family = RewardFamily.bernoulli
      least = min(
        least,
        n * family.divergence(leader.mean, pooled) + m * family.divergence(arm.mean, pooled))
    }
    return least
  }
}
