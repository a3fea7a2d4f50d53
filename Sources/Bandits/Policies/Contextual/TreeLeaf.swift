internal import Statistics

/// The decisions in one leaf of the tree.
struct TreeLeaf: Sendable {
  /// The number of times each variant was chosen.
  private(set) var counts: [Double]
  private(set) var sums: [Double]
  private(set) var total = 0
  /// The number of decisions at which the leaf is next considered for a split.
  var nextTry: Int
  /// The decisions, as long as all of them fit.
  private(set) var contexts: [Double] = []
  private(set) var variants: [Int] = []
  private(set) var rewards: [Double] = []

  init(variants: Int, nextTry: Int) {
    counts = [Double](repeating: 0, count: variants)
    sums = counts
    self.nextTry = nextTry
  }

  /// Whether all decisions are still stored.
  var keepsAll: Bool { rewards.count == total }

  /// Adds a decision; beyond the capacity only counts and sums are kept.
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

  /// Returns the best split of the leaf; nil if none is worthwhile.
  ///
  /// - Complexity: O(d·n·log n) for n decisions with d features.
  func bestCut(dimension: Int) -> (feature: Int, threshold: Double)? {
    var error = rewards.reduce(0) { $0 + $1 * $1 }
    for variant in counts.indices where counts[variant] > 0 {
      error -= sums[variant] * sums[variant] / counts[variant]
    }
    // Rounding leaves a small residual even if all rewards of a variant are equal.
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

  /// Enumerates all thresholds of a feature with at least a tenth of the decisions on each side, with the reduction of
  /// the squared error and the number of means added.
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

  /// Returns by how much a separate mean on the low side reduces the squared error of a variant; nil if a side has no
  /// decisions for it.
  private func gainOf(_ variant: Int, _ count: Double, _ sum: Double) -> Double? {
    let (restCount, restSum) = (counts[variant] - count, sums[variant] - sum)
    guard count > 0, restCount > 0 else { return nil }
    return sum * sum / count + restSum * restSum / restCount - sums[variant] * sums[variant]
      / counts[variant]
  }
}
