internal import Statistics

/// The statistical method that compares a variant with the baseline. Tools disagree on the numbers of the same data,
/// so every row of a report names its method.
public enum ComparisonMethod: String, Sendable, CaseIterable {
  /// Welch's t test; for a binary metric with variance p(1 - p).
  case welch
  /// Student's t test, which assumes equal variances.
  case pooled
  /// Welch's statistic with the normal distribution.
  case z
  /// The z test of two proportions with a pooled standard error.
  case pooledZ = "pooled-z"
  /// The z test of two proportions with an unpooled standard error.
  case unpooledZ = "unpooled-z"
  /// Pearson's chi-squared test of two proportions.
  case chiSquared = "chi-squared"
  /// The chi-squared test with Yates's correction.
  case yates
  /// Fisher's exact test of two proportions.
  case fisher
  /// Newcombe's hybrid score interval of two proportions.
  case newcombe
  /// Agresti and Caffo's interval of two proportions.
  case agrestiCaffo = "agresti-caffo"
  /// Miettinen and Nurminen's score interval of two proportions.
  case miettinenNurminen = "miettinen-nurminen"
  /// The Mann-Whitney rank test.
  case mannWhitney = "mann-whitney"
  /// The Poisson bootstrap: percentile intervals of difference and lift.
  case bootstrap
  /// The normal posterior of the difference.
  case bayes
  /// The normal posterior of the difference under a prior of the relative lift.
  case bayesLift = "bayes-lift"
  /// Beta posteriors of two proportions, from Beta(1, 1).
  case betaBinomial = "beta-binomial"
  /// The mixture sequential probability ratio test (mSPRT), valid at every look.
  case msprt
  /// The mSPRT whose mixing variance is scaled with the variance of the estimate.
  case scaledMsprt = "scaled-msprt"
  /// An asymptotic confidence sequence, valid at every look.
  case asymptoticCS = "asymptotic-cs"
  /// A group sequential test, valid at the planned looks.
  case groupSequential = "group-sequential"

  /// Whether the method requires binary metrics, 0 or 1 for each unit.
  public var isOfProportions: Bool {
    switch self {
    case .pooledZ, .unpooledZ, .chiSquared, .yates, .fisher, .newcombe, .agrestiCaffo,
      .miettinenNurminen, .betaBinomial:
      true
    default: false
    }
  }

  /// Whether the method supports one-sided alternatives.
  public var hasSides: Bool {
    switch self {
    case .welch, .pooled, .z, .pooledZ, .unpooledZ, .fisher, .mannWhitney: true
    default: false
    }
  }

  /// Whether a covariate can reduce the variance.
  public var takesCovariate: Bool { !isOfProportions && self != .mannWhitney && self != .bootstrap }

  /// Whether the method remains valid over several looks.
  var isSequential: Bool {
    [.msprt, .scaledMsprt, .asymptoticCS, .groupSequential].contains(self)
  }

  /// Whether the method gives a posterior, with its own chance to win.
  var isBayesian: Bool { hasNormalPosterior || self == .betaBinomial }

  /// Whether the method gives a normal posterior of the difference.
  var hasNormalPosterior: Bool { self == .bayes || self == .bayesLift }

  /// Whether the method gives a p-value, which a correction can adjust.
  public var hasPValue: Bool {
    switch self {
    case .newcombe, .agrestiCaffo, .miettinenNurminen, .bootstrap, .bayes, .bayesLift,
      .betaBinomial, .groupSequential:
      false
    default: true
    }
  }
}

/// The method of the relative lift's interval.
///
/// Only ``auto`` always agrees with the test of the difference; the others are the intervals of other tools, under
/// their names.
public enum LiftMethod: String, Sendable, CaseIterable {
  /// The interval that excludes 0 exactly where the row's test, posterior or interval of the difference does:
  /// Fieller's with the standard errors and critical value of the method, a score interval, or the method's own.
  case auto
  /// The delta method with the t distribution.
  case delta
  /// The delta method with the normal distribution.
  case deltaZ = "delta-z"
  /// The log ratio with the t distribution.
  case log
  /// The log ratio with the normal distribution.
  case logZ = "log-z"
  /// Fieller's interval with the normal distribution.
  case fieller
  /// The log of the ratio of two proportions.
  case ratioLog = "ratio-log"
  /// Miettinen and Nurminen's score interval of the ratio of two proportions.
  case ratioScore = "ratio-score"

  /// Whether the interval is one of two proportions.
  var isOfProportions: Bool { self == .ratioLog || self == .ratioScore }

  /// Why there is no interval, where the baseline's mean is far enough from zero.
  var absence: String {
    isOfProportions
      ? "the lift method \(rawValue) is for metrics of 0 or 1, with a 1 in both variants"
      : "the lift method \(rawValue) needs means above zero"
  }

  /// Returns the half-width, in standard errors, of the interval that the method has by itself, at the confidence
  /// level of an interval with both ends; nil if it is undefined.
  func criticalValue(_ treatment: SampleMean, _ control: SampleMean, level: Double) -> Double? {
    switch self {
    case .delta:
      RelativeLift.deltaT(treatment: treatment, control: control, level: level)?.criticalValue
    case .log:
      RelativeLift.logT(treatment: treatment, control: control, level: level)?.criticalValue
    default: Alternative.twoSided.criticalValue(level: level)
    }
  }

  /// Returns the interval of so many standard errors; nil if it is undefined.
  func interval(
    _ treatment: SampleMean, _ control: SampleMean, _ p: Proportion?, _ q: Proportion?,
    criticalValue: Double
  ) -> Interval? {
    switch self {
    case .delta, .deltaZ:
      let lift = RelativeLift.deltaZ(treatment: treatment, control: control)
      guard let lift, let error = lift.standardError, error > 0, error.isFinite else { return nil }
      return Interval(
        lift.estimate - criticalValue * error, lift.estimate + criticalValue * error)
    case .log, .logZ:
      return RelativeLift.logInterval(
        treatment: treatment, control: control, criticalValue: criticalValue)
    case .fieller:
      return FiellerLift(treatment: treatment, control: control).interval(
        criticalValue: criticalValue)
    case .ratioLog, .ratioScore:
      guard let p, let q else { return nil }
      let ratio =
        self == .ratioLog
        ? ProportionRatio.log(treatment: p, control: q, criticalValue: criticalValue)
        : ProportionRatio.score(treatment: p, control: q, criticalValue: criticalValue)
      return ratio.map { Interval($0.low - 1, $0.high - 1) }
    case .auto: return nil
    }
  }
}
