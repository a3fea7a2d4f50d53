/// The relative difference of two means over the control's mean, with Fieller's interval of that ratio.
///
/// The set of E. C. Fieller ("Some problems in interval estimation", JRSS B 16, 1954) contains every lift ρ for which
/// difference − ρ·control is within `criticalValue` standard errors of zero. At ρ = 0 that is the test of the
/// difference itself, so the set excludes 0 exactly when that test rejects, whatever distribution the critical value
/// comes from.
public struct FiellerLift: Sendable, Equatable {
  /// Treatment less control.
  public var difference: Double
  /// The control's mean.
  public var control: Double
  /// The variance of the difference.
  public var differenceVariance: Double
  /// The variance of the control.
  public var controlVariance: Double
  /// The covariance of the difference and the control.
  public var covariance: Double

  /// Creates the lift of a treatment over an independent control.
  public init(treatment: SampleMean, control: SampleMean) {
    difference = treatment.mean - control.mean
    self.control = control.mean
    differenceVariance = treatment.squaredError + control.squaredError
    controlVariance = control.squaredError
    covariance = -control.squaredError
  }

  /// Creates the lift if the difference has a normal prior and the control a flat one, from the joint posterior of
  /// both.
  public init(treatment: SampleMean, control: SampleMean, posterior: NormalPosterior) {
    self.init(treatment: treatment, control: control)
    guard differenceVariance > 0 else { return }
    // Given the difference, the control is estimated from both groups.
    let share = control.squaredError / differenceVariance
    let spread = posterior.standardDeviation * posterior.standardDeviation
    self.control = control.mean + share * (difference - posterior.mean)
    controlVariance = share * treatment.squaredError + share * share * spread
    covariance = -share * spread
    difference = posterior.mean
    differenceVariance = spread
  }

  /// The lift; nil if the control is zero.
  public var estimate: Double? { control == 0 ? nil : difference / control }

  /// Returns the set of lifts; nil if it is not an interval, because the control itself does not differ significantly
  /// from zero.
  ///
  /// - Parameter criticalValue: The half-width of the interval of the difference in standard errors, not negative.
  /// - Returns: The interval.
  public func interval(criticalValue: Double) -> Interval? {
    guard control != 0 else { return nil }
    // In shares of the control, so that no product of four values overflows or underflows.
    let squared = criticalValue * criticalValue
    let share = difference / control
    let a = 1 - squared * (controlVariance / control / control)
    let b = share - squared * (covariance / control / control)
    let c = share * share - squared * (differenceVariance / control / control)
    let root = (max(0, b * b - a * c)).squareRoot()
    guard a > 0, root.isFinite, b.isFinite, c.isFinite else { return nil }
    // The root of greater magnitude first; the sign of the other one is then that of c, without cancellation.
    let far = b >= 0 ? (b + root) / a : (b - root) / a
    let near = far == 0 ? 0 : c / (a * far)
    guard far.isFinite, near.isFinite else { return nil }
    return Interval(min(near, far), max(near, far))
  }
}
