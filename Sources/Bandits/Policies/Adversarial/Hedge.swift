public import Statistics

/// `hedge:information=full`: probabilities in proportion to exp(−η L), where L grows by the loss 1 − r of each variant.
///
/// Hedge of Y. Freund and R. E. Schapire, "A decision-theoretic generalization of on-line learning" (JCSS 55, 1997),
/// figure 1, with β = exp(−η), learns the losses of all variants at each step, also of those that it did not choose: a
/// simulation knows them. With rewards that come late all those of a step are told together. Without `eta` it is
/// √(8 ln K/T), T being the number of decisions or `horizon`, for which the expected regret against the best variant is at
/// most √(T ln K/2) whatever the rewards are: N. Cesa-Bianchi and G. Lugosi, *Prediction, Learning, and Games* (2006),
/// theorem 2.2.
///
/// With `information=bandit` it learns the reward of its choice only. The losses of the others are estimated by 0, and its
/// own by the loss divided by its probability: T. Lattimore and C. Szepesvári, *Bandit Algorithms* (2020), algorithm 9,
/// which many tools call Exp3. Without `eta` it is then the one of their theorem 11.2, √(2 ln K/(K T)).
///
/// Where nobody knows what the other variants would have earned, in the log of a warm start or within another policy, it
/// learns as with `information=bandit`.
public struct Hedge: Policy {
  /// Which rewards the policy learns.
  public enum Information: String, CaseIterable, Sendable {
    /// Those of all variants.
    case full
    /// That of the chosen variant.
    case bandit
  }

  private static let information = Parameter.word(
    "information", default: Information.full,
    "full to learn the rewards of all variants, bandit for that of the choice only")
  private static let eta = Parameter.optionalNumber(
    "eta", in: 0...1e3,
    "rate of learning, {range}; by default sqrt(8 ln K / T), or sqrt(2 ln K / (K T)) with bandit")
  private static let horizon = Parameter.horizon(
    "number of decisions T; those of the run when not given")

  /// What there is to say about it.
  public static let guide = Guide(
    "hedge", "exponential weights of the losses of all variants, or of estimates of them",
    [
      information,
      eta,
      horizon,
    ],
    source: "Freund and Schapire 1997, figure 1; Lattimore and Szepesvári 2020, algorithm 9")

  /// Losses are what lacks to 1.
  public static let needsUnitRewards = true

  /// How it is written.
  public let specification: Specification
  private let isFull: Bool
  private let eta: Double?
  private let horizon: Double?

  /// Makes the policy from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: a value is out of its range.
  public init(information: Information? = nil, eta: Double? = nil, horizon: Int? = nil)
    throws(SpecificationError)
  {
    try self.init(
      Self.guide.specification(
        Self.information.written(information), Self.eta.written(eta), Self.horizon.written(horizon)),
      variants: [])
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: a parameter is out of its range.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    isFull = try Self.information.value(in: specification) == .full
    eta = try Self.eta.value(in: specification)
    horizon = try Self.horizon.value(in: specification).map(Double.init)
  }

  /// Where it was not written.
  public var needsHorizon: Bool { eta == nil && horizon == nil }

  /// No losses.
  public func makeState(_ problem: Problem) -> HedgeState {
    let count = Double(problem.variants)
    let decisions = horizon ?? Double(max(1, problem.horizon))
    return HedgeState(
      problem.variants, isFull: isFull,
      rate: eta ?? (8 * Double.log(count) / decisions).squareRoot(),
      estimateRate: eta ?? (2 * Double.log(count) / (count * decisions)).squareRoot())
  }
}

/// The losses of a run.
public struct HedgeState: SharingState, AllocatingState {
  /// Whether it learns the rewards of all variants, wherever they are known.
  public let wantsAllRewards: Bool
  /// η for losses.
  private let rate: Double
  /// η for estimates of them, which are larger.
  private let estimateRate: Double
  private var weights: ExponentialWeights

  init(_ variants: Int, isFull: Bool, rate: Double, estimateRate: Double) {
    wantsAllRewards = isFull
    (self.rate, self.estimateRate) = (rate, estimateRate)
    weights = ExponentialWeights(variants)
  }

  /// A variant by its probability.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let variant = weights.draw(&random)
    return Choice(variant, propensity: weights.share(variant))
  }

  /// Adds the loss of each variant.
  public mutating func learnAll(_ choice: Choice, _ rewards: [Double], _ context: Context) {
    weights.add { -rate * (1 - rewards[$0].inUnitRange) }
  }

  /// Adds the estimated loss.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    weights.add(-estimateRate * choice.weighted(1 - reward.inUnitRange), to: choice.variant)
  }

  /// The probabilities of the next decision.
  public var allocation: Allocation { sharing(weights.values.count) }

  func probability(of variant: Int) -> Double { weights.share(variant) }
}
