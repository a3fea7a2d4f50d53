public import Specifications

/// `sequential-halving:horizon=H,reuse=no`: fixed-budget best-arm identification in ⌈log₂ K⌉ equal rounds, each of
/// which eliminates the worse half.
///
/// Z. Karnin, T. Koren and O. Somekh, "Almost optimal exploration in multi-armed bandits" (ICML 2013), Sequential
/// Halving: in a round each of the remaining variants is chosen ⌊n / (their number · ⌈log₂ K⌉)⌋ times, and ⌈half⌉ of
/// them stay. As in the paper only the rewards of a round count at its end; with `reuse=yes` those of earlier rounds
/// count as well, as is common in practice.
public struct SequentialHalving: Policy {
  /// The number of decisions to plan with; nil for that of the run.
  public var horizon: Double?
  /// Whether to count the rewards of earlier rounds too.
  public var reuses = false
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "sequential-halving", "eliminates the worse half after each of log2 K rounds",
    source: "Karnin, Koren and Somekh 2013, Sequential Halving",
    example: "sequential-halving:reuse=no")

  public static var parameters: [Field] {
    Field.horizon(\.horizon)
    Field.flag("reuse", \.reuses, "yes to count the rewards of earlier rounds too")
  }

  public static var agentIncompatibility: String? { AgentRefusal.tossedVariants }

  public func makeState(_ problem: Problem) -> PhasedEliminationState {
    PhasedEliminationState(
      problem.variants,
      Self.phases(variants: problem.variants, budget: Budget.value(horizon, problem)),
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
