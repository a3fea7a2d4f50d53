public import Specifications

/// `successive-rejects:horizon=H`: fixed-budget best-arm identification in K − 1 phases, each of which eliminates the
/// worst variant.
///
/// J.-Y. Audibert, S. Bubeck and R. Munos, "Best arm identification in multi-armed bandits" (COLT 2010), Successive
/// Rejects: in phase k each remaining variant is chosen until it was chosen ⌈(n − K) / (L·(K + 1 − k))⌉ times, where L
/// is 1/2 + 1/2 + 1/3 + … + 1/K. For a fixed budget n, and a low simple regret at its end.
public struct SuccessiveRejects: Policy {
  public static let info = SpecificationInfo(
    "successive-rejects", "eliminates the worst variant after each of K - 1 phases",
    [BudgetParameter.declaration], source: "Audibert, Bubeck and Munos 2010, Successive Rejects")

  public static var agentIncompatibility: String? {
    AgentRefusal.tossedVariants
  }

  public let specification: Specification
  private let budget: BudgetParameter

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(horizon: Int? = nil) throws(SpecificationError) {
    try self.init(
      Self.info.specification(BudgetParameter.declaration.written(horizon)), variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    budget = try BudgetParameter(specification)
  }

  public func makeState(_ problem: Problem) -> PhasedEliminationState {
    PhasedEliminationState(
      problem.variants, Self.phases(variants: problem.variants, budget: budget.value(problem)))
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

/// The budget: the number of decisions that a policy plans with.
struct BudgetParameter: Sendable {
  private let given: Double?

  static let declaration = Parameter.horizon()

  init(_ specification: Specification) throws(SpecificationError) {
    given = try Self.declaration.value(in: specification).map(Double.init)
  }

  func value(_ problem: Problem) -> Int {
    Int(min(given ?? Double(problem.horizon), 1_000_000_000_000))
  }
}
