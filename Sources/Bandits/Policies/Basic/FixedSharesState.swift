internal import Specifications
public import Statistics

/// A policy with constant probabilities, for a fixed number of variants.
protocol FixedSharesPolicy: AllocationPolicy where State == FixedSharesState {
  /// The probability of each variant.
  var shares: [Double] { get }

  /// Returns why the policy is not for a number of variants, which are called `choices` or `variants`.
  func mismatch(_ count: Int, _ choices: String) -> String
}

extension FixedSharesPolicy {
  public func allocation(over arms: [ArmTally]) -> Allocation {
    arms.count == shares.count
      ? Allocation(probabilities: shares)
      : .equal(arms.count, refusal: mismatch(arms.count, "choices"))
  }

  public func makeState(_ problem: Problem) throws(SpecificationError) -> FixedSharesState {
    guard problem.variants == shares.count else {
      throw SpecificationError(mismatch(problem.variants, "variants"))
    }
    return FixedSharesState(shares)
  }
}

/// The state of a policy with constant probabilities.
public struct FixedSharesState: AllocatingState {
  private let shares: [Double]
  private var current: [Double]

  init(_ shares: [Double]) { (self.shares, current) = (shares, shares) }

  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    Choice(from: current, &random)
  }

  public var allocation: Allocation { Allocation(probabilities: current) }

  public func probability(of variant: Int) -> Double { current[variant] }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {}

  /// Renormalizes the probabilities over the available variants; they are equal if all available ones have probability
  /// 0.
  public mutating func offer(_ available: [Bool]) {
    current = shares.restricted(to: available)
  }
}

extension Choice {
  /// Draws a choice from probabilities.
  @inline(__always)
  init(from shares: [Double], _ random: inout Xoshiro256) {
    let variant = Draw.index(weights: shares, using: &random)
    self.init(variant, propensity: shares[variant])
  }
}

extension [Double] {
  /// Returns the probabilities conditional on choosing an available variant.
  func restricted(to available: [Bool]) -> [Double] {
    let left = indices.map { available[$0] ? self[$0] : 0 }
    let total = left.reduce(0, +)
    if total > 0 { return left.map { $0 / total } }
    let there = available.count { $0 }
    return available.map { $0 ? 1 / Double(Swift.max(1, there)) : 0 }
  }
}
