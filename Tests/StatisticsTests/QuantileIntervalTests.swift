import Testing

@testable import Statistics

@Suite("Quantiles between order statistics")
struct QuantileIntervalTests {
  @Test("the median's interval follows from powers of one half")
  func median() throws {
    // Of 10 values, P(B ≤ 1) = 11/1024 is within 2.5 % and P(B ≤ 2) = 56/1024 is not.
    let ten = try #require(QuantileInterval(0.5, count: 10))
    #expect(ten.low == 2 && ten.high == 9)
    #expect(abs(ten.coverage - (1 - 22.0 / 1_024)) < 1e-14)
    // Of 6 values, P(B = 0) = 1/64.
    let six = try #require(QuantileInterval(0.5, count: 6))
    #expect(six.low == 1 && six.high == 6)
    #expect(abs(six.coverage - 62.0 / 64) < 1e-14)
  }

  @Test("a sample that is too small has no end on that side")
  func tooSmall() throws {
    // Of 5 values, P(B = 0) = 1/32 is more than 2.5 %.
    let five = try #require(QuantileInterval(0.5, count: 5))
    #expect(five.low == nil && five.high == nil && five.coverage == 1)
    // Of 3 values with p = 0.9: P(B ≤ 1) = 0.028 and P(B ≤ 2) = 0.271 about 25 %; P(B ≥ 3) = 0.729.
    let three = try #require(QuantileInterval(0.9, count: 3, level: 0.5))
    #expect(three.low == 2 && three.high == nil)
    #expect(abs(three.coverage - 0.972) < 1e-14)
  }

  @Test("it agrees with sums of binomial probabilities", arguments: 1...40)
  func direct(count: Int) throws {
    for p in [0.03, 0.1, 0.25, 0.5, 0.9, 0.975] {
      for level in [0.5, 0.9, 0.95, 0.999] {
        var chances: [Double] = []
        var ways = 1.0
        for k in 0...count {
          let rest = (0..<(count - k)).reduce(1.0) { product, _ in product * (1 - p) }
          chances.append(ways * (0..<k).reduce(rest) { product, _ in product * p })
          ways = ways * Double(count - k) / Double(k + 1)
        }
        let tail = (1 - level) / 2 * (1 + 1e-9)
        let low = (1...count).last { chances[0..<$0].reduce(0, +) <= tail }
        let high = (1...count).first { chances[$0...].reduce(0, +) <= tail }
        let interval = try #require(QuantileInterval(p, count: count, level: level))
        #expect(interval.low == low && interval.high == high, "\(count), \(p), \(level)")
        let coverage = chances[(low ?? 0)..<(high ?? count + 1)].reduce(0, +)
        #expect(abs(interval.coverage - coverage) < 1e-12, "\(count), \(p), \(level)")
      }
    }
  }

  @Test("of a million values the ranks are those of the normal approximation")
  func large() throws {
    let interval = try #require(QuantileInterval(0.5, count: 1_000_000))
    // 500,000 ± 1.96 · 500.
    #expect(interval.low == 499_020 && interval.high == 500_981)
  }

  @Test("nil without values, or for invalid probabilities")
  func outOfRange() {
    for p in [0, 1, -0.1, 1.1, Double.nan] { #expect(QuantileInterval(p, count: 5) == nil) }
    for level in [0, 1, Double.nan] {
      #expect(QuantileInterval(0.5, count: 5, level: level) == nil)
    }
    #expect(QuantileInterval(0.5, count: 0) == nil)
  }

  @Test("the nine types of the lower quartile of 1 ... 10 are those that R gives")
  func types() {
    let expected = [3, 3, 2, 2.5, 3, 2.75, 3.25, 2 + 11.0 / 12, 2.9375]
    for type in QuantileType.allCases {
      let quartile = type.quantile(0.25, of: (1...10).map(Double.init)) ?? .nan
      #expect(abs(quartile - expected[type.rawValue - 1]) < 1e-14, "type \(type.rawValue)")
    }
    #expect(QuantileType.allCases.map(\.rawValue) == Array(1...9))
  }

  @Test("if p · n is an integer but for rounding, types that jump use that rank")
  func wholeRanks() {
    let values = (1...50).map(Double.init)
    // 0.14 · 50 is a little above 7.
    #expect(QuantileType.inverse.quantile(0.14, of: values) == 7)
    #expect(QuantileType.averagedInverse.quantile(0.14, of: values) == 7.5)
    #expect(QuantileType.nearestEven.quantile(0.05, of: values) == 2)
    #expect(QuantileType.nearestEven.quantile(0.07, of: values) == 4)
    #expect(QuantileType.averagedInverse.quantile(1, of: values) == 50)
  }
}
