public import Specifications
public import Statistics

/// `uniform`: each variant with the same probability.
public struct Uniform: AllocationPolicy, Parameterless {
  /// Creates the policy.
  public init() {}

  public static let info = SpecificationInfo(
    "uniform", "each variant with the same probability",
    source: "Lattimore and Szepesvári 2020, chapter 1")

  public static let supportsUnavailableVariants = true

  public func makeState(_ problem: Problem) -> UniformState { UniformState(problem.variants) }

  public func allocation(over arms: [ArmTally]) -> Allocation { .equal(arms.count) }
}

/// The state of the uniform policy: the available variants.
public struct UniformState: PolicyState {
  private var there: [Int]

  init(_ variants: Int) { there = Array(0..<variants) }

  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    guard !there.isEmpty else { return Choice(0) }
    return Choice(
      there[Draw.index(below: there.count, using: &random)], propensity: 1 / Double(there.count))
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {}

  public mutating func offer(_ available: [Bool]) {
    there = available.indices.filter { available[$0] }
  }
}
