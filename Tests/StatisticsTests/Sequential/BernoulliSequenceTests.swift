import Testing

@testable import Statistics

@Suite("Confidence sequence of a proportion")
struct BernoulliSequenceTests {
  @Test("holds the proportions that the mixture does not reject, with few trials too")
  func notRejected() throws {
    let (tightestAt, alpha) = (50.0, 0.0025)
    let sequence = BernoulliSequence(tightestAt: tightestAt, alpha: alpha)
    for trials in [1, 2, 3, 4, 5, 10, 30, 200] {
      for successes in 0...trials where successes < 12 || trials - successes < 12 {
        let interval = try #require(
          sequence.interval(Proportion(successes: successes, trials: trials)))
        for thousandth in 1..<1_000 {
          let p = Double(thousandth) / 1_000
          let isIn = Self.logRatio(p, successes, trials, tightestAt, alpha) < -Double.log(alpha)
          #expect(
            isIn == (interval.low...interval.high).contains(p),
            "\(successes) of \(trials), \(p): \(interval)")
        }
      }
    }
  }

  /// ln of the likelihood of the trials under the Beta mixture over the one under p.
  private static func logRatio(
    _ p: Double, _ successes: Int, _ trials: Int, _ tightestAt: Double, _ alpha: Double
  ) -> Double {
    let (x, rest) = (Double(successes), Double(trials - successes))
    let variance = p * (1 - p)
    let log = -2 * Double.log(alpha)
    let rho = tightestAt * variance / (log + Double.log(1 + log))
    let r = max(rho - variance, 1e-3 * variance)
    let (a, b) = (r / (1 - p), r / p)
    return logBeta(a + x, b + rest) - logBeta(a, b) - x * Double.log(p) - rest * Double.log(1 - p)
  }

  private static func logBeta(_ a: Double, _ b: Double) -> Double {
    Double.logGamma(a) + Double.logGamma(b) - Double.logGamma(a + b)
  }
}
