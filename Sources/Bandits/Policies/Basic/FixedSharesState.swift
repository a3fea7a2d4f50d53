public import Statistics

/// Variants with shares that never change.
public struct FixedSharesState: SharingState {
  private let shares: [Double]
  private var current: [Double]

  init(_ shares: [Double]) { (self.shares, current) = (shares, shares) }

  /// A variant by its share.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let variant = Draw.index(weights: current, using: &random)
    return Choice(variant, propensity: current[variant])
  }

  func probability(of variant: Int) -> Double { current[variant] }

  /// Nothing is learned.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {}

  /// The shares of those that are there, or equal ones where all that are there have none.
  public mutating func offer(_ available: [Bool]) {
    current = shares.restricted(to: available)
  }
}

extension [Double] {
  /// Probabilities given that one of the variants that are there is chosen.
  func restricted(to available: [Bool]) -> [Double] {
    let left = indices.map { available[$0] ? self[$0] : 0 }
    let total = left.reduce(0, +)
    if total > 0 { return left.map { $0 / total } }
    let there = available.count { $0 }
    return available.map { $0 ? 1 / Double(Swift.max(1, there)) : 0 }
  }
}
