import Statistics

/// A Thompson sampler with delayed rewards that knows the probability of each of its choices.
///
/// A variant's posterior is Beta(1 + rewards that have arrived, 1 + decisions without one so far), so a pending reward
/// counts as a failure until it arrives. The probability of each variant to be the best is recomputed from time to
/// time, raised to at least 0.01 and rounded to a multiple of 0.0001; the choice is then drawn from these numbers. The
/// logged probability is therefore exactly the one with which the choice was made, whatever the error of the integral.
struct ThompsonLogger {
  /// The minimum probability of a variant, in ten thousandths.
  static let floor = 100

  /// The probabilities in ten thousandths, summing to 10,000.
  private(set) var shares: [Int]

  /// The shares as probabilities.
  private(set) var probabilities: [Double]

  private var decisions: [Int]
  private var rewards: [Int]
  private var total = 0
  private var nextUpdate = 0

  init(variants: Int) {
    decisions = Array(repeating: 0, count: variants)
    rewards = decisions
    shares = decisions
    probabilities = []
    update()
  }

  /// Chooses a variant with the current ``probabilities``, which are recomputed every 200 decisions and, once there
  /// are more than 12,800, after 1/64 more of them.
  mutating func choose(using generator: inout Xoshiro256) -> Int {
    if total >= nextUpdate { update() }
    total += 1
    var rest = Int(Draw.integer(below: 10_000, using: &generator))
    var chosen = 0
    while chosen < shares.count - 1, rest >= shares[chosen] {
      rest -= shares[chosen]
      chosen += 1
    }
    return chosen
  }

  /// Counts a decision that will count in reports.
  mutating func count(decisionFor variant: Int) {
    decisions[variant] += 1
  }

  /// Processes a reward that has arrived.
  mutating func count(rewardFor variant: Int) {
    rewards[variant] += 1
  }

  private mutating func update() {
    nextUpdate = total + max(200, total / 64)
    let posteriors = decisions.indices.map {
      ArmPosterior(a: 1 + rewards[$0], b: 1 + max(0, decisions[$0] - rewards[$0]))
    }
    shares = Self.shares(of: ArmPosterior.probabilitiesOfBest(posteriors))
    probabilities = shares.map { Double($0) / 10_000 }
  }

  /// Returns probabilities in ten thousandths that sum to 10,000, none below the floor. What rounding down leaves is
  /// assigned to the largest remainders, the first of equal ones.
  static func shares(of probabilities: [Double]) -> [Int] {
    let free = Double(10_000 - floor * probabilities.count)
    let exact = probabilities.map { Double(floor) + free * $0 }
    var shares = exact.map { Int($0) }
    let order = exact.indices.sorted { first, second in
      let (a, b) = (exact[first] - Double(shares[first]), exact[second] - Double(shares[second]))
      return a != b ? a > b : first < second
    }
    var rest = 10_000 - shares.reduce(0, +)
    while rest > 0, !order.isEmpty {
      for index in order where rest > 0 {
        shares[index] += 1
        rest -= 1
      }
    }
    return shares
  }
}
