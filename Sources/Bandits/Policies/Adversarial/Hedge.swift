internal import RealModule
public import Statistics

/// `hedge`: probabilities in proportion to exp(−η L), where L grows by (1 − r)/p with each reward r.
///
/// Hedge of Y. Freund and R. E. Schapire, "A decision-theoretic generalization of on-line learning" (JCSS 55, 1997),
/// figure 1, learns the losses of all variants at each step. A decision tells that of one variant only, and the others
/// are estimated by 0, the one by its loss divided by its probability: T. Lattimore and C. Szepesvári, *Bandit
/// Algorithms* (2020), algorithm 9, which many tools call Exp3. Without `eta` it is the one of their theorem 11.2,
/// √(2 ln K/(K T)), T being the number of decisions or `horizon`.
public struct Hedge: Policy {
  /// What there is to say about it.
  public static let guide = Guide(
    "hedge", "exponential weights of losses divided by their probabilities, without mixing",
    [
      Guide.Parameter("eta", nil, "rate of learning, 0 to 1e3; sqrt(2 ln K / (K T)) by default"),
      Guide.Parameter("horizon", nil, "number of decisions T; those of the run when not given"),
    ],
    source: "Freund and Schapire 1997, figure 1; Lattimore and Szepesvári 2020, algorithm 9")

  /// Losses are what lacks to 1.
  public static let needsUnitRewards = true

  /// How it is written.
  public let specification: Specification
  private let eta: Double?
  private let horizon: Double?

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: a parameter is out of its range.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    eta = try specification.given("eta", in: 0...1e3)
    horizon = try specification.horizon
  }

  /// Where it was not written.
  public var needsHorizon: Bool { eta == nil && horizon == nil }

  /// No losses.
  public func makeState(_ problem: Problem) -> HedgeState {
    let count = Double(problem.variants)
    let decisions = horizon ?? Double(max(1, problem.horizon))
    return HedgeState(
      problem.variants,
      eta: eta ?? (2 * Double.log(count) / (count * decisions)).squareRoot())
  }
}

/// The losses of a run.
public struct HedgeState: SharingState, ForetellingState {
  private let eta: Double
  private var weights: ExponentialWeights

  init(_ variants: Int, eta: Double) {
    self.eta = eta
    weights = ExponentialWeights(variants)
  }

  /// A variant by its probability.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let variant = weights.draw(&random)
    return Choice(variant, propensity: weights.share(variant))
  }

  /// Adds the estimated loss.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    weights.add(-eta * choice.weighted(1 - reward.inUnitRange), to: choice.variant)
  }

  var allocation: Allocation { sharing(weights.values.count) }

  func probability(of variant: Int) -> Double { weights.share(variant) }
}
