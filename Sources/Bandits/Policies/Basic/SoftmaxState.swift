public import Statistics

/// The state of a ``Softmax`` policy: the weight of each variant, updated where its mean changed.
///
/// The probabilities are those of ``Softmax/allocation(over:)``, to the last bit.
public struct SoftmaxState: AllocatingState {
  private let policy: Softmax
  private var tallies: AllocatedState<Softmax>
  private var means: [Double]
  /// exp((mean − best)/temperature).
  private var weights: [Double]
  /// The variants in ascending order of their weights.
  private var order: [Int]
  private var shares: [Double]
  /// The mean that the weights are relative to; NaN if they have to be computed.
  private var best = Double.nan
  /// The only variant whose mean may have changed since the shares were computed; −1 for none, −2 for several.
  private var changed = -2

  init(_ policy: Softmax, _ problem: Problem) {
    self.policy = policy
    tallies = AllocatedState(policy, problem)
    means = [Double](repeating: 0, count: problem.variants)
    (weights, shares) = (means, means)
    order = Array(means.indices)
  }

  public var allocation: Allocation { tallies.allocation }

  public func probability(of variant: Int) -> Double { tallies.probability(of: variant) }

  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if changed != -1 { update() }
    return Choice(from: shares, &random)
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    tallies.learn(choice, reward, context)
    changed = changed == -1 || changed == choice.variant ? choice.variant : -2
  }

  public mutating func offer(_ available: [Bool]) {
    tallies.offer(available)
    changed = -2
  }

  /// Makes decisions without their probabilities, until one takes the exact weights.
  public mutating func advance(
    _ steps: Range<Int>, of run: StationaryRun, _ choices: inout MutableSpan<Int>,
    _ reward: inout Double, _ random: inout Xoshiro256
  ) -> Int {
    guard tallies.table.roster.available == nil, tallies.table.arms.flaw == nil else { return 0 }
    changed = -2
    var draws = SoftmaxDraws(policy, tallies.table.arms)
    for step in steps {
      guard let variant = draws.next(&random) else { return step - steps.lowerBound }
      let value = run.reward(variant, step)
      choices[variant] += 1
      reward += value
      tallies.learn(Choice(variant), value, .none)
      draws.set(variant, tallies.table.arms)
    }
    return steps.count
  }

  private mutating func update() {
    // Sums that are not finite, or some variants missing.
    guard tallies.table.roster.available == nil, updateMeans() else {
      shares = allocation.probabilities
      (best, changed) = (.nan, -2)
      return
    }
    updateWeights()
    updateShares()
    changed = -1
  }

  /// Returns false if a sum is not finite.
  private mutating func updateMeans() -> Bool {
    for variant in changed >= 0 ? changed..<changed + 1 : means.indices {
      let arm = tallies.table.arms[variant]
      guard arm.sum.isFinite, arm.squares.isFinite else { return false }
      means[variant] = arm.mean
    }
    return true
  }

  private mutating func updateWeights() {
    let largest = means.reduce(-Double.infinity) { max($0, $1) }
    let isSame = largest == best && changed >= 0
    best = largest
    for variant in isSame ? changed..<changed + 1 : means.indices {
      weights[variant] = policy.weight(means[variant], best: largest)
    }
  }

  /// Sums the weights in ascending order, which hardly changes from step to step.
  private mutating func updateShares() {
    var total = 0.0
    for place in order.indices {
      let variant = order[place]
      var hole = place
      while hole > 0, weights[order[hole - 1]] > weights[variant] {
        order[hole] = order[hole - 1]
        hole -= 1
      }
      order[hole] = variant
    }
    for variant in order { total += weights[variant] }
    for variant in shares.indices { shares[variant] = weights[variant] / total }
  }
}
