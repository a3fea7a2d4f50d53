public import Specifications
public import Statistics

/// `cover:policies=4,psi=0.1,estimate=dr,lambda=1,models=auto,intercept=no`: an ensemble of greedy policies trained to
/// disagree; a variant's probability is its share of their votes.
///
/// A. Agarwal, D. Hsu, S. Kale, J. Langford, L. Li and R. E. Schapire, "Taming the monster: a fast and simple algorithm
/// for contextual bandits" (ICML 2014), section 6, in the form of A. Bietti, A. Agarwal and J. Langford, "A contextual
/// bandit bake-off" (JMLR 22, 2021), section 3. At decision t, with ε = min(1/K, 1/√(Kt)), a variant has the
/// probability ε + (1 − Kε)·(the share of the policies that choose it). The first policy learns estimates of the
/// rewards of all variants; policy i learns them plus a bonus of ψε/(ε + (1 − Kε)q), where q is the share of the
/// policies before it that now choose the variant. Estimates are doubly robust, around a ridge regression of the
/// rewards, or `ips`, inverse propensity scores. Each policy is a ridge regression of its targets on the features of a
/// variant, see ``LinearPolicy``, and chooses the first one of the best. Rewards are assumed to lie in 0 ... 1; the
/// propensities are exact.
public struct Cover: Policy {
  /// The estimator of the rewards of variants that were not chosen.
  public enum Estimate: String, CaseIterable, Sendable {
    /// Doubly robust.
    case doublyRobust = "dr"
    /// Inverse propensity scoring.
    case inversePropensity = "ips"
  }

  /// The number of greedy policies.
  public var count = 4
  /// The bonus for disagreement.
  public var psi = 0.1
  /// The reward estimator.
  public var estimate = Estimate.doublyRobust
  /// The models and their features.
  public var options = LinearOptions()
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "cover", "an ensemble of greedy linear policies trained to disagree",
    source: "Agarwal et al. 2014, section 6; Bietti, Agarwal and Langford 2021, section 3",
    example: "cover:policies=4,psi=0.1,estimate=dr,lambda=1,models=auto,intercept=no")

  public static var parameters: [Field] {
    Field.integer("policies", \.count, in: 1...100, "number of greedy policies, {range}")
    Field.number("psi", \.psi, in: 0...1e6, "bonus for disagreement, {range}")
    Field.word(
      "estimate", \.estimate,
      "reward estimator: dr for doubly robust, ips for inverse propensity scoring"
    )
    Field.group(\.options)
  }

  public static let needsContext = true

  fileprivate var isRobust: Bool { estimate == .doublyRobust }

  public func makeState(_ problem: Problem) throws(SpecificationError) -> CoverState {
    try CoverState(self, problem)
  }
}

/// The state of a run: the base policies.
public struct CoverState: PolicyState {
  private let policy: Cover
  private let features: ContextFeatures
  /// The model of the rewards.
  private var rewards: LinearModels
  /// The Gram matrices: all policies see the same features, so they share one per model; and if all variants have the
  /// same features, one serves all variants.
  private var seen: RidgeModels
  /// The weights of each policy, for each of its models.
  private var weights: [Double]
  private let modelCount: Int
  private let variants: Int
  private var learned = 0
  private var shares: [Double]
  private var estimates: [Double]
  private var scores: [Double]
  /// The feature vector of each variant.
  private var x: [[Double]]
  private var steps: [[Double]]

  init(_ policy: Cover, _ problem: Problem) throws(SpecificationError) {
    self.policy = policy
    features = try ContextFeatures(problem, policy.options, of: Cover.info.name)
    rewards = try LinearModels(problem, policy.options, of: Cover.info.name)
    modelCount = features.modelCount
    variants = problem.variants
    let d = features.dimension
    seen = RidgeModels(
      features.isCommon ? 1 : modelCount, dimension: d, ridge: policy.options.lambda)
    weights = [Double](repeating: 0, count: policy.count * modelCount * d)
    shares = [Double](repeating: 0, count: variants)
    (estimates, scores) = (shares, shares)
    x = [[Double]](
      repeating: [Double](repeating: 0, count: d), count: features.isCommon ? 1 : variants)
    steps = x
  }

  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    describe(context)
    for variant in shares.indices { shares[variant] = 0 }
    for index in 0..<policy.count { shares[favourite(index)] += 1 / Double(policy.count) }
    let floor = floor
    for variant in shares.indices {
      shares[variant] = floor + (1 - Double(variants) * floor) * shares[variant]
    }
    return Choice(from: shares, &random)
  }

  /// Trains the policies one after the other, so that each accounts for the current choices of those before it.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    guard abs(reward) < 1e100 else { return }
    let floor = floor
    estimate(choice, reward, context)
    describe(context)
    for place in x.indices {
      steps[place] = seen.absorb(features.isCommon ? 0 : features.model(place), x[place])
    }
    for variant in shares.indices { shares[variant] = 0 }
    for index in 0..<policy.count {
      for variant in 0..<variants {
        var target = estimates[variant]
        if index > 0 {
          let q = shares[variant] / Double(index)
          target += policy.psi * floor / (floor + (1 - Double(variants) * floor) * q)
        }
        teach(index, variant, target)
      }
      shares[favourite(index)] += 1
    }
    learned += 1
  }

  /// ε.
  private var floor: Double {
    let k = Double(variants)
    return min(1 / k, 1 / (k * Double(learned + 1)).squareRoot())
  }

  private mutating func describe(_ context: Context) {
    for place in x.indices { features.write(context, place, into: &x[place]) }
  }

  /// Estimates the reward of each variant.
  private mutating func estimate(_ choice: Choice, _ reward: Double, _ context: Context) {
    if policy.isRobust { rewards.look(context, spreads: false) }
    let propensity =
      choice.propensity > 0 && choice.propensity <= 1 ? choice.propensity : 1 / Double(variants)
    for variant in estimates.indices {
      let predicted = policy.isRobust ? rewards.means[variant] : 0
      let isChosen = variant == choice.variant
      estimates[variant] = predicted + (isChosen ? (reward - predicted) / propensity : 0)
    }
    if policy.isRobust { rewards.learn(choice.variant, reward, context) }
  }

  @inline(__always)
  private func start(_ index: Int, _ variant: Int) -> Int {
    (index &* modelCount &+ features.model(variant)) &* features.dimension
  }

  @inline(__always)
  private func score(_ index: Int, _ variant: Int) -> Double {
    DotProducts.one(
      weights, start(index, variant), x[features.isCommon ? 0 : variant],
      count: features.dimension)
  }

  private mutating func teach(_ index: Int, _ variant: Int, _ target: Double) {
    let place = features.isCommon ? 0 : variant
    let miss = target - score(index, variant)
    guard steps[place].count == features.dimension, abs(miss) < 1e150 else { return }
    let first = start(index, variant)
    for feature in 0..<features.dimension {
      weights[first &+ feature] += steps[place][feature] * miss
    }
  }

  /// Returns the variant that a policy chooses: the first one of the best.
  private func favourite(_ index: Int) -> Int {
    (0..<variants).largest { score(index, $0) }
  }
}
