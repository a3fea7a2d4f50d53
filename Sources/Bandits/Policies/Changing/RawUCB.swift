public import Specifications
internal import Statistics

/// `raw-ucb:alpha=1.4,sigma=0.5,grid=2`: the largest of the minimal bounds mean + √(2 σ² α ln t/h) over the last h
/// rewards, for rotting variants, whose means never rise.
///
/// J. Seznec, P. Ménard, A. Lazaric and M. Valko, "A single algorithm for both restless and rested rotting bandits"
/// (AISTATS 2020), algorithm 1 with δ = 2/tᵅ. The window is adaptive: a variant that got worse is bounded by its last
/// rewards. The theory requires α ≥ 5, the authors' experiments use 1.4. Of all h up to the number of rewards only
/// those are used that are `grid` times the one before, with exact means; the windows of the authors' efficient variant
/// lag slightly.
public struct RawUCB: Policy {
  /// The scale of rewards, the windows and the confidence of the bounds.
  public var settings = RottingSettings(alpha: 1.4)
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "raw-ucb", "the least upper confidence bound over windows of all lengths, for rotting variants",
    source: "Seznec, Ménard, Lazaric and Valko 2020, algorithm 1",
    example: "raw-ucb:alpha=1.4,sigma=0.5,grid=2")

  public static var parameters: [Field] {
    Field.group(\.settings)
  }

  public static let supportsUnavailableVariants = true

  public func makeState(_ problem: Problem) -> RawUCBState {
    RawUCBState(problem, settings)
  }
}

/// The state of a run: the rewards.
public struct RawUCBState: IndexedState {
  var table: ArmTable
  private var history: RottingHistory
  private var width = 0.0

  init(_ problem: Problem, _ settings: RottingSettings) {
    table = ArmTable(problem.variants)
    history = RottingHistory(problem, settings)
  }

  mutating func prepare() { width = history.width(table.learned) }

  /// Returns the minimal bound.
  func index(_ variant: Int) -> Double { history.leastBound(variant, width: width) }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
    history.learn(choice.variant, reward)
  }
}
