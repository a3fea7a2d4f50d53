public import Specifications
public import Statistics

/// `thompson-bootstrap:replicates=100,weights=double,alpha=1,beta=0.001`: Thompson sampling with online bootstrap
/// replicates instead of a posterior.
///
/// D. Eckles and M. Kaptein, "Thompson sampling with the online bootstrap" (arXiv:1410.4009, 2014). Each variant has
/// `replicates` replicates of the mean (α + Σ w r)/(α + β + Σ w); a reward r counts in each of them with its own weight
/// w: 0 or 2 with probability ½ each (`double`, double or nothing), or Poisson distributed with mean 1 (`poisson`). At
/// a decision one replicate of each variant is drawn, and the largest wins.
///
/// Replicates of a variant that was never chosen are all equal. So that none is starved, each variant is chosen once
/// first, and the means start near 1, the largest reward of 0 ... 1: with α = β = 1 a variant whose replicates are all
/// above ½ would exclude others forever.
public struct BootstrapThompson: Policy {
  /// The distribution of the weights of rewards in a bootstrap replicate.
  public enum Weighting: String, CaseIterable, Sendable {
    /// 2 or 0, with equal probability.
    case double
    /// Poisson with mean 1.
    case poisson
  }

  /// The number of replicates of each variant.
  public var replicates = 100
  /// The distribution of the weights of rewards.
  public var weights = Weighting.double
  /// The number of prior successes.
  public var alpha = 1.0
  /// The number of prior failures.
  public var beta = 0.001
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "thompson-bootstrap", "Thompson sampling with bootstrap replicates of the mean",
    source: "Eckles and Kaptein 2014",
    example: "thompson-bootstrap:replicates=100,weights=double,alpha=1,beta=0.001")

  public static var parameters: [Field] {
    Field.integer(
      "replicates", \.replicates, in: 1...100_000, "replicates of each variant, {range}"
    )
    Field.word(
      "weights", \.weights, "weights of rewards, double (or nothing) or poisson",
      alternatives: "double or poisson"
    )
    Field.number("alpha", \.alpha, in: 0.001...1e9, "prior successes, {range}")
    Field.number("beta", \.beta, in: 0.001...1e9, "prior failures, {range}")
  }

  public static var agentIncompatibility: String? {
    "it weights rewards at random, so that its log does not show what it learned; use thompson or top-two"
  }

  public func makeState(_ problem: Problem) -> BootstrapThompsonState {
    BootstrapThompsonState(self, problem.variants)
  }
}

/// The state of a run: the replicates.
public struct BootstrapThompsonState: PolicyState {
  /// A weighted sum of rewards and the sum of the weights.
  private struct Replicate {
    var sum: Double
    var weight: Double
  }

  private let count: Int
  private let isPoisson: Bool
  private var table: ArmTable
  /// The replicates, one variant after the other.
  private var replicates: [Replicate]

  init(_ policy: BootstrapThompson, _ variants: Int) {
    table = ArmTable(variants)
    count = policy.replicates
    isPoisson = policy.weights == .poisson
    let prior = Replicate(sum: policy.alpha, weight: policy.alpha + policy.beta)
    replicates = [Replicate](repeating: prior, count: variants * count)
  }

  /// Chooses the variant with the largest drawn replicate, breaking ties at random; its propensity is unknown. The memo
  /// seeds the weights of the reward.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if var first = table.roster.unchosen(&random) {
      first.memo = Int(truncatingIfNeeded: random.next())
      return first
    }
    var race = RandomTieArgmax()
    for variant in table.indices {
      let drawn = replicates[variant * count + Draw.index(below: count, using: &random)]
      race.enter(variant, drawn.sum / drawn.weight, &random)
    }
    return Choice(
      race.winner, propensity: table.arms.count == 1 ? 1 : .nan,
      memo: Int(truncatingIfNeeded: random.next()))
  }

  /// Adds the reward to each replicate of its variant, with a random weight.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    var words = SplitMix64(seed: UInt64(truncatingIfNeeded: choice.memo))
    let start = choice.variant * count
    var bits: UInt64 = 0
    for index in 0..<count {
      let weight: Double
      if isPoisson {
        weight = Double(Draw.poisson(mean: 1, using: &words))
      } else {
        bits = index & 63 == 0 ? words.next() : bits &>> 1
        weight = Double((bits & 1) &<< 1)
      }
      guard weight > 0 else { continue }
      replicates[start + index].sum += weight * reward
      replicates[start + index].weight += weight
    }
  }
}
