/// The sums behind one off-policy estimator of a target policy's value.
///
/// All sums are exact, so the results depend neither on the order of the decisions nor on how parts were merged.
///
/// - Complexity: about 5 KB; an addition is O(1) without allocation.
public struct OffPolicySums: Sendable, Equatable {
  /// The estimator.
  public let estimator: OffPolicyEstimator
  private var means = Moments()
  private var ratios = RatioMoments()
  private var meanByNumerator = ExactSum()
  private var meanByDenominator = ExactSum()

  /// Creates sums without decisions.
  public init(_ estimator: OffPolicyEstimator) { self.estimator = estimator }

  /// Adds a decision.
  public mutating func add(_ decision: LoggedDecision) {
    let terms = estimator.terms(of: decision)
    if let mean = terms.mean { means.add(mean) }
    guard let (numerator, denominator) = terms.ratio else { return }
    ratios.add(numerator, over: denominator)
    guard let mean = terms.mean else { return }
    meanByNumerator.add(product: mean, numerator)
    meanByDenominator.add(product: mean, denominator)
  }

  /// Adds all the decisions of another instance.
  ///
  /// - Precondition: It has the same estimator.
  public mutating func merge(_ other: OffPolicySums) {
    precondition(estimator == other.estimator, "sums of different estimators do not merge")
    means.merge(other.means)
    ratios.merge(other.ratios)
    meanByNumerator.merge(other.meanByNumerator)
    meanByDenominator.merge(other.meanByDenominator)
  }

  /// The number of decisions.
  public var count: Int { max(means.count, ratios.numerator.count) }

  /// The estimated value of the target policy; nil without decisions, and for a self-normalized estimator also if all
  /// weights are zero, as the log then has no information on the target.
  public var value: Double? {
    guard count > 0 else { return nil }
    var value = 0.0
    if means.count > 0 {
      guard let mean = means.mean else { return nil }
      value += mean
    }
    if ratios.numerator.count > 0 {
      guard let ratio = ratio else { return nil }
      value += ratio
    }
    return value
  }

  /// The standard error: that of a mean, and for the self-normalized estimators that of the delta method, in which a
  /// decision counts v̂ + (numerator − R·w)/mean(w), where R is the ratio; nil for fewer than two decisions, or without
  /// a value.
  public var standardError: Double? {
    guard count > 1 else { return nil }
    var variance = 0.0
    if means.count > 0 {
      guard let spread = means.variance else { return nil }
      variance += spread
    }
    if ratios.numerator.count > 0 {
      guard let ratio = ratios.ratio else { return nil }
      variance += ratio.variance
      if means.count > 0 {
        guard let crossed = crossedCovariance(ratio.mean) else { return nil }
        variance += 2 * crossed
      }
    }
    return (max(0, variance) / Double(count)).squareRoot()
  }

  /// Returns the confidence interval value ± z·standard error; nil if either is missing or not finite.
  ///
  /// - Parameter level: The confidence level, between 0 and 1, exclusive.
  /// - Returns: The interval.
  public func interval(level: Double = 0.95) -> Interval? {
    guard let value, let standardError, value.isFinite, standardError.isFinite else { return nil }
    return Difference(
      estimate: value, standardError: standardError, degreesOfFreedom: nil,
      alternative: .twoSided, level: level
    ).interval
  }

  private var ratio: Double? {
    guard let x = ratios.numerator.mean, let y = ratios.denominator.mean, y != 0 else { return nil }
    return x / y
  }

  /// The covariance of the terms of the mean with (numerator − R·denominator)/mean(denominator).
  private func crossedCovariance(_ ratio: Double) -> Double? {
    guard let weight = ratios.denominator.mean,
      let x = Moments.covariance(means, ratios.numerator, products: meanByNumerator),
      let y = Moments.covariance(means, ratios.denominator, products: meanByDenominator)
    else { return nil }
    return (x - ratio * y) / weight
  }
}
