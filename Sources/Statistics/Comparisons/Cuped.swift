/// The moments of a metric and of a covariate from before the experiment, for variance reduction: A. Deng et al.,
/// "Improving the sensitivity of online controlled experiments by utilizing pre-experiment data" (WSDM 2013).
public struct CupedMoments: Sendable, Equatable {
  private var pairs = RatioMoments()

  /// Creates the moments of no units.
  public init() {}

  /// Adds one unit.
  public mutating func add(_ metric: Double, covariate: Double) {
    pairs.add(metric, over: covariate)
  }

  /// Adds all the units of another instance.
  public mutating func merge(_ other: CupedMoments) { pairs.merge(other.pairs) }

  /// Removes all the units of another instance, all of which must have been added here.
  public mutating func subtract(_ other: CupedMoments) { pairs.subtract(other.pairs) }

  /// The moments of the metric.
  public var metric: Moments { pairs.numerator }
  /// The moments of the covariate.
  public var covariate: Moments { pairs.denominator }
  /// The sample covariance of both; nil for fewer than two units.
  public var covariance: Double? { pairs.covariance }

  /// θ = Cov(metric, covariate)/Var(covariate) of these units; nil if the covariate does not vary.
  public var theta: Double? {
    guard let covariance, let variance = covariate.variance, variance > 0 else { return nil }
    return covariance / variance
  }

  /// Returns the mean of metric − θ·(covariate − center) and its variance; nil for fewer than two units.
  public func adjusted(theta: Double, center: Double) -> SampleMean? {
    guard let mean = metric.mean, let before = covariate.mean, let covariance,
      let variance = metric.variance, let varianceBefore = covariate.variance
    else { return nil }
    let explained = theta * theta * varianceBefore
    let reduced = variance + explained - 2 * theta * covariance
    // If the covariate explains everything, the rest is rounding error.
    let isRounding = reduced <= (variance + explained) * 0x1p-46
    return SampleMean(
      count: Double(metric.count), mean: mean - theta * (before - center),
      variance: isRounding ? 0 : reduced)
  }
}

extension CupedMoments {
  /// Writes the moments.
  public func write(to writer: inout StateWriter) { pairs.write(to: &writer) }

  /// Reads moments.
  ///
  /// - Throws: ``StateError`` if the bytes are invalid.
  public init(from reader: inout StateReader) throws(StateError) {
    pairs = try RatioMoments(from: &reader)
  }
}

/// The θ that a comparison with a covariate uses.
public enum CupedTheta: String, Sendable, CaseIterable {
  /// From all units of both groups as one sample.
  case pooled
  /// From the deviations within each group, as in a regression with one slope and a group effect.
  case withinGroups = "within-groups"
}

/// Comparisons of means adjusted for a covariate (CUPED).
public enum Cuped {
  /// Returns θ for two groups; nil if the covariate does not vary.
  public static func theta(
    treatment: CupedMoments, control: CupedMoments, _ kind: CupedTheta = .pooled
  ) -> Double? {
    switch kind {
    case .pooled:
      var all = treatment
      all.merge(control)
      return all.theta
    case .withinGroups:
      guard let a = within(treatment), let b = within(control) else { return nil }
      let squares = a.squares + b.squares
      return squares > 0 ? (a.products + b.products) / squares : nil
    }
  }

  /// Compares the adjusted means by Welch's t test; returns nil if there is no θ.
  public static func compare(
    treatment: CupedMoments, control: CupedMoments, theta kind: CupedTheta = .pooled,
    alternative: Alternative = .twoSided, level: Double = 0.95
  ) -> Difference? {
    guard let theta = theta(treatment: treatment, control: control, kind),
      let center = center(treatment, control),
      let t = treatment.adjusted(theta: theta, center: center),
      let c = control.adjusted(theta: theta, center: center)
    else { return nil }
    return MeanTest.welch(treatment: t, control: c, alternative: alternative, level: level)
  }

  /// Returns the mean of the covariate over both groups.
  public static func center(_ a: CupedMoments, _ b: CupedMoments) -> Double? {
    var all = a.covariate
    all.merge(b.covariate)
    return all.mean
  }

  private static func within(_ group: CupedMoments) -> (products: Double, squares: Double)? {
    guard let covariance = group.covariance, let variance = group.covariate.variance else {
      return nil
    }
    let degrees = Double(group.metric.count - 1)
    return (covariance * degrees, variance * degrees)
  }
}
