internal import Statistics

/// A bound on indices, up to a number of rewards learned.
struct IndexBound: Sendable {
  var bound = 0.0
  /// The growth of the bound for each unit by which the abscissa grows from `start` on.
  var slope = 0.0
  var start = 0.0
  /// The number of rewards up to which it holds; −1 if it does not.
  var end = -1
  /// The number of times that a search confirmed the last choice since it changed.
  var confirmations = 0

  @inline(__always)
  mutating func set(_ bound: Double, slope: Double = 0, start: Double = 0, end: Int) {
    (self.bound, self.slope, self.start, self.end) = (bound, slope, start, end)
  }

  @inline(__always)
  func value(at x: Double) -> Double { bound + slope * max(0, x - start) }
}

extension IndexState {
  /// Whether the index of the last choice exceeds the bound on all others.
  @inline(__always)
  mutating func isAhead(_ now: IndexSituation) -> Bool {
    if !P.isEstimateClose { return policy.exceeds(rival.bound, table.arms[last], now, &memory) }
    let x = policy.abscissa(now)
    let estimate = estimates.estimate(last, policy, x)
    return P.isEstimateLine
      ? estimate > rival.value(at: x) : estimate - slack(estimate) > rival.bound
  }

  /// Chooses by the estimates of all variants.
  @inline(never)
  mutating func search(_ now: IndexSituation, _ random: inout Xoshiro256) -> Choice {
    rival.end = -1
    let x = policy.abscissa(now)
    if P.isEstimateClose {
      let first = estimates.searchLargest(policy, x)
      let (count, variant) = estimates.variant(from: least(first))
      if count == 1 { return variant == last ? confirmed(now) : changed(Choice(variant)) }
      return changed(compare(now, next: first, &random))
    }
    let leader = estimates.search(policy, x)
    if leader.first == .infinity, isUnknown(last),
      policy.exceeds(leader.second, table.arms[last], now, &memory)
    {
      return confirmed(now, leader.second)
    }
    return changed(compare(now, &random))
  }

  /// Returns the least estimate of an index that may be the largest one, from the largest estimate.
  @inline(__always)
  func least(_ first: Double) -> Double {
    abs(first) < .infinity ? first - 2 * slack(first) : first
  }

  /// Whether nothing is known of the index of a variant since its last reward.
  @inline(__always)
  private func isUnknown(_ variant: Int) -> Bool {
    estimates[variant] == .infinity && table.arms[variant].decisions > 0
  }

  @inline(__always)
  private mutating func changed(_ choice: Choice) -> Choice {
    last = choice.variant
    rival.confirmations = 0
    return choice
  }

  /// Returns the last choice, which is ahead by its close estimate. Bounds the others only if that happens again and
  /// again.
  @inline(__always)
  private mutating func confirmed(_ now: IndexSituation) -> Choice {
    rival.confirmations &+= 1
    return rival.confirmations < 4 ? Choice(last) : confirmed(now, estimates.leader.second)
  }

  /// Returns the last choice once more, and bounds the other indices for the next decisions: estimates are monotonic,
  /// and largest at one end.
  @inline(__always)
  private mutating func confirmed(_ now: IndexSituation, _ second: Double) -> Choice {
    if P.needsBestMean { return Choice(last) }
    if P.isEstimateLine {
      let (b, a) = estimates.steepest
      let start = policy.abscissa(now)
      // Rounding moves estimates and this bound by less than about 10⁻¹⁵ relative to their terms.
      rival.set(
        second + 1e-13 * (a + start * b), slope: b * (1 + 1e-13), start: start, end: .max)
      return Choice(last)
    }
    let end = table.learned + table.learned / 32
    let later = situation(end, bestMean: now.bestMean)
    let leader = estimates.search(policy, policy.abscissa(later))
    let other = max(second, leader.variant == last ? leader.second : leader.first)
    rival.set(other + slack(other), end: end)
    return Choice(last)
  }
}
