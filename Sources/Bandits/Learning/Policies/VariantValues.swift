internal import Statistics

/// The estimated value of each variant over some decisions: sums of gains and of their denominators, exact.
struct VariantValues: Sendable {
  private(set) var count = 0
  private var gains: [ExactSum]
  private var shares: [ExactSum]
  /// The number of shares that are 1 and not in ``shares``.
  private var ones: [Int]

  init(_ variants: Int) {
    gains = Array(repeating: ExactSum(), count: variants)
    shares = gains
    ones = Array(repeating: 0, count: variants)
  }

  /// Adds a decision; choices that are no variants are left out.
  @inline(__always)
  mutating func add(_ decision: borrowing LearningDecision, _ objective: PolicyObjective) {
    count += 1
    for place in decision.choices.indices {
      let variant = decision.choices[place]
      guard variant >= 0, variant < gains.count else { continue }
      let gain = objective.gain(place, decision)
      if gain != 0 { gains[variant].add(gain) }
      let share = objective.share(place, decision)
      if share == 1 { ones[variant] += 1 } else if share != 0 { shares[variant].add(share) }
    }
  }

  mutating func merge(_ other: VariantValues) {
    count += other.count
    for variant in gains.indices {
      gains[variant].merge(other.gains[variant])
      shares[variant].merge(other.shares[variant])
      ones[variant] += other.ones[variant]
    }
  }

  mutating func subtract(_ other: VariantValues) {
    count -= other.count
    for variant in gains.indices {
      gains[variant].subtract(other.gains[variant])
      shares[variant].subtract(other.shares[variant])
      ones[variant] -= other.ones[variant]
    }
  }

  /// The value of each variant; nil for one that was never a choice or, self-normalized, never chosen.
  var values: [Double?] {
    gains.indices.map { variant in
      var share = shares[variant]
      share.add(1, times: ones[variant])
      return share.value > 0 ? gains[variant].value / share.value : nil
    }
  }

  /// Returns the probabilities with the greatest Σπv − λΣ(π − 1/K)²/2 over the K variants that have a value v, and that
  /// maximum. Without λ, the variants of the greatest value share the probability. Without values, all variants do.
  ///
  /// The maximum is at the projection of 1/K + v/λ onto the simplex: J. Duchi et al., "Efficient projections onto the
  /// l1-ball for learning in high dimensions" (ICML 2008), figure 1.
  func best(_ lambda: Double) -> (probabilities: [Double], value: Double) {
    let values = values
    let known = values.compactMap { $0 }
    guard let greatest = known.max() else {
      return (values.map { _ in 1 / Double(max(values.count, 1)) }, 0)
    }
    let equal = 1 / Double(known.count)
    guard lambda > 0 else {
      let share = 1 / Double(known.count { $0 == greatest })
      return (values.map { $0 == greatest ? share : 0 }, greatest)
    }
    // The values are taken relative to the greatest one, which changes no probability.
    let points = values.map { $0.map { equal + ($0 - greatest) / lambda } }
    var (sum, threshold) = (0.0, -Double.infinity)
    for (count, point) in points.compactMap({ $0 }).sorted(by: >).enumerated() {
      sum += point
      let next = (sum - 1) / Double(count + 1)
      guard point > next else { break }
      threshold = next
    }
    let probabilities = points.map { max(0, ($0 ?? -.infinity) - threshold) }
    var value = 0.0
    for (probability, known) in zip(probabilities, values) {
      guard let known else { continue }
      value += probability * known - lambda / 2 * (probability - equal) * (probability - equal)
    }
    return (probabilities, value)
  }
}
