public import Statistics

/// The state of an ``IndexPolicy``.
///
/// The indices of all variants are estimated at once. A close estimate that is ahead decides; otherwise the indices of
/// those variants are computed whose estimates do not exclude that they are the largest.
public struct IndexState<P: IndexPolicy>: PolicyState {
  private let policy: P
  private var table: ArmTable
  private var estimates: IndexEstimates
  /// The last choice. Where it is likely the next one, a branch on it lets the processor go on before the search ends.
  private var last = 0
  /// A bound on the indices of all variants but the last choice, up to a number of rewards learned; −1 if unknown. It
  /// grows with the abscissa from `rivalStart` on.
  private var rival = 0.0
  private var rivalSlope = 0.0
  private var rivalStart = 0.0
  private var rivalEnd = -1
  /// Scratch space: the indices that were computed; NaN for others.
  private var values: [Double]
  /// The mean of each variant, if the best one is needed.
  private var means: [Double]

  init(_ policy: P, _ problem: Problem) {
    self.policy = policy
    table = ArmTable(problem.variants)
    estimates = IndexEstimates(problem.variants)
    values = [Double](repeating: 0, count: problem.variants)
    means = values
  }

  @specialized(where P == UCB1)
  @specialized(where P == UCB)
  @specialized(where P == UCB1Tuned)
  @specialized(where P == UCBV)
  @specialized(where P == MOSS)
  @specialized(where P == KLUCB)
  @specialized(where P == KLUCBPlus)
  @specialized(where P == KLUCBPlusPlus)
  @specialized(where P == KLUCBGaussian)
  @specialized(where P == KLUCBPoisson)
  @specialized(where P == KLUCBExponential)
  @specialized(where P == OCUCB)
  @specialized(where P == IMED)
  @specialized(where P == BayesUCB)
  @inline(__always)
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if let first = table.unchosen(&random) { return first }
    let now = now
    if table.learned <= rivalEnd, isAhead(now) { return Choice(last) }
    // Passed as a copy, so that the generator's words can stay in registers when this is inlined.
    var copy = random
    defer { random = copy }
    return search(now, &copy)
  }

  /// Whether the index of the last choice exceeds the bound on all others.
  @inline(__always)
  private func isAhead(_ now: IndexSituation) -> Bool {
    if !P.isEstimateClose { return policy.exceeds(rival, table.arms[last], now) }
    let x = policy.abscissa(now)
    let estimate = estimates.estimate(last, policy, x)
    if P.isEstimateLine { return estimate > rival + rivalSlope * max(0, x - rivalStart) }
    return estimate - slack(estimate) > rival
  }

  /// Chooses by the estimates of all variants.
  @inline(never)
  private mutating func search(_ now: IndexSituation, _ random: inout Xoshiro256) -> Choice {
    rivalEnd = -1
    let leader = estimates.search(policy, policy.abscissa(now))
    if P.isEstimateClose {
      if leader.first - slack(leader.first) > leader.second {
        if estimates[last] == leader.first { return confirmed(now, leader.second) }
        return changed(Choice(leader.variant))
      }
    } else if leader.first == .infinity, isUnknown(last),
      policy.exceeds(leader.second, table.arms[last], now)
    {
      return confirmed(now, leader.second)
    }
    return changed(compare(now, leader.first, &random))
  }

  @inline(__always)
  private mutating func changed(_ choice: Choice) -> Choice {
    last = choice.variant
    return choice
  }

  /// Returns the last choice once more, and bounds the other indices for the next decisions: estimates are monotonic, and
  /// largest at one end.
  @inline(__always)
  private mutating func confirmed(_ now: IndexSituation, _ second: Double) -> Choice {
    if P.needsBestMean { return Choice(last) }
    if P.isEstimateLine {
      let (b, a) = estimates.steepest
      (rivalStart, rivalEnd) = (policy.abscissa(now), .max)
      // Rounding moves estimates and this bound by less than about 10⁻¹⁵ relative to their terms.
      rivalSlope = b * (1 + 1e-13)
      rival = second + 1e-13 * (a + rivalStart * b)
      return Choice(last)
    }
    rivalEnd = table.learned + table.learned / 32
    let later = IndexSituation(
      decisions: Double(rivalEnd), choices: now.choices, bestMean: now.bestMean)
    let leader = estimates.search(policy, policy.abscissa(later))
    let other = max(second, leader.variant == last ? leader.second : leader.first)
    rival = other + slack(other)
    return Choice(last)
  }

  /// The totals over all variants.
  @inline(__always)
  private var now: IndexSituation {
    let bestMean = P.needsBestMean ? means.reduce(-.infinity) { $1 > $0 ? $1 : $0 } : 0
    return IndexSituation(
      decisions: Double(table.learned), choices: Double(table.arms.count), bestMean: bestMean)
  }

  /// By how much an index may differ from a close estimate.
  @inline(__always)
  private func slack(_ estimate: Double) -> Double {
    P.isEstimateClose && P.margin > 0 ? P.margin + 0x1p-40 * abs(estimate) : 0
  }

  /// Whether nothing is known of the index of a variant since its last reward.
  @inline(__always)
  private func isUnknown(_ variant: Int) -> Bool {
    estimates[variant] == .infinity && table.arms[variant].decisions > 0
  }

  /// Computes the indices that may be the largest, and breaks ties at random.
  @inline(never)
  private mutating func compare(
    _ now: IndexSituation, _ first: Double, _ random: inout Xoshiro256
  ) -> Choice {
    for variant in values.indices { values[variant] = .nan }
    let best = P.isEstimateClose ? fill(now, within: first) : fill(now)
    if best == -.infinity { return table.largest(&random) { index($0, now) } }
    return pick(best, &random)
  }

  /// Computes the indices of those whose close estimates are next to the largest one.
  ///
  /// - Returns: The largest index.
  private mutating func fill(_ now: IndexSituation, within first: Double) -> Double {
    let least = abs(first) < .infinity ? first - 2 * slack(first) : first
    var best = -Double.infinity
    for variant in values.indices where estimates[variant] >= least && table.has(variant) {
      values[variant] = P.margin == 0 ? estimates[variant] : index(variant, now)
      if values[variant] > best { best = values[variant] }
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
      guard variant < values.count, estimates[variant] >= best, estimates[variant] > -.infinity
      else { return best }
      estimates.exclude(variant)
      guard table.has(variant) else { continue }
      values[variant] = index(variant, now)
      if table.arms[variant].decisions > 0 {
        let terms = policy.terms(table.arms[variant], now, index: values[variant])
        estimates.set(variant, terms)
      }
      if values[variant] > best { best = values[variant] }
    }
  }

  @inline(__always)
  private func index(_ variant: Int, _ now: IndexSituation) -> Double {
    let arm = table.arms[variant]
    // Chosen, but its rewards are pending.
    return arm.decisions == 0 ? .infinity : policy.index(arm, now)
  }

  /// Chooses uniformly among the variants with the largest index.
  private func pick(_ best: Double, _ random: inout Xoshiro256) -> Choice {
    var (count, winner) = (0, 0)
    for variant in values.indices where values[variant] == best {
      count += 1
      winner = variant
    }
    if count == 1 { return Choice(winner) }
    var place = Draw.index(below: count, using: &random)
    for variant in values.indices where values[variant] == best {
      if place == 0 { winner = variant }
      place -= 1
    }
    return Choice(winner, propensity: 1 / Double(count))
  }

  @specialized(where P == UCB1)
  @specialized(where P == UCB)
  @specialized(where P == UCB1Tuned)
  @specialized(where P == UCBV)
  @specialized(where P == MOSS)
  @specialized(where P == KLUCB)
  @specialized(where P == KLUCBPlus)
  @specialized(where P == KLUCBPlusPlus)
  @specialized(where P == KLUCBGaussian)
  @specialized(where P == KLUCBPoisson)
  @specialized(where P == KLUCBExponential)
  @specialized(where P == OCUCB)
  @specialized(where P == IMED)
  @specialized(where P == BayesUCB)
  @inline(__always)
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
    if P.needsBestMean { means[choice.variant] = table.arms[choice.variant].mean }
    if choice.variant != last { rivalEnd = -1 }
    update(choice.variant)
  }

  /// Updates the estimate of a variant whose tally or availability changed.
  @inline(__always)
  private mutating func update(_ variant: Int) {
    let arm = table.arms[variant]
    if !table.has(variant) {
      estimates.set(variant, .certain(-.infinity))
    } else if arm.decisions == 0 || !P.isEstimateClose {
      estimates.set(variant, .unknown)
    } else {
      let known = IndexSituation(choices: Double(table.arms.count))
      estimates.set(variant, policy.terms(arm, known, index: .nan))
    }
  }

  public mutating func offer(_ available: [Bool]) {
    table.offer(available)
    for variant in table.indices { update(variant) }
    rivalEnd = -1
  }
}
