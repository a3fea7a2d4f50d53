public import Statistics

/// The state of an ``IndexPolicy``.
///
/// The indices of all variants are estimated at once. A close estimate that is ahead decides; otherwise the indices of
/// those variants are computed whose estimates do not exclude that they are the largest.
public struct IndexState<P: IndexPolicy>: PolicyState {
  let policy: P
  var table: ArmTable
  var estimates: IndexEstimates
  let logarithms = CountLogarithms()
  /// The last choice. Where it is likely the next one, a branch on it lets the processor go on before the search ends.
  var last = 0
  /// A bound on the indices of all variants but the last choice.
  var rival = IndexBound()
  /// The memory of the last choice.
  var memory = P.Memory()
  /// The largest magnitude of a mean so far, to which the rounding of close estimates is relative.
  private var size = 0.0
  /// Scratch space: the variants whose indices were computed, and these.
  var candidates: [(variant: Int, index: Double)] = []
  /// The mean of each variant, if the best one is needed.
  private var means: [Double]

  init(_ policy: P, _ problem: Problem) {
    self.policy = policy
    table = ArmTable(problem.variants)
    estimates = IndexEstimates(problem.variants)
    means = [Double](repeating: 0, count: P.needsBestMean ? problem.variants : 0)
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
    if let first = table.roster.unchosen(&random) { return first }
    let now = now
    if table.learned <= rival.end, isAhead(now) { return Choice(last) }
    // Passed as a copy, so that the generator's words can stay in registers when this is inlined.
    var copy = random
    defer { random = copy }
    return search(now, &copy)
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
    if choice.variant != last { rival.end = -1 }
    update(choice.variant)
  }

  public mutating func offer(_ available: [Bool]) {
    table.offer(available)
    for variant in table.indices { update(variant) }
    rival.end = -1
  }

  @inline(__always)
  public mutating func advance(
    _ steps: Range<Int>, of run: StationaryRun, _ choices: inout MutableSpan<Int>,
    _ reward: inout Double, _ random: inout Xoshiro256
  ) -> Int {
    guard P.isEstimateClose, choices.count == 2 else { return 0 }
    return advancePair(steps, run, &choices, &reward)
  }

  /// Updates the estimate of a variant whose tally or availability changed.
  @inline(__always)
  mutating func update(_ variant: Int) {
    let arm = table.arms[variant]
    if P.isEstimateClose, P.margin > 0 { size = Swift.max(size, abs(arm.mean)) }
    if !table.roster.has(variant) {
      estimates.set(variant, .certain(-.infinity))
    } else if arm.decisions == 0 || !P.isEstimateClose {
      estimates.set(variant, .unknown)
    } else {
      let known = IndexSituation(choices: Double(table.arms.count))
      estimates.set(variant, policy.terms(arm, known, index: .nan))
    }
  }

  /// The totals over all variants.
  @inline(__always)
  var now: IndexSituation {
    let bestMean = P.needsBestMean ? means.reduce(-.infinity) { $1 > $0 ? $1 : $0 } : 0
    return situation(table.learned, bestMean: bestMean)
  }

  /// Returns the totals after a number of rewards.
  @inline(__always)
  func situation(_ learned: Int, bestMean: Double) -> IndexSituation {
    IndexSituation(
      decisions: Double(learned), log: logarithms[learned], choices: Double(table.arms.count),
      bestMean: bestMean)
  }

  /// By how much an index may differ from a close estimate that is the largest one.
  @inline(__always)
  func slack(_ estimate: Double) -> Double {
    P.isEstimateClose && P.margin > 0 ? P.margin + 0x1p-40 * (abs(estimate) + size) : 0
  }

  /// Returns the index of a variant.
  @inline(__always)
  func index(_ variant: Int, _ now: IndexSituation) -> Double {
    let arm = table.arms[variant]
    // Chosen, but its rewards are pending.
    return arm.decisions == 0 ? .infinity : policy.index(arm, now)
  }
}
