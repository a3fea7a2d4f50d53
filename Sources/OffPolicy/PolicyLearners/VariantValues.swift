internal import Bandits
internal import Statistics

/// The estimated value of each variant over some decisions: sums of gains and of their denominators, exact.
struct VariantValues: Sendable {
  private(set) var count = 0
  private var gains: [ExactSum]
  private var shares: [ExactSum]
  /// The number of shares that are 1 and not in ``shares``.
  private var ones: [Int]

  /// Decisions with the same choices and predictions.
  private struct Group: Sendable {
    var choices: [Int]
    /// The predictions; empty if the objective needs none.
    var modelled: [Double]
    var count = 0
  }

  /// The sum over all choices of groups, which is added to the sums when they are read.
  private var groups: [LearningGroup: Group] = [:]

  init(_ variants: Int) {
    gains = Array(repeating: ExactSum(), count: variants)
    shares = gains
    ones = Array(repeating: 0, count: variants)
  }

  /// Adds a decision; choices that are no variants are left out.
  @inline(__always)
  mutating func add(_ decision: borrowing LearningDecision, _ objective: PolicyObjective) {
    count += 1
    if let group = decision.group { return add(decision, objective, to: group) }
    for place in decision.choices.indices {
      let variant = decision.choices[place]
      guard variant >= 0, variant < gains.count else { continue }
      add(objective.gain(place, decision), objective.share(place, decision), to: variant)
    }
  }

  @inline(__always)
  private mutating func add(_ gain: Double, _ share: Double, to variant: Int) {
    if gain != 0 { gains[variant].add(gain) }
    if share == 1 { ones[variant] += 1 } else if share != 0 { shares[variant].add(share) }
  }

  /// Adds a decision of a group: only what its chosen variant adds more than the other choices.
  private mutating func add(
    _ decision: borrowing LearningDecision, _ objective: PolicyObjective, to group: LearningGroup
  ) {
    let isNew = groups[group] == nil
    if isNew {
      groups[group] = Group(
        choices: objective == .snips ? [] : decision.choices,
        modelled: objective.needsModel ? decision.modelled : [])
    }
    groups[group]?.count += 1
    let (place, variant) = (decision.chosen, decision.choices[decision.chosen])
    guard variant >= 0, variant < gains.count else { return }
    if objective == .snips {
      add(objective.gain(place, decision), objective.share(place, decision), to: variant)
    } else {
      add(objective.gain(place, decision), 0, to: variant)
      if objective.needsModel { add(-decision.modelled[place], 0, to: variant) }
    }
  }

  /// The same sums without groups.
  private var expanded: VariantValues {
    guard !groups.isEmpty else { return self }
    var sums = self
    sums.groups = [:]
    for group in groups.values {
      for (place, variant) in group.choices.enumerated()
      where variant >= 0 && variant < gains.count {
        sums.ones[variant] += group.count
        if !group.modelled.isEmpty {
          sums.gains[variant].add(group.modelled[place], times: group.count)
        }
      }
    }
    return sums
  }

  mutating func merge(_ other: VariantValues) {
    count += other.count
    for variant in gains.indices {
      gains[variant].merge(other.gains[variant])
      shares[variant].merge(other.shares[variant])
      ones[variant] += other.ones[variant]
    }
    for (key, group) in other.groups {
      if groups[key] == nil { groups[key] = group } else { groups[key]?.count += group.count }
    }
  }

  mutating func subtract(_ other: VariantValues) {
    count -= other.count
    for variant in gains.indices {
      gains[variant].subtract(other.gains[variant])
      shares[variant].subtract(other.shares[variant])
      ones[variant] -= other.ones[variant]
    }
    for (key, group) in other.groups { groups[key]?.count -= group.count }
  }

  /// The value of each variant; nil for one that was never a choice or, self-normalized, never chosen.
  var values: [Double?] {
    let sums = expanded
    return gains.indices.map { variant in
      var share = sums.shares[variant]
      share.add(1, times: sums.ones[variant])
      return share.value > 0 ? sums.gains[variant].value / share.value : nil
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
