internal import Statistics

/// What is known in one part of the contexts.
struct TreeLeaf: Sendable {
  /// How often each variant was chosen, and the sums of its rewards.
  private(set) var counts: [Double]
  private(set) var sums: [Double]
  private(set) var total = 0
  /// How many decisions there must be before it is looked at for a cut.
  var nextTry: Int
  /// The decisions, as long as there is room for all of them.
  private(set) var contexts: [Double] = []
  private(set) var variants: [Int] = []
  private(set) var rewards: [Double] = []

  init(variants: Int, nextTry: Int) {
    counts = [Double](repeating: 0, count: variants)
    sums = counts
    self.nextTry = nextTry
  }

  /// Whether all decisions are still there.
  var keepsAll: Bool { rewards.count == total }

  /// Adds a decision; when there is no more room, all are forgotten but for counts and sums.
  mutating func add(_ x: [Double], _ variant: Int, _ reward: Double, capacity: Int) {
    counts[variant] += 1
    sums[variant] += reward
    total += 1
    guard rewards.count == total - 1 else { return }
    guard total <= capacity else {
      (contexts, variants, rewards) = ([], [], [])
      return
    }
    contexts.append(contentsOf: x)
    variants.append(variant)
    rewards.append(reward)
  }

  /// Where the leaf is best divided; nil where that is not worth it.
  ///
  /// - Complexity: O(d·n·log n) for n decisions with d numbers.
  func bestCut(dimension: Int) -> (feature: Int, threshold: Double)? {
    var error = rewards.reduce(0) { $0 + $1 * $1 }
    for variant in counts.indices where counts[variant] > 0 {
      error -= sums[variant] * sums[variant] / counts[variant]
    }
    // Rounding leaves a little where all rewards of a variant are alike.
    guard error.isFinite, error > 1e-9 * Double(total) else { return nil }
    let n = Double(total)
    var best = 0.0
    var cut: (feature: Int, threshold: Double)?
    for feature in 0..<dimension {
      eachCut(feature, dimension) { threshold, gain, means in
        let left = max(error - gain, error * 1e-12)
        let worth = n * Double.log(error / left) - Double.log(n) * Double(means + 1)
        if worth > best { (best, cut) = (worth, (feature, threshold)) }
      }
    }
    return cut
  }

  /// All thresholds of a number with at least a tenth of the decisions on each side: by how much they lower the squared
  /// error, and how many means they add.
  private func eachCut(
    _ feature: Int, _ dimension: Int, _ body: (Double, Double, Int) -> Void
  ) {
    let order = rewards.indices.sorted {
      let (a, b) = (contexts[$0 * dimension + feature], contexts[$1 * dimension + feature])
      return a != b ? a < b : $0 < $1
    }
    var lowCounts = [Double](repeating: 0, count: counts.count)
    var lowSums = lowCounts
    var gain = 0.0
    var means = 0
    let least = max(1, total / 10)
    for (place, index) in order.enumerated() where place < order.count - 1 {
      let variant = variants[index]
      let before = gainOf(variant, lowCounts[variant], lowSums[variant])
      lowCounts[variant] += 1
      lowSums[variant] += rewards[index]
      let after = gainOf(variant, lowCounts[variant], lowSums[variant])
      gain += (after ?? 0) - (before ?? 0)
      means += (after == nil ? 0 : 1) - (before == nil ? 0 : 1)
      let here = contexts[index * dimension + feature]
      let next = contexts[order[place + 1] * dimension + feature]
      if next > here, place + 1 >= least, total - place - 1 >= least {
        body(here + (next - here) / 2 < next ? here + (next - here) / 2 : here, gain, means)
      }
    }
  }

  /// By how much it lowers the squared error of a variant to give the low side a mean of its own; nil where one side has
  /// none of it.
  private func gainOf(_ variant: Int, _ count: Double, _ sum: Double) -> Double? {
    let (restCount, restSum) = (counts[variant] - count, sums[variant] - sum)
    guard count > 0, restCount > 0 else { return nil }
    return sum * sum / count + restSum * restSum / restCount - sums[variant] * sums[variant]
      / counts[variant]
  }
}
