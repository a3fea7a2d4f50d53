internal import Statistics

/// Draws of a ``Softmax`` policy, from weights that are relative to a mean close to the best one, and in any order.
///
/// They differ from those of ``Softmax/allocation(over:)`` by a common factor and rounding, so that a draw is the same
/// unless it is next to the end of an interval.
struct SoftmaxDraws {
  private let policy: Softmax
  private var weights: [Double]
  /// The sum of the weights.
  private var total = 0.0
  /// The mean that weights are relative to.
  private var reference = 0.0
  /// The number of weights that changed since all were computed.
  private var age = 0

  init(_ policy: Softmax, _ arms: [ArmTally]) {
    self.policy = policy
    weights = [Double](repeating: 0, count: arms.count)
    reset(arms)
  }

  private mutating func reset(_ arms: [ArmTally]) {
    reference = arms.reduce(-.infinity) { max($0, $1.mean) }
    (total, age) = (0, 0)
    for variant in weights.indices {
      weights[variant] = policy.weight(arms[variant].mean, best: reference)
      total += weights[variant]
    }
  }

  /// Returns a draw; nil, with no word taken, if the exact weights are needed.
  @inline(__always)
  func next(_ random: inout Xoshiro256) -> Int? {
    var copy = random
    var rest = Draw.unit(using: &copy) * total
    // All sums are off by less: 1024 updates of the total, of which each adds 2⁻⁵² of at most e, and a few roundings of
    // each weight.
    let margin = total * 0x1p-48 * Double(weights.count &+ 1_024)
    for variant in weights.indices {
      let weight = weights[variant]
      if rest < weight {
        guard rest > margin, weight - rest > margin else { return nil }
        random = copy
        return variant
      }
      rest -= weight
    }
    return nil
  }

  /// Updates the weight of a variant whose tally changed.
  @inline(__always)
  mutating func set(_ variant: Int, _ arms: [ArmTally]) {
    let weight = policy.weight(arms[variant].mean, best: reference)
    total += weight - weights[variant]
    weights[variant] = weight
    age &+= 1
    // False also for NaN. The best weight is at least the total divided by the number of weights.
    let isClose = weight <= 2.5 && total >= 0.4
    if !isClose || age == 1_024 { reset(arms) }
  }
}
