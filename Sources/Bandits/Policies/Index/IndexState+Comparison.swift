internal import Statistics

extension IndexState {
  /// Computes the indices whose close estimates are next to the largest one, and breaks ties at random.
  @inline(never)
  mutating func compare(
    _ now: IndexSituation, next first: Double, _ random: inout Xoshiro256
  ) -> Choice {
    candidates.removeAll(keepingCapacity: true)
    if first > -.infinity {
      estimates.forEach(from: least(first)) { candidates.append((variant: $0, index: $1)) }
    }
    var best = -Double.infinity
    var leader = ArmTally()
    for place in candidates.indices {
      let variant = candidates[place].variant
      let arm = table.arms[variant]
      if P.margin > 0 {
        // Variants that tie often have equal tallies, and then equal indices.
        let isKnown = best > -.infinity && arm == leader
        candidates[place].index = isKnown ? best : index(variant, now)
      }
      if candidates[place].index > best { (best, leader) = (candidates[place].index, arm) }
    }
    return pick(best, now, &random)
  }

  /// Computes the indices that may be the largest, and breaks ties at random.
  @inline(never)
  mutating func compare(_ now: IndexSituation, _ random: inout Xoshiro256) -> Choice {
    candidates.removeAll(keepingCapacity: true)
    let best = fill(now)
    return pick(best, now, &random)
  }

  /// Computes indices in descending order of their estimates, until no estimate reaches the largest index.
  ///
  /// - Returns: The largest index.
  private mutating func fill(_ now: IndexSituation) -> Double {
    var best = -Double.infinity
    // Those of the largest index, which variants with an equal tally share.
    var (leader, known) = (ArmTally(), IndexTerms<Double>.unknown)
    while true {
      let variant = estimates.largest
      guard table.indices.contains(variant), estimates[variant] >= best,
        estimates[variant] > -.infinity
      else { return best }
      estimates.exclude(variant)
      guard table.roster.has(variant) else { continue }
      let arm = table.arms[variant]
      if best > -.infinity, arm == leader {
        candidates.append((variant, best))
        estimates.set(variant, known)
        continue
      }
      if abs(best) < .infinity, arm.decisions > 0,
        let terms = policy.terms(arm, now, below: best)
      {
        estimates.set(variant, terms)
        continue
      }
      let value = index(variant, now)
      candidates.append((variant, value))
      let terms = arm.decisions > 0 ? policy.terms(arm, now, index: value) : .unknown
      estimates.set(variant, terms)
      if value > best { (best, leader, known) = (value, arm, terms) }
    }
  }

  /// Chooses uniformly among the candidates with the largest index, in the order of the variants.
  private func pick(_ best: Double, _ now: IndexSituation, _ random: inout Xoshiro256) -> Choice {
    if best == -.infinity { return table.roster.largest(&random) { index($0, now) } }
    var (count, winner) = (0, -1)
    for candidate in candidates where candidate.index == best {
      count += 1
      winner = candidate.variant
    }
    if count == 1 { return Choice(winner) }
    winner = -1
    for _ in 0...Draw.index(below: count, using: &random) {
      winner = candidates.reduce(Int.max) {
        $1.index == best && $1.variant > winner && $1.variant < $0 ? $1.variant : $0
      }
    }
    return Choice(winner, propensity: 1 / Double(count))
  }
}
