public import Specifications

/// `sequential-halving:horizon=H,reuse=no`: fixed-budget best-arm identification in ⌈log₂ K⌉ equal rounds, each of
/// which eliminates the worse half.
///
/// Z. Karnin, T. Koren and O. Somekh, "Almost optimal exploration in multi-armed bandits" (ICML 2013), Sequential
/// Halving: in a round each of the remaining variants is chosen ⌊n / (their number · ⌈log₂ K⌉)⌋ times, and ⌈half⌉ of
/// them stay. As in the paper only the rewards of a round count at its end; with `reuse=yes` those of earlier rounds
/// count as well, as is common in practice.
public struct SequentialHalving: Policy {
  private static let reuse = Parameter.flag(
    "reuse", default: false, "yes to count the rewards of earlier rounds too")

  public static let info = SpecificationInfo(
    "sequential-halving", "eliminates the worse half after each of log2 K rounds",
    [
      BudgetParameter.declaration,
      reuse,
    ], source: "Karnin, Koren and Somekh 2013, Sequential Halving")

  public static var agentIncompatibility: String? {
    AgentRefusal.tossedVariants
  }

  public let specification: Specification
  private let budget: BudgetParameter
  private let reuses: Bool

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(horizon: Int? = nil, reuse: Bool? = nil) throws(SpecificationError) {
    try self.init(
      Self.info.specification(
        BudgetParameter.declaration.written(horizon), Self.reuse.written(reuse)), variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    budget = try BudgetParameter(specification)
    reuses = try Self.reuse.value(in: specification)
  }

  public func makeState(_ problem: Problem) -> PhasedEliminationState {
    PhasedEliminationState(
      problem.variants, Self.phases(variants: problem.variants, budget: budget.value(problem)),
      forgets: !reuses)
  }

  /// Returns the rounds.
  static func phases(variants: Int, budget: Int) -> [EliminationPhase] {
    var (left, sizes) = (variants, [Int]())
    while left > 1 {
      sizes.append(left)
      left = (left + 1) / 2
    }
    return sizes.map {
      EliminationPhase(pulls: budget / ($0 * sizes.count), survivors: ($0 + 1) / 2)
    }
  }
}
