public import Specifications
public import Statistics

/// `thompson-gaussian-unknown:alpha=-0.5`: Thompson sampling for normal rewards of unknown mean and variance.
///
/// J. Honda and A. Takemura, "Optimality of Thompson sampling for Gaussian bandits depends on priors" (AISTATS 2014),
/// algorithm 1: with the prior density σ^(−2−2α) of the variance σ², the posterior of the mean is m + √(S/(n ν))·T with
/// S = Σ (reward − m)² and T of Student's t distribution with ν = n + 2α − 1 degrees of freedom. Each variant is first
/// chosen max(2, 3 − ⌊2α⌋) times in turn. Optimal for α < 0; Jeffreys' prior, α = 0, is not.
public struct UnknownVarianceThompson: Policy {
  /// The exponent of the prior, optimal below 0.
  public var alpha = -0.5
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "thompson-gaussian-unknown", "Thompson sampling for normal rewards of unknown variance",
    source: "Honda and Takemura 2014, algorithm 1", example: "thompson-gaussian-unknown:alpha=-0.5")

  public static var parameters: [Field] {
    Field.number("alpha", \.alpha, in: -10...10, "exponent of the prior, optimal below 0, {range}")
  }

  public static var agentIncompatibility: String? {
    "the tails of its posteriors are too long for exact probabilities; use thompson-gaussian"
  }

  public func makeState(_ problem: Problem) -> UnknownVarianceThompsonState {
    UnknownVarianceThompsonState(problem.variants, alpha)
  }
}

/// The state of a run: the posteriors.
public struct UnknownVarianceThompsonState: PolicyState {
  /// The posterior of a variant.
  private struct Posterior {
    var count = 0.0
    var mean = 0.0
    /// Σ (reward − mean)².
    var spread = 0.0
    /// √(S/n).
    var scale = 0.0
    /// Half a χ² variable with ν degrees of freedom.
    var half = GammaShape(1)
  }

  private let alpha: Double
  private let fewest: Double
  private var posteriors: [Posterior]
  private var chosen: [Int]
  /// The number of variants with too few rewards for a posterior.
  private var unready: Int

  init(_ variants: Int, _ alpha: Double) {
    self.alpha = alpha
    fewest = max(2, 3 - (2 * alpha).rounded(.down))
    posteriors = [Posterior](repeating: Posterior(), count: variants)
    chosen = [Int](repeating: 0, count: variants)
    unready = variants
  }

  /// Chooses the variant with the largest draw, whose propensity is unknown; until all have posteriors, the least often
  /// chosen one.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let choice = unready > 0 ? leastChosen(&random) : largestDraw(&random)
    chosen[choice.variant] += 1
    return choice
  }

  /// Adds the reward to the posterior of its variant: B. P. Welford's recurrence (Technometrics 4, 1962).
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    var posterior = posteriors[choice.variant]
    posterior.count += 1
    let deviation = reward - posterior.mean
    posterior.mean += deviation / posterior.count
    posterior.spread += deviation * (reward - posterior.mean)
    if posterior.count == fewest { unready -= 1 }
    if posterior.count >= fewest {
      posterior.scale = (posterior.spread / posterior.count).squareRoot()
      // n + 2α − 1 is at least 1 from there on.
      posterior.half = GammaShape(0.5 * (posterior.count + 2 * alpha - 1))
    }
    posteriors[choice.variant] = posterior
  }

  private func largestDraw(_ random: inout Xoshiro256) -> Choice {
    let winner = posteriors.indices.largest {
      // T is Z/√(χ²/ν): ν cancels out.
      posteriors[$0].mean
        + posteriors[$0].scale * Draw.normal(using: &random)
        / (2 * posteriors[$0].half.draw(using: &random)).squareRoot()
    }
    return Choice(winner, propensity: posteriors.count == 1 ? 1 : .nan)
  }

  private func leastChosen(_ random: inout Xoshiro256) -> Choice {
    let least = chosen.reduce(Int.max) { min($0, $1) }
    let those = chosen.indices.filter { chosen[$0] == least }
    let place = Draw.index(below: those.count, using: &random)
    return Choice(those[place], propensity: 1 / Double(those.count))
  }
}
