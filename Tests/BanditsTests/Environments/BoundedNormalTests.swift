import Statistics
import TestSupport
import Testing

@testable import Bandits

@Suite("Truncated and clipped normal rewards")
struct BoundedNormalTests {
  /// The mean by 4000 rectangles in the middle of which the density or the upper tail is looked at.
  private func naiveMean(
    _ center: Double, _ deviation: Double, _ bounds: ClosedRange<Double>, _ cut: BoundedNormal.Cut
  ) -> Double {
    let width = bounds.upperBound - bounds.lowerBound
    let nearest = min(max(center, bounds.lowerBound), bounds.upperBound)
    var (weights, sum, tails) = (0.0, 0.0, 0.0)
    for part in 0..<4000 {
      let x = bounds.lowerBound + width * (Double(part) + 0.5) / 4000
      let (z, z0) = ((x - center) / deviation, (nearest - center) / deviation)
      let weight = StandardNormal.density(((z - z0) * (z + z0)).squareRoot())
      weights += weight
      sum += weight * (x - bounds.lowerBound)
      tails += StandardNormal.upperTail(z) / 4000
    }
    return bounds.lowerBound + (cut == .clipped ? width * tails : sum / weights)
  }

  @Test("the mean changes: mean 0.7 and deviation 3, cut at 0 and 1")
  func trap() throws {
    // SMPyBandits, which clips, has a sampled mean of 0.5266; the digits are from the closed form.
    let clipped = try #require(BoundedNormal(center: 0.7, deviation: 3, bounds: 0...1, .clipped))
    #expect(abs(clipped.mean - 0.5264541167486698) < 1e-13)
    let truncated = try #require(
      BoundedNormal(center: 0.7, deviation: 3, bounds: 0...1, .truncated))
    #expect(abs(truncated.mean - 0.5018449871496008) < 1e-12)
  }

  @Test("means agree with a rectangle sum")
  func means() throws {
    var random = SeededGenerator(seed: 21)
    for _ in 0..<300 {
      let low = Double.random(in: -3...3, using: &random)
      let bounds = low...(low + Double.random(in: 0.1...4, using: &random))
      let center = Double.random(in: -6...6, using: &random)
      let deviation = random.pick([0.4, 1, 3, 30, 1000, 50_000], or: 1)
      for cut in BoundedNormal.Cut.allCases {
        let normal = try #require(
          BoundedNormal(center: center, deviation: deviation, bounds: bounds, cut))
        let naive = naiveMean(center, deviation, bounds, cut)
        #expect(abs(normal.mean - naive) < 2e-5, "\(center) \(deviation) \(bounds) \(cut)")
      }
    }
  }

  @Test("means are continuous where the formula changes")
  func seam() throws {
    for center in [-3, 0.2, 0.5, 4] {
      for cut in BoundedNormal.Cut.allCases {
        let near = try #require(
          BoundedNormal(center: center, deviation: 4 * (1 - 1e-12), bounds: 0...1, cut))
        let far = try #require(
          BoundedNormal(center: center, deviation: 4 * (1 + 1e-12), bounds: 0...1, cut))
        #expect(abs(near.mean - far.mean) < 1e-11)
      }
    }
  }

  @Test("a wide truncated distribution is uniform, a wide clipped one a coin toss")
  func wide() throws {
    for cut in BoundedNormal.Cut.allCases {
      let normal = try #require(
        BoundedNormal(center: 0.3, deviation: 1e6, bounds: 0...1, cut))
      #expect(abs(normal.mean - 0.5) < 1e-6)
    }
  }

  @Test(
    "draws follow the truncated distribution, in its tails too",
    arguments: [(0.5, 0.3), (0.7, 3.0), (-5.0, 1.0), (6.0, 1.0), (-30.0, 1.0), (0.2, 1e5)])
  func truncated(center: Double, deviation: Double) throws {
    let text = "truncated-gaussian:means=\(center),deviations=\(deviation)"
    let values = try sample(text, variant: 0, count: 5000)
    #expect(values.allSatisfy { (0...1).contains($0) })
    let sign = center > 0.5 ? 1.0 : -1.0
    // P(lower bound to x) with tails on the side where they keep their digits.
    func tail(_ x: Double) -> Double { StandardNormal.cdf(sign * (x - center) / deviation) }
    #expect(distanceRatio(values) { (tail($0) - tail(0)) / (tail(1) - tail(0)) } < 1)
    let arms = try #require(try EnvironmentExamples.make(text).arms)
    #expect(hasMean(values, arms[0].mean))
  }

  @Test("draws beyond the bounds are clipped")
  func clipped() throws {
    let values = try sample("clipped-gaussian:means=0.7,deviations=3", variant: 0, count: 10_000)
    #expect(hasMean(values.map { $0 == 0 ? 1 : 0 }, StandardNormal.cdf(-0.7 / 3)))
    #expect(hasMean(values.map { $0 == 1 ? 1 : 0 }, StandardNormal.upperTail(0.1)))
    #expect(hasMean(values, 0.5264541167486698))
  }

  @Test("bounds far away change nothing, and a mean far outside gives the bound")
  func far() throws {
    for cut in BoundedNormal.Cut.allCases {
      let free = try #require(BoundedNormal(center: 2, deviation: 1, bounds: -1e9...1e9, cut))
      #expect(abs(free.mean - 2) < 1e-12)
    }
    let high = try #require(BoundedNormal(center: 1e9, deviation: 1, bounds: 0...1, .clipped))
    #expect(high.mean == 1)
    #expect(BoundedNormal(center: 1e9, deviation: 1, bounds: 0...1, .truncated) == nil)
    #expect(BoundedNormal(center: 0, deviation: 0, bounds: 0...1, .clipped) == nil)
  }
}
