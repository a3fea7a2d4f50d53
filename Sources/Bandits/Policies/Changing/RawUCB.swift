public import Statistics

/// `raw-ucb:alpha=1.4,sigma=0.5,grid=2`: the largest of the least bounds mean + √(2 σ² α ln t/h) over the last h rewards,
/// for variants that only get worse.
///
/// J. Seznec, P. Ménard, A. Lazaric and M. Valko, "A single algorithm for both restless and rested rotting bandits"
/// (AISTATS 2020), algorithm 1 with δ = 2/tᵅ. The window adapts: a variant that got worse is bounded by its last rewards.
/// The theory has α ≥ 5, the authors' experiments 1.4. Of all h up to the number of rewards those are taken that are
/// `grid` times the one before, the means being exact; the windows of the authors' efficient variant are a little older.
public struct RawUCB: Policy {
  private static let alpha = RottingHistory.alpha(default: 1.4)

  /// What there is to say about it.
  public static let guide = Guide(
    "raw-ucb", "the least upper bound over windows of all lengths, for variants that get worse",
    [alpha, RottingHistory.sigma, RottingHistory.grid],
    source: "Seznec, Ménard, Lazaric and Valko 2020, algorithm 1")

  /// The best of those that are there.
  public static let takesAbsence = true

  /// How it is written.
  public let specification: Specification
  private let alpha: Double
  private let sigma: Double
  private let grid: Double

  /// Makes the policy from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: a value is out of its range.
  public init(alpha: Double? = nil, sigma: Double? = nil, grid: Double? = nil)
    throws(SpecificationError)
  {
    try self.init(
      Self.guide.specification(
        Self.alpha.written(alpha), RottingHistory.sigma.written(sigma),
        RottingHistory.grid.written(grid)), variants: [])
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: a parameter is out of its range.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    alpha = try Self.alpha.value(in: specification)
    sigma = try RottingHistory.sigma.value(in: specification)
    grid = try RottingHistory.grid.value(in: specification)
  }

  /// No rewards.
  public func makeState(_ problem: Problem) -> RawUCBState {
    RawUCBState(
      problem.variants, factor: 2 * sigma * sigma * alpha,
      RottingHistory(problem.variants, grid: grid, horizon: problem.horizon))
  }
}

/// The rewards of a run.
public struct RawUCBState: AllocatingState {
  private let factor: Double
  private var history: RottingHistory
  private var table: ArmTable

  init(_ variants: Int, factor: Double, _ history: RottingHistory) {
    (self.factor, self.history) = (factor, history)
    table = ArmTable(variants)
  }

  /// The variant with the largest of the least bounds.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if let first = table.unchosen(&random) { return first }
    let width = (factor * Double.log(Double(table.learned + 1))).squareRoot()
    return table.largest(&random) { history.leastBound($0, width: width) }
  }

  /// The probabilities of the next decision.
  public var allocation: Allocation {
    let width = (factor * Double.log(Double(table.learned + 1))).squareRoot()
    return table.allocation { history.leastBound($0, width: width) }
  }

  /// A decision for the variant was drawn.
  public mutating func note(_ variant: Int) { table.settle(variant) }

  /// Adds the reward.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
    history.add(choice.variant, reward)
  }

  /// Some variants come or go.
  public mutating func offer(_ available: [Bool]) { table.offer(available) }
}
