/// The posterior of an effect, a normal distribution.
public struct NormalPosterior: Sendable, Equatable {
  /// The posterior mean.
  public let mean: Double
  /// The posterior standard deviation, positive.
  public let standardDeviation: Double

  /// Creates the posterior of an estimate with a normal error under a flat or normal prior; returns nil if the standard
  /// error is not positive.
  ///
  /// - Parameters:
  ///   - estimate: The estimate.
  ///   - standardError: The standard error of the estimate.
  ///   - prior: The mean and variance of the prior; flat if nil.
  public init?(
    estimate: Double, standardError: Double, prior: (mean: Double, variance: Double)? = nil
  ) {
    guard standardError > 0, standardError.isFinite else { return nil }
    guard let prior, prior.variance > 0 else {
      (mean, standardDeviation) = (estimate, standardError)
      return
    }
    let (data, before) = (1 / (standardError * standardError), 1 / prior.variance)
    mean = (estimate * data + prior.mean * before) / (data + before)
    standardDeviation = (1 / (data + before)).squareRoot()
  }

  /// The probability that the effect is positive: the chance to win.
  public var chanceToWin: Double { StandardNormal.cdf(mean / standardDeviation) }

  /// The expected loss of choosing the control: E max(0, effect).
  public var lossOfControl: Double { partialExpectation(mean) }

  /// The expected loss of choosing the treatment: E max(0, −effect).
  public var lossOfTreatment: Double { partialExpectation(-mean) }

  /// Returns the equal-tailed credible interval of the effect.
  public func credibleInterval(level: Double = 0.95) -> Interval {
    let z = -StandardNormal.quantile((1 - level) / 2)
    return Interval(mean - z * standardDeviation, mean + z * standardDeviation)
  }

  private func partialExpectation(_ mean: Double) -> Double {
    let z = mean / standardDeviation
    return max(0, standardDeviation * StandardNormal.density(z) + mean * StandardNormal.cdf(z))
  }
}
