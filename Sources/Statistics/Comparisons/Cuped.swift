public import Specifications

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

  /// The moments of the metric.
  public var metric: Moments { pairs.numerator }
  /// The moments of the covariate.
  public var covariate: Moments { pairs.denominator }
  /// The sample covariance of both; nil for fewer than two units.
  public var covariance: Double? { pairs.covariance }

  /// θ = Cov(metric, covariate)/Var(covariate) of these units; nil if the covariate does not vary.
  public var theta: Double? { summary?.theta }

  /// Returns the mean of metric − θ·(covariate − center) and its variance; nil for fewer than two units.
  public func adjusted(theta: Double, center: Double) -> SampleMean? {
    summary?.adjusted(theta: theta, center: center)
  }
}

extension CupedMoments: CovariateMoments {
  public var summary: CovariateSummary? {
    guard let mean = metric.mean, let before = covariate.mean, let covariance,
      let variance = metric.variance, let varianceBefore = covariate.variance
    else { return nil }
    let count = Double(metric.count)
    return CovariateSummary(
      metric: SampleMean(count: count, mean: mean, variance: variance),
      covariate: SampleMean(count: count, mean: before, variance: varianceBefore),
      covariance: covariance)
  }
}

extension CupedMoments: StateFields, EmptyState {
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&pairs, other.pairs)
  }
}

/// The θ that a comparison with a covariate uses.
public enum CupedTheta: String, Sendable, CaseIterable {
  /// From all units of both groups as one sample.
  case pooled
  /// From the deviations within each group, as in a regression with one slope and a group effect.
  case withinGroups = "within-groups"
}

/// Comparisons of means, or of ratios, adjusted for a covariate (CUPED).
public enum Cuped {
  /// Returns θ for two groups; nil if the covariate does not vary.
  public static func theta<M: CovariateMoments>(
    treatment: M, control: M, _ kind: CupedTheta = .pooled
  ) -> Double? {
    switch kind {
    case .pooled: return all(treatment, control).summary?.theta
    case .withinGroups:
      guard let a = treatment.summary, let b = control.summary else { return nil }
      let (m, n) = (a.metric.count - 1, b.metric.count - 1)
      let squares = m * a.covariate.variance + n * b.covariate.variance
      return squares > 0 ? (m * a.covariance + n * b.covariance) / squares : nil
    }
  }

  /// Returns both means, adjusted by one θ to the mean of the covariate over both groups; nil if there is no θ.
  public static func adjusted<M: CovariateMoments>(
    treatment: M, control: M, theta kind: CupedTheta = .pooled
  ) -> (treatment: SampleMean, control: SampleMean)? {
    guard let theta = theta(treatment: treatment, control: control, kind), theta.isFinite,
      let center = center(treatment, control), center.isFinite, let t = treatment.summary,
      let c = control.summary
    else { return nil }
    return (t.adjusted(theta: theta, center: center), c.adjusted(theta: theta, center: center))
  }

  /// Compares the adjusted means by Welch's t test; returns nil if there is no θ.
  public static func compare<M: CovariateMoments>(
    treatment: M, control: M, theta kind: CupedTheta = .pooled,
    alternative: Alternative = .twoSided, level: Double = 0.95
  ) -> Difference? {
    guard let (t, c) = adjusted(treatment: treatment, control: control, theta: kind) else {
      return nil
    }
    return MeanTest.welch(treatment: t, control: c, alternative: alternative, level: level)
  }

  /// Returns the mean, or ratio, of the covariate over both groups.
  public static func center<M: CovariateMoments>(_ a: M, _ b: M) -> Double? {
    all(a, b).summary?.covariate.mean
  }

  private static func all<M: CovariateMoments>(_ a: M, _ b: M) -> M {
    var all = a
    all.merge(b)
    return all
  }
}
