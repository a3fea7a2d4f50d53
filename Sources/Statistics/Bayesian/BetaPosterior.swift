/// The posterior of a proportion, a Beta distribution.
public struct BetaPosterior: Sendable, Equatable {
  /// The number of successes plus the prior's α; positive.
  public let alpha: Double
  /// The number of failures plus the prior's β; positive.
  public let beta: Double

  /// Creates a Beta distribution.
  ///
  /// - Precondition: both parameters are positive.
  public init(alpha: Double, beta: Double) {
    precondition(alpha > 0 && beta > 0, "the parameters of a Beta distribution are positive")
    (self.alpha, self.beta) = (alpha, beta)
  }

  /// Creates the posterior of a proportion under a Beta prior, Beta(1, 1) by default.
  public init(_ proportion: Proportion, prior: (alpha: Double, beta: Double) = (1, 1)) {
    self.init(
      alpha: Double(proportion.successes) + prior.alpha,
      beta: Double(proportion.trials - proportion.successes) + prior.beta)
  }

  /// The mean α/(α + β).
  public var mean: Double { alpha / (alpha + beta) }

  /// Returns the equal-tailed credible interval of the proportion.
  public func credibleInterval(level: Double = 0.95) -> Interval {
    let tail = (1 - level) / 2
    let low = SpecialFunctions.inverseIncompleteBeta(tail, alpha, beta)
    let high = 1 - SpecialFunctions.inverseIncompleteBeta(tail, beta, alpha)
    return Interval(low, max(low, high))
  }

  /// Returns the probability that this proportion is greater than the other, by quadrature to about 1e-12.
  public func chanceToBeat(_ other: BetaPosterior) -> Double {
    expectation { SpecialFunctions.incompleteBeta($0, other.alpha, other.beta) }
  }

  /// Returns the equal-tailed credible interval of the difference of this proportion and the other, by quadrature.
  public func differenceInterval(over other: BetaPosterior, level: Double = 0.95) -> Interval {
    let quantile = { (tail: Double) in
      RootFinding.zero(between: -1, and: 1) { delta in
        other.expectation { cdf($0 + delta) } - tail
      }
    }
    let low = quantile((1 - level) / 2)
    return Interval(low, max(low, quantile(1 - (1 - level) / 2)))
  }

  /// Returns the equal-tailed credible interval of the ratio of this proportion to the other, by quadrature.
  public func ratioInterval(over other: BetaPosterior, level: Double = 0.95) -> Interval {
    let quantile = { (tail: Double) in
      Double.exp(
        RootFinding.zero(between: -60, and: 60) { log in
          let ratio = Double.exp(log)
          return other.expectation { cdf($0 * ratio) } - tail
        })
    }
    let low = quantile((1 - level) / 2)
    return Interval(low, max(low, quantile(1 - (1 - level) / 2)))
  }

  private func cdf(_ x: Double) -> Double {
    SpecialFunctions.incompleteBeta(min(1, max(0, x)), alpha, beta)
  }

  /// Returns the expected loss of choosing the other: E max(0, this − other).
  ///
  /// It is E[p]·P(p* > q) − E[q]·P(p > q*), where the star adds one to α of the proportion that is multiplied.
  public func expectedGain(over other: BetaPosterior) -> Double {
    let mine = BetaPosterior(alpha: alpha + 1, beta: beta).chanceToBeat(other)
    let theirs = chanceToBeat(BetaPosterior(alpha: other.alpha + 1, beta: other.beta))
    return max(0, mean * mine - other.mean * theirs)
  }

  /// Returns the probability of each of several proportions to be the greatest, by quadrature to about 1e-12.
  public static func chancesToBeBest(_ posteriors: [BetaPosterior]) -> [Double] {
    posteriors.indices.map { index in
      posteriors[index].expectation { x in
        var product = 1.0
        for (other, posterior) in posteriors.enumerated() where other != index {
          product *= SpecialFunctions.incompleteBeta(x, posterior.alpha, posterior.beta)
        }
        return product
      }
    }
  }

  /// Returns the expectation of a smooth function of the proportion, integrated over its logit, in which the density is
  /// log-concave and bounded.
  private func expectation(_ function: (Double) -> Double) -> Double {
    let log = -SpecialFunctions.logBeta(alpha, beta)
    let peak = Double.log(alpha / beta)
    let spread = (1 / alpha + 1 / beta).squareRoot()
    let (low, high) = (peak - max(12 * spread, 40 / alpha), peak + max(12 * spread, 40 / beta))
    var panels = 8
    // A wide range with a narrow peak needs more panels.
    while panels < 256, (high - low) / Double(panels) > 2 * spread { panels *= 2 }
    return min(
      1,
      Quadrature.integral(from: low, to: high, panels: panels) { u in
        let (x, y) = (1 / (1 + Double.exp(-u)), 1 / (1 + Double.exp(u)))
        let logDensity = log + alpha * Double.log(x) + beta * Double.log(y)
        return Double.exp(logDensity) * function(x)
      })
  }
}
