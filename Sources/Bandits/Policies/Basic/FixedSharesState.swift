public import Statistics

/// The state of a policy with constant probabilities.
public struct FixedSharesState: AllocatingState {
  private let shares: [Double]
  private var current: [Double]

  init(_ shares: [Double]) { (self.shares, current) = (shares, shares) }

  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let variant = Draw.index(weights: current, using: &random)
    return Choice(variant, propensity: current[variant])
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
