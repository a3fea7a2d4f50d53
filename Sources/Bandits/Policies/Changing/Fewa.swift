public import Specifications
internal import Statistics

/// `fewa:alpha=0.06,sigma=0.5,grid=2`: filtering on expanding window averages, for rotting variants, whose means never
/// rise.
///
/// J. Seznec, A. Locatelli, A. Carpentier, A. Lazaric and M. Valko, "Rotting bandits are no harder than stochastic
/// ones" (AISTATS 2019), algorithms 1 and 2 with δ = 1/tᵅ: over windows of growing length h, those variants remain
/// whose mean of the last h rewards is at most 2 √(2 σ² α ln t/h) below the best one, until one of them has no more
/// rewards than that; it is chosen, or the one with the fewest rewards. The theory requires α of 4 or more, the
/// authors' experiments use 0.06. The lengths h are 1, and each `grid` times the one before; the variant with the
/// fewest rewards among the remaining ones is chosen when it has none for the next length.
public struct Fewa: Policy {
  /// The scale of rewards, the windows and the confidence of the bounds.
  public var settings = RottingSettings(alpha: 0.06)
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "fewa", "filters variants by their latest rewards over growing windows, for rotting variants",
    source: "Seznec, Locatelli, Carpentier, Lazaric and Valko 2019, algorithms 1 and 2",
    example: "fewa:alpha=0.06,sigma=0.5,grid=2")

  public static var parameters: [Field] {
    Field.group(\.settings)
  }

  public func makeState(_ problem: Problem) -> FewaState {
    FewaState(problem, settings)
  }
}

/// The state of a run: the rewards.
public struct FewaState: IndexedState {
  var table: ArmTable
  private var history: RottingHistory
  private var isLeft: [Bool]

  init(_ problem: Problem, _ settings: RottingSettings) {
    table = ArmTable(problem.variants)
    history = RottingHistory(problem, settings)
    isLeft = [Bool](repeating: true, count: problem.variants)
  }

  /// Filters variants until a remaining one has too few rewards for the next length.
  mutating func prepare() {
    let width = 2 * history.width(table.learned)
    for variant in isLeft.indices { isLeft[variant] = true }
    for place in history.lengths.indices {
      var best = -Double.infinity
      var left = 0
      for variant in isLeft.indices where isLeft[variant] {
        if history.fitting[variant] <= place { return }
        best = max(best, history.mean(variant, place))
        left += 1
      }
      if left <= 1 { return }
      let limit = best - width * history.inverseRoots[place]
      for variant in isLeft.indices where history.mean(variant, place) < limit {
        isLeft[variant] = false
      }
    }
  }

  /// Ranks the remaining variants by their numbers of rewards, the fewest first.
  func index(_ variant: Int) -> Double {
    isLeft[variant] ? -Double(history.counts[variant]) : -.infinity
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
    history.learn(choice.variant, reward)
  }
}
