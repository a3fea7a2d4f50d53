public import Specifications
internal import Statistics

/// `hedge:information=full`: probabilities proportional to exp(−η L), where L grows by the loss 1 − r of each variant.
///
/// Hedge of Y. Freund and R. E. Schapire, "A decision-theoretic generalization of on-line learning" (JCSS 55, 1997),
/// figure 1, with β = exp(−η), learns the losses of all variants at each step (full information), which a simulation
/// knows. If rewards are delayed, all those of a step arrive together. `eta` defaults to √(8 ln K/T), where T is the
/// number of decisions or `horizon`, for which the expected regret against the best variant is at most √(T ln K/2) for
/// any rewards: N. Cesa-Bianchi and G. Lugosi, *Prediction, Learning, and Games* (2006), theorem 2.2.
///
/// With `information=bandit` it learns the reward of its choice only. The losses of the others are estimated by 0, and
/// that of the choice by the loss divided by its probability: T. Lattimore and C. Szepesvári, *Bandit Algorithms*
/// (2020), algorithm 9, which many tools call Exp3. `eta` then defaults to that of their theorem 11.2, √(2 ln K/(K T)).
///
/// Where the rewards of the other variants are unknown, in the log of a warm start or within another policy, it learns
/// as with `information=bandit`.
public struct Hedge: Policy {
  /// Which rewards the policy learns.
  public enum Information: String, CaseIterable, Sendable {
    /// The rewards of all variants.
    case full
    /// The reward of the chosen variant.
    case bandit
  }

  /// The information: full to learn the rewards of all variants, bandit for that of the choice only.
  public var information = Information.full
  /// The learning rate.
  public var eta: Double?
  /// The number of decisions; nil for that of the run.
  public var horizon: Double?
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "hedge", "exponential weights of observed losses of all variants, or of estimated ones",
    source: "Freund and Schapire 1997, figure 1; Lattimore and Szepesvári 2020, algorithm 9",
    example: "hedge:information=full")

  public static var parameters: [Field] {
    Field.word(
      "information", \.information,
      "full to learn the rewards of all variants, bandit for that of the choice only"
    )
    Field.number(
      "eta", \.eta, in: 0...1e3,
      "learning rate, {range}; by default sqrt(8 ln K / T), or sqrt(2 ln K / (K T)) with bandit"
    )
    Field.horizon(\.horizon, "number of decisions T; that of the run by default")
  }

  /// The loss is 1 − reward.
  public static let needsUnitRewards = true

  public var needsHorizon: Bool { eta == nil && horizon == nil }

  public func makeState(_ problem: Problem) -> HedgeState { HedgeState(self, problem) }
}

/// The state of a run: the estimated losses.
public struct HedgeState: WeightedState {
  public let usesFullInformation: Bool
  /// η for observed losses.
  private let rate: Double
  /// η for estimated losses, which are larger.
  private let estimateRate: Double
  private var shares: ExponentialWeights

  init(_ policy: Hedge, _ problem: Problem) {
    let (count, decisions) = (Double(problem.variants), problem.decisions(policy.horizon))
    usesFullInformation = policy.information == .full
    rate = policy.eta ?? (8 * Double.log(count) / decisions).squareRoot()
    estimateRate = policy.eta ?? (2 * Double.log(count) / (count * decisions)).squareRoot()
    shares = ExponentialWeights(problem.variants)
  }

  var weights: [Double] { shares.values }

  var total: Double { shares.total }

  public mutating func learnFullInformation(
    _ choice: Choice, _ rewards: [Double], _ context: Context
  ) {
    shares.add { -rate * (1 - rewards[$0].inUnitRange) }
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    shares.add(-estimateRate * choice.weighted(1 - reward.inUnitRange), to: choice.variant)
  }

  public func probability(of variant: Int) -> Double { shares.share(variant) }
}
