/// A difference of two means over the control's mean, with all that Fieller's interval of that ratio needs.
///
/// The set of E. C. Fieller ("Some problems in interval estimation", JRSS B 16, 1954) holds every lift ρ for which
/// difference − ρ·control is within `criticalValue` standard errors of zero. At ρ = 0 that is the test of the difference
/// itself, so the set leaves 0 out exactly where that test rejects, whatever distribution the critical value comes from.
public struct FiellerLift: Sendable, Equatable {
  /// Treatment less control.
  public var difference: Double
  /// The control.
  public var control: Double
  /// The variance of the difference.
  public var differenceVariance: Double
  /// The variance of the control.
  public var controlVariance: Double
  /// The covariance of the difference and the control.
  public var covariance: Double

  /// The lift of a treatment over an independent control.
  public init(treatment: SampleMean, control: SampleMean) {
    difference = treatment.mean - control.mean
    self.control = control.mean
    differenceVariance = treatment.squaredError + control.squaredError
    controlVariance = control.squaredError
    covariance = -control.squaredError
  }

  /// The lift of which the difference has a normal prior and the control a flat one: the joint posterior of both.
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

  /// The lift; nil where the control is zero.
  public var estimate: Double? { control == 0 ? nil : difference / control }

  /// The set of lifts; nil where it is no interval, because the control itself does not differ from zero.
  ///
  /// - Parameter criticalValue: How many standard errors the interval of the difference reaches, not negative.
  /// - Returns: The interval.
  public func interval(criticalValue: Double) -> Interval? {
    let squared = criticalValue * criticalValue
    let a = control * control - squared * controlVariance
    let b = difference * control - squared * covariance
    let c = difference * difference - squared * differenceVariance
    let root = (max(0, b * b - a * c)).squareRoot()
    guard a > 0, root.isFinite, b.isFinite, c.isFinite else { return nil }
    // The root of the greater magnitude first: the sign of the other one is then that of c, without cancellation.
    let far = b >= 0 ? (b + root) / a : (b - root) / a
    let near = far == 0 ? 0 : c / (a * far)
    guard far.isFinite, near.isFinite else { return nil }
    return Interval(min(near, far), max(near, far))
  }
}
