import Testing

@testable import Statistics

@Suite struct DrawPoissonTests {
  static let seeds: [UInt64] = [1, 2, 3]

  /// Cells 0, 1, 2, … from the recurrence of the probabilities, with rare counts pooled at the
  /// ends.
  @Test(arguments: [0.1, 1, 3.3, 9.99, 10, 25.5, 200], seeds)
  func poissonDrawsFollowTheirDistribution(mean: Double, seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    let rounds = 100_000
    let spread = 3 * mean.squareRoot()
    let first = Int(max(0, mean - spread))
    let last = Int(mean + max(spread, 2))
    let all = (0...last).map { count -> Double in
      let k = Double(count)
      return Double.exp(k * Double.log(mean) - mean - Double.logGamma(k + 1))
    }
    var probabilities = Array(all[first...])
    probabilities[0] += all[..<first].reduce(0, +)
    probabilities[last - first] += 1 - all.reduce(0, +)
    var counts = [Int](repeating: 0, count: probabilities.count)
    for _ in 0..<rounds {
      let draw = Draw.poisson(mean: mean, using: &generator)
      counts[min(max(draw, first), last) - first] += 1
    }
    #expect(chiSquareRatio(counts, probabilities: probabilities) <= 1)
  }

  @Test(arguments: [0.5, 10, 1e3, 1e8, 1e15], seeds)
  func poissonDrawsHaveTheRightMoments(mean: Double, seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    // Taken around the mean, so that large ones keep their digits.
    let sample = (0..<50_000).map { _ in
      Double(Draw.poisson(mean: mean, using: &generator)) - mean
    }
    let deviations = momentDeviations(
      sample, mean: 0, variance: mean, excessKurtosis: 1 / mean)
    #expect(deviations.mean <= 5)
    #expect(deviations.variance <= 5)
  }

  @Test func aMeanOfZeroGivesZero() {
    var generator = Xoshiro256(seed: 1)
    #expect((0..<100).allSatisfy { _ in Draw.poisson(mean: 0, using: &generator) == 0 })
  }

  @Test func theProbabilityIsThatOfTheTextbook() {
    // mpmath: 12·ln 10 − 10 − ln 12!, and the same for 0.
    #expect(relativeError(Draw.logPoissonProbability(12, 10), -2.3561933797333379) <= 1e-15)
    #expect(Draw.logPoissonProbability(0, 10) == -10)
  }
}

@Suite struct DrawCategoricalTests {
  static let weights: [[Double]] = [
    [3], [1, 1], [0, 1, 0], [0.2, 0, 0.5, 0.3], [0.05, 5, 2, 0.1, 7, 0, 1], [1e300, 1e300, 2e300],
    [0.1, 0.2, 0.3, 0.1, 0.1, 0.1, 0.1],
  ]

  @Test(arguments: weights, [1, 2, 3] as [UInt64])
  func indicesAreDrawnByWeight(weights: [Double], seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    let table = AliasTable(weights: weights)
    var (direct, aliased) = (weights.map { _ in 0 }, weights.map { _ in 0 })
    for _ in 0..<50_000 {
      direct[Draw.index(weights: weights, using: &generator)] += 1
      aliased[table.draw(using: &generator)] += 1
    }
    let total = weights.reduce(0, +)
    let positive = weights.indices.filter { weights[$0] > 0 }
    for counts in [direct, aliased] {
      #expect(weights.indices.allSatisfy { weights[$0] > 0 || counts[$0] == 0 })
      let ratio = chiSquareRatio(
        positive.map { counts[$0] }, probabilities: positive.map { weights[$0] / total })
      #expect(ratio <= 1)
    }
  }

  /// What the columns of the table add up to for each index, against the weights.
  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func theColumnsAddUpToTheWeights(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    for count in [1, 2, 3, 10, 1000] {
      let weights = (0..<count).map { _ in
        Draw.bernoulli(0.2, using: &generator) ? 0 : Draw.gamma(shape: 0.5, using: &generator)
      }
      guard weights.contains(where: { $0 > 0 }) else { continue }
      let table = AliasTable(weights: weights)
      #expect(table.count == count)
      var shares = table.thresholds
      for (threshold, alias) in zip(table.thresholds, table.aliases) {
        shares[alias] += 1 - threshold
      }
      let total = weights.reduce(0, +)
      for (share, weight) in zip(shares, weights) {
        // The largest share is 1000 columns of rounding errors of 2⁻⁵³ each, and more to spare.
        #expect(abs(share / Double(count) - weight / total) <= 1e-13)
        #expect(weight > 0 || share == 0)
      }
    }
  }
}
