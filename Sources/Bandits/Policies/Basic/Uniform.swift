public import Statistics

/// `uniform`: each variant with the same probability.
public struct Uniform: Policy, AllocationPolicy {
  /// What there is to say about it.
  public static let guide = Guide(
    "uniform", "each variant with the same probability",
    source: "Lattimore and Szepesvári 2020, chapter 1")

  /// Equal parts of those that are there.
  public static let takesAbsence = true

  /// How it is written.
  public let specification: Specification

  /// Makes the policy.
  public init() { self.init(Self.guide.specification(), variants: []) }

  /// Makes the policy, which has no parameters.
  public init(_ specification: Specification, variants: [String]) {
    self.specification = specification
  }

  /// Nothing is learned.
  public func makeState(_ problem: Problem) -> UniformState { UniformState(problem.variants) }

  /// Equal parts, whatever was learned.
  public func allocation(over arms: [ArmTally]) -> Allocation { .equal(arms.count) }
}

/// Which variants there are.
public struct UniformState: PolicyState {
  private var there: [Int]

  init(_ variants: Int) { there = Array(0..<variants) }

  /// Any variant.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    guard !there.isEmpty else { return Choice(0) }
    return Choice(
      there[Draw.index(below: there.count, using: &random)], propensity: 1 / Double(there.count))
  }

  /// Nothing is learned.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {}

  /// Some variants come or go.
  public mutating func offer(_ available: [Bool]) {
    there = available.indices.filter { available[$0] }
  }
}
