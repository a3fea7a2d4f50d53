internal import Statistics

/// A sliding window over the rewards of all variants, with counts and sums per variant.
struct RewardWindow: Sendable {
  /// Grow up to the size, so that a large window takes no memory before it fills.
  private var rewards: [Double] = []
  private var variants: [Int] = []
  private var next = 0
  private let size: Int
  /// The number of rewards of each variant in the window.
  private(set) var counts: [Int]
  /// The sum of the rewards of each variant in the window.
  private(set) var sums: [Double]
  /// The number of rewards in the window.
  private(set) var filled = 0

  /// Creates an empty window for at least 1 reward.
  init(_ variantCount: Int, size: Int) {
    self.size = max(1, size)
    counts = [Int](repeating: 0, count: variantCount)
    sums = [Double](repeating: 0, count: variantCount)
  }

  /// Adds a reward.
  ///
  /// - Returns: The variant whose reward was evicted; nil for none.
  @inline(__always)
  mutating func add(_ variant: Int, _ reward: Double) -> Int? {
    var gone: Int?
    if filled == size {
      let oldest = variants[next]
      counts[oldest] -= 1
      sums[oldest] -= rewards[next]
      gone = oldest
      rewards[next] = reward
      variants[next] = variant
    } else {
      filled += 1
      rewards.append(reward)
      variants.append(variant)
    }
    counts[variant] += 1
    sums[variant] += reward
    next += 1
    if next == size { turn() }
    return gone
  }

  /// Recomputes the sums once per cycle, so that rounding errors do not accumulate.
  private mutating func turn() {
    next = 0
    for variant in sums.indices { sums[variant] = 0 }
    for place in rewards.indices { sums[variants[place]] += rewards[place] }
  }
}

/// A streaming argmax that breaks ties at random.
struct RandomTieArgmax {
  private(set) var best = -Double.infinity
  private(set) var winner = 0
  private(set) var ties = 0

  /// Enters a variant; an index of NaN never wins.
  @inline(__always)
  mutating func enter(_ variant: Int, _ index: Double, _ random: inout Xoshiro256) {
    if index > best {
      (best, winner, ties) = (index, variant, 1)
    } else if index == best {
      ties += 1
      if Draw.index(below: ties, using: &random) == 0 { winner = variant }
    }
  }

  /// The winner with its propensity.
  var choice: Choice { Choice(winner, propensity: 1 / Double(max(1, ties))) }
}
