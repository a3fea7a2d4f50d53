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
  /// The normal posterior of the relative lift.
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
  var isBayesian: Bool { self == .bayes || self == .bayesLift || self == .betaBinomial }
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

  /// Returns the lift of the means; nil if it is undefined.
  func lift(
    _ treatment: SampleMean, _ control: SampleMean, _ alternative: Alternative, _ level: Double
  ) -> Difference? {
    switch self {
    case .delta:
      RelativeLift.deltaT(
        treatment: treatment, control: control, alternative: alternative, level: level)
    case .deltaZ:
      RelativeLift.deltaZ(
        treatment: treatment, control: control, alternative: alternative, level: level)
    case .log: RelativeLift.logT(treatment: treatment, control: control, level: level)
    case .logZ: RelativeLift.logZ(treatment: treatment, control: control, level: level)
    case .fieller: RelativeLift.fieller(treatment: treatment, control: control, level: level)
    case .auto, .ratioLog, .ratioScore: nil
    }
  }

  /// Returns the lift of two proportions for the methods that require proportions; nil for the others.
  func lift(_ treatment: Proportion, _ control: Proportion, _ level: Double) -> Difference? {
    guard let p = treatment.value, let q = control.value, q > 0 else { return nil }
    let ratio: Interval? =
      switch self {
      case .ratioLog: ProportionRatio.log(treatment: treatment, control: control, level: level)
      case .ratioScore: ProportionRatio.score(treatment: treatment, control: control, level: level)
      default: nil
      }
    return ratio.map {
      Difference(estimate: p / q - 1, interval: Interval($0.low - 1, $0.high - 1))
    }
  }
}
