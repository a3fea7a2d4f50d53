public import Specifications
public import Statistics

/// `epsilon-decreasing:c=0.1,d=0.1`: ε-greedy with ε = min(1, c K/(d² t)), where t is the number of the decision.
///
/// P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit problem" (Machine Learning
/// 47, 2002), figure 3, where d is at most the smallest gap of a mean to the best. Only decisions with known rewards
/// and the current one count in t.
public struct EpsilonDecreasing: AllocationPolicy {
  /// The amount of exploration.
  public var c = 0.1
  /// A lower bound of the gaps between means.
  public var d = 0.1
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "epsilon-decreasing",
    "a random variant with probability min(1, c K / (d^2 t)), otherwise the greedy one",
    source: "Auer, Cesa-Bianchi and Fischer 2002, figure 3",
    example: "epsilon-decreasing:c=0.1,d=0.1")

  public static var parameters: [Field] {
    Field.number("c", \.c, in: 0...1e9, "amount of exploration, {range}")
    Field.number("d", \.d, in: 1e-6...1e6, "a lower bound of the gaps between means, {range}")
  }

  public static let supportsUnavailableVariants = true

  public func makeState(_ problem: Problem) -> EpsilonDecreasingState {
    EpsilonDecreasingState(problem.variants, scale: scale(problem.variants))
  }

  /// Returns (1 − ε) for the greedy variant plus ε/K for each.
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    let epsilon = min(1, scale(arms.count) / (arms.totalDecisions + 1))
    return arms.greedy.mixed(share: 1 - epsilon)
  }

  /// Returns c K/d².
  private func scale(_ variants: Int) -> Double { c * Double(variants) / (d * d) }
}

/// The state of ``EpsilonDecreasing``.
public struct EpsilonDecreasingState: PolicyState {
  private var greedy: GreedyState
  private let scale: Double
  private var learned = 0

  init(_ variants: Int, scale: Double) {
    self.scale = scale
    greedy = GreedyState(variants, exploration: min(1, scale))
  }

  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    greedy.choose(context, &random)
  }

  /// Adds the reward to the tally of its variant, and lowers ε.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    greedy.learn(choice, reward, context)
    learned += 1
    greedy.exploration = min(1, scale / Double(learned + 1))
  }

  public mutating func offer(_ available: [Bool]) { greedy.offer(available) }
}
