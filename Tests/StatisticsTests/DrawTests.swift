import Testing

@testable import Statistics

@Suite struct DrawTests {
  static let seeds: [UInt64] = [1, 2, 3]

  @Test(arguments: seeds)
  func unitsAreUniformMultiplesOf53Bits(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    let sample = (0..<100_000).map { _ in Draw.unit(using: &generator) }
    #expect(sample.allSatisfy { $0 >= 0 && $0 < 1 && $0 * 0x1p53 == ($0 * 0x1p53).rounded() })
    #expect(kolmogorovSmirnovRatio(sample) { $0 } <= 1)
  }

  @Test func unitsReachTheirEndsAndOpenUnitsDoNot() {
    var (zeros, ones) = (Constant(word: 0), Constant(word: .max))
    #expect(Draw.unit(using: &zeros) == 0)
    #expect(Draw.unit(using: &ones) == 1 - 0x1p-53)
    #expect(Draw.openUnit(using: &zeros) == 0x1p-53)
    #expect(Draw.openUnit(using: &ones) == 1 - 0x1p-53)
  }

  @Test(arguments: [1, 2, 3, 7, 64, 1000] as [UInt64], seeds)
  func integersBelowABoundAreEquallyLikely(bound: UInt64, seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    var counts = [Int](repeating: 0, count: Int(bound))
    for _ in 0..<50_000 { counts[Draw.index(below: Int(bound), using: &generator)] += 1 }
    let share = 1 / Double(bound)
    #expect(chiSquareRatio(counts, probabilities: counts.map { _ in share }) <= 1)
  }

  /// With a bound of ¾·2⁶⁴ a quarter of all words is rejected; without that, the multiples of three
  /// would be twice as likely as the other results.
  @Test(arguments: seeds)
  func aHugeBoundIsNotBiased(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    var counts = [0, 0, 0]
    for _ in 0..<30_000 {
      counts[Int(Draw.integer(below: 3 << 62, using: &generator) % 3)] += 1
    }
    #expect(chiSquareRatio(counts, probabilities: [1.0 / 3, 1.0 / 3, 1.0 / 3]) <= 1)
  }

  @Test(arguments: [0, 0.001, 0.3, 0.5, 0.99, 1], seeds)
  func bernoulliDrawsAreTrueAsOftenAsStated(p: Double, seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    let count = (0..<100_000).count { _ in Draw.bernoulli(p, using: &generator) }
    #expect(abs(Double(count) - 1e5 * p) <= 5 * (1e5 * p * (1 - p)).squareRoot())
  }

  @Test(arguments: seeds)
  func normalDrawsFollowTheNormalDistribution(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    let sample = (0..<200_000).map { _ in
      Draw.normal(mean: -3, standardDeviation: 0.5, using: &generator)
    }
    #expect(kolmogorovSmirnovRatio(sample) { StandardNormal.cdf(2 * ($0 + 3)) } <= 1)
    let deviations = momentDeviations(sample, mean: -3, variance: 0.25, excessKurtosis: 0)
    #expect(deviations.mean <= 5)
    #expect(deviations.variance <= 5)
  }

  /// Cells of equal probability, and finer ones in the tail beyond the last layer's edge.
  @Test(arguments: seeds)
  func theZigguratHasNoSeams(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    let edges = (1..<200).map { StandardNormal.quantile(Double($0) / 200) } + [3.2, 3.654, 3.8]
    var counts = [Int](repeating: 0, count: edges.count + 1)
    for _ in 0..<500_000 {
      let x = Draw.normal(using: &generator)
      counts[edges.partitioningIndex { x < $0 }] += 1
    }
    let bounds = [0] + edges.map(StandardNormal.upperTail).map { 1 - $0 } + [1]
    var probabilities = zip(bounds, bounds.dropFirst()).map { $1 - $0 }
    probabilities[edges.count] = StandardNormal.upperTail(3.8)
    #expect(chiSquareRatio(counts, probabilities: probabilities) <= 1)
  }

  @Test func theLayersOfTheZigguratHaveEqualAreas() throws {
    let edges = Ziggurat.edges.indices.map { Ziggurat.edges[$0] }
    #expect(edges.count == 257)
    let heights = edges.map { StandardNormal.density($0) / StandardNormal.density(0) }
    let area = edges[0] * heights[1]
    for layer in 1..<256 {
      let slab = edges[layer] * (heights[layer + 1] - heights[layer])
      #expect(relativeError(slab, area) <= 1e-12, "layer \(layer)")
    }
    #expect(zip(edges, edges.dropFirst()).allSatisfy { $0 > $1 })
  }

  /// In each layer the curve lies at a known share of the height; just below it is accepted.
  @Test func theWedgesEndAtTheCurve() {
    let top = StandardNormal.density(0)
    for layer in 1..<256 {
      let (outer, inner) = (Ziggurat.edges[layer], Ziggurat.edges[layer + 1])
      let x = 0.3 * inner + 0.7 * outer
      let bottom = StandardNormal.density(outer) / top
      let height = StandardNormal.density(inner) / top - bottom
      let share = (StandardNormal.density(x) / top - bottom) / height
      #expect(Ziggurat.liesUnderCurve(x, layer, share - 1e-9), "layer \(layer)")
      #expect(!Ziggurat.liesUnderCurve(x, layer, share + 1e-9), "layer \(layer)")
    }
  }

  @Test(arguments: seeds)
  func theTailFollowsTheConditionalDistribution(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    let sample = (0..<50_000).map { _ in Draw.normalTail(using: &generator) }
    let whole = StandardNormal.upperTail(Ziggurat.tailStart)
    #expect(kolmogorovSmirnovRatio(sample) { 1 - StandardNormal.upperTail($0) / whole } <= 1)
  }

  @Test(arguments: seeds)
  func noSpreadGivesTheMean(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    #expect(Draw.normal(mean: 2, standardDeviation: 0, using: &generator) == 2)
  }

  @Test(arguments: seeds)
  func theSameSeedGivesTheSameDraws(seed: UInt64) {
    func draws() -> [Double] {
      var generator = Xoshiro256(seed: seed)
      return (0..<100).flatMap { _ in
        [
          Draw.normal(using: &generator), Draw.gamma(shape: 0.3, using: &generator),
          Draw.beta(2, 0.5, using: &generator), Draw.exponential(using: &generator),
          Double(Draw.poisson(mean: 30, using: &generator)),
        ]
      }
    }
    #expect(draws() == draws())
  }
}

/// A generator that repeats one word.
struct Constant: RandomNumberGenerator {
  let word: UInt64

  mutating func next() -> UInt64 { word }
}

extension [Double] {
  /// The first index at which the predicate holds, in an array where it holds from there on.
  func partitioningIndex(where holds: (Double) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
