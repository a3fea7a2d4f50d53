public import Specifications
public import Statistics

/// `thompson-gaussian:sigma=1,mean=0,deviation=1`: Thompson sampling with independent normal posteriors, for unbounded
/// rewards: the probability that a variant has the largest mean.
///
/// Rewards are assumed to be normal around the mean with standard deviation `sigma`; the prior of the means is normal
/// around `mean` with standard deviation `deviation`. With the defaults that is algorithm 2 of S. Agrawal and N. Goyal,
/// "Further optimal regret bounds for Thompson sampling" (AISTATS 2013). Rewards of another scale need other
/// parameters: with a sigma that is far too small the first rewards decide which variant is chosen ever after.
public struct GaussianThompson: AllocationPolicy {
  /// The standard deviation of a reward.
  public var sigma = 1.0
  /// The prior mean.
  public var mean = 0.0
  /// The prior standard deviation of the mean.
  public var deviation = 1.0
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "thompson-gaussian", "Thompson sampling with normal posteriors",
    source: "Agrawal and Goyal 2013, algorithm 2",
    example: "thompson-gaussian:sigma=1,mean=0,deviation=1")

  public static var parameters: [Field] {
    Field.number("sigma", \.sigma, in: 1e-9...1e9, "standard deviation of a reward")
    Field.number("mean", \.mean, in: -1e12...1e12, "prior mean")
    Field.number("deviation", \.deviation, in: 1e-9...1e9, "prior standard deviation of the mean")
  }

  public static let supportsUnavailableVariants = true

  /// Rewards beyond three times sigma and deviation from the prior mean.
  public func scaleNote(_ rewards: ClosedRange<Double>) -> String? {
    let reach = 3 * (sigma + deviation)
    guard rewards.lowerBound < mean - reach || rewards.upperBound > mean + reach else { return nil }
    let text = { (number: Double) in Specification.Parameter(key: "", number: number).value }
    return
      "\(specification) assumes rewards around \(text(mean)) with deviations of \(text(sigma)) within and "
      + "\(text(deviation)) between variants, and rewards from \(text(rewards.lowerBound)) to "
      + "\(text(rewards.upperBound)) are beyond: the first rewards may decide; give sigma, mean and deviation of "
      + "their scale, or scale the rewards"
  }

  public func makeState(_ problem: Problem) -> GaussianThompsonState {
    GaussianThompsonState(self, problem)
  }

  /// Returns the probabilities, computed by quadrature.
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    var posteriors = arms.map(posterior)
    // Relative to the best, relevant positions are small and lose no precision to rounding.
    let best = posteriors.reduce(-Double.infinity) { max($0, $1.mean) }
    for index in posteriors.indices { posteriors[index].mean -= best }
    return .best(posteriors, as: NormalCurve.self)
  }

  /// Returns the posterior mean (r·mean + s)/(r + n) with r = (sigma/deviation)², and its standard deviation.
  func posterior(_ arm: ArmTally) -> NormalCurve.Source {
    let ratio = sigma / deviation * (sigma / deviation)
    let weight = ratio + Double(arm.decisions)
    return NormalCurve.Source(
      mean: ratio / weight * mean + arm.sum / weight, deviation: sigma / weight.squareRoot())
  }
}

/// The state of a run: the posteriors.
public struct GaussianThompsonState: PolicyState {
  private let policy: GaussianThompson
  private var table: ArmTable
  private var posteriors: [NormalCurve.Source]

  init(_ policy: GaussianThompson, _ problem: Problem) {
    self.policy = policy
    table = ArmTable(problem.variants)
    posteriors = table.arms.map(policy.posterior)
  }

  /// Chooses the variant with the largest posterior draw; its propensity, an integral, is not computed.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let winner = posteriors.indices.largest(table.roster.available) {
      Draw.normal(mean: posteriors[$0].mean, standardDeviation: posteriors[$0].deviation, using: &random)
    }
    return Choice(winner, propensity: .nan)
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
    posteriors[choice.variant] = policy.posterior(table.arms[choice.variant])
  }

  public mutating func offer(_ available: [Bool]) { table.offer(available) }
}
