internal import Statistics

extension IndexState {
  /// Computes the indices that may be the largest, and breaks ties at random.
  @inline(never)
  mutating func compare(
    _ now: IndexSituation, _ leader: IndexEstimates.Leader, _ random: inout Xoshiro256
  ) -> Choice {
    candidates.removeAll(keepingCapacity: true)
    let best = P.isEstimateClose ? fill(now, next: leader) : fill(now)
    if best == -.infinity { return table.largest(&random) { index($0, now) } }
    return pick(best, &random)
  }

  /// Computes the indices of those whose close estimates are next to the largest one.
  ///
  /// - Returns: The largest index.
  private mutating func fill(_ now: IndexSituation, next leader: IndexEstimates.Leader) -> Double {
    let (first, winner) = (leader.first, leader.variant)
    let least = abs(first) < .infinity ? first - 2 * slack(first) : first
    var best = -Double.infinity
    let isExact = P.margin == 0 || !table.indices.contains(winner)
    let arm = isExact ? ArmTally() : table.arms[winner]
    let known = isExact ? 0 : index(winner, now)
    for variant in table.indices where estimates[variant] >= least && table.has(variant) {
      // Variants that tie often have equal tallies.
      let value =
        P.margin == 0
        ? estimates[variant]
        : !isExact && table.arms[variant] == arm ? known : index(variant, now)
      candidates.append((variant, value))
      if value > best { best = value }
    }
    return best
  }

  /// Computes indices in descending order of their estimates, until no estimate reaches the largest index.
  ///
  /// - Returns: The largest index.
  private mutating func fill(_ now: IndexSituation) -> Double {
    var best = -Double.infinity
    while true {
      let variant = estimates.largest
      guard table.indices.contains(variant), estimates[variant] >= best,
        estimates[variant] > -.infinity
      else { return best }
      estimates.exclude(variant)
      guard table.has(variant) else { continue }
      let value = index(variant, now)
      candidates.append((variant, value))
      if table.arms[variant].decisions > 0 {
        estimates.set(variant, policy.terms(table.arms[variant], now, index: value))
      }
      if value > best { best = value }
    }
  }

  /// Chooses uniformly among the candidates with the largest index.
  private func pick(_ best: Double, _ random: inout Xoshiro256) -> Choice {
    let count = candidates.count { $0.index == best }
    guard count > 1 else {
      return Choice(candidates.first { $0.index == best }?.variant ?? 0)
    }
    let place = Draw.index(below: count, using: &random)
    let winners = candidates.lazy.filter { $0.index == best }.map(\.variant).sorted()
    return Choice(winners[place], propensity: 1 / Double(count))
  }
}
