internal import Statistics

/// A state that draws variants by weights, or uniformly with a fixed probability.
protocol WeightedState: AllocatingState {
  /// The weights, up to a common factor.
  var weights: [Double] { get }

  /// The sum of the weights.
  var total: Double { get }

  /// The probability of a uniform draw; nil (the default) if weights alone decide.
  var exploration: Double? { get }
}

extension WeightedState {
  @inline(__always)
  var exploration: Double? { nil }

  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let variant: Int
    if let exploration, Draw.unit(using: &random) < exploration {
      variant = Draw.index(below: weights.count, using: &random)
    } else {
      variant = weights.place(of: Draw.unit(using: &random) * total)
    }
    return Choice(variant, propensity: probability(of: variant))
  }

  public var allocation: Allocation {
    Allocation(probabilities: weights.indices.map { probability(of: $0) })
  }
}
