/// What is believed of an effect after the data, as a normal distribution.
public struct NormalPosterior: Sendable, Equatable {
  /// Its mean.
  public let mean: Double
  /// Its standard deviation, positive.
  public let standardDeviation: Double

  /// The posterior of an estimate with a normal error, under a flat prior or a normal one; nil when the error is
  /// not positive.
  ///
  /// - Parameters:
  ///   - estimate: the estimate.
  ///   - standardError: its standard error.
  ///   - prior: mean and variance of the prior; flat when nil.
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

  /// What is lost on average by choosing the control: E max(0, effect).
  public var lossOfControl: Double { partialExpectation(mean) }

  /// What is lost on average by choosing the treatment: E max(0, −effect).
  public var lossOfTreatment: Double { partialExpectation(-mean) }

  /// The interval that holds the effect with the probability, with equal tails.
  public func credibleInterval(level: Double = 0.95) -> Interval {
    let z = -StandardNormal.quantile((1 - level) / 2)
    return Interval(mean - z * standardDeviation, mean + z * standardDeviation)
  }

  private func partialExpectation(_ mean: Double) -> Double {
    let z = mean / standardDeviation
    return max(0, standardDeviation * StandardNormal.density(z) + mean * StandardNormal.cdf(z))
  }
}
