public import Specifications

/// `successive-rejects:horizon=H`: fixed-budget best-arm identification in K − 1 phases, each of which eliminates the
/// worst variant.
///
/// J.-Y. Audibert, S. Bubeck and R. Munos, "Best arm identification in multi-armed bandits" (COLT 2010), Successive
/// Rejects: in phase k each remaining variant is chosen until it was chosen ⌈(n − K) / (L·(K + 1 − k))⌉ times, where L
/// is 1/2 + 1/2 + 1/3 + … + 1/K. For a fixed budget n, and a low simple regret at its end.
public struct SuccessiveRejects: Policy {
  /// The number of decisions to plan with; nil for that of the run.
  public var horizon: Double?
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "successive-rejects", "eliminates the worst variant after each of K - 1 phases",
    source: "Audibert, Bubeck and Munos 2010, Successive Rejects",
    example: "successive-rejects:horizon=1000")

  public static var parameters: [Field] {
    Field.horizon(\.horizon)
  }

  public static var agentIncompatibility: String? { AgentRefusal.tossedVariants }

  public func makeState(_ problem: Problem) -> PhasedEliminationState {
    PhasedEliminationState(
      problem.variants,
      Self.phases(variants: problem.variants, budget: Budget.value(horizon, problem)))
  }

  /// Returns the phases.
  static func phases(variants: Int, budget: Int) -> [EliminationPhase] {
    guard variants > 1 else { return [] }
    let harmonic = (2...variants).reduce(0.5) { $0 + 1 / Double($1) }
    var before = 0
    return (1..<variants).map { phase in
      let share = Double(budget - variants) / (harmonic * Double(variants + 1 - phase))
      // Keeps a share that is a whole number from being rounded up because of its last digit.
      let pulls = max(before, Int((share - abs(share) * 1e-13).rounded(.up)))
      defer { before = pulls }
      return EliminationPhase(pulls: pulls - before, survivors: variants - phase)
    }
  }
}

extension ParameterField {
  /// Declares the probability of a wrong recommendation.
  static func errorProbability(_ path: any ParameterPath<Made, Double>) -> Self {
    .number("delta", path, in: 1e-12...0.5, "probability of a wrong recommendation, {range}")
  }
}

/// The budget: the number of decisions that a policy plans with.
enum Budget {
  /// Returns the given number of decisions, or that of the problem.
  static func value(_ given: Double?, _ problem: Problem) -> Int {
    Int(min(given ?? Double(problem.horizon), 1_000_000_000_000))
  }
}
