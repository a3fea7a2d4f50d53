internal import Statistics

/// How a variant is compared with the baseline. Tools disagree on the numbers of the same data, so every row of a report
/// names its method.
public enum ComparisonMethod: String, Sendable, CaseIterable {
  /// Welch's t test; of what is 0 or 1 with variance p(1 - p).
  case welch
  /// Student's t test, which takes both variances for equal.
  case pooled
  /// Welch's statistic with the normal distribution.
  case z
  /// The z test of two proportions whose standard error pools both.
  case pooledZ = "pooled-z"
  /// The z test of two proportions with the standard error of each.
  case unpooledZ = "unpooled-z"
  /// Pearson's chi-squared of two proportions.
  case chiSquared = "chi-squared"
  /// Chi-squared with Yates's correction.
  case yates
  /// Fisher's exact test of two proportions.
  case fisher
  /// The hybrid score interval of two proportions.
  case newcombe
  /// Agresti and Caffo's interval of two proportions.
  case agrestiCaffo = "agresti-caffo"
  /// Miettinen and Nurminen's score interval of two proportions.
  case miettinenNurminen = "miettinen-nurminen"
  /// The rank test of Mann and Whitney.
  case mannWhitney = "mann-whitney"
  /// The Poisson bootstrap: percentile intervals of difference and lift.
  case bootstrap
  /// The normal posterior of the difference.
  case bayes
  /// The normal posterior of the relative lift.
  case bayesLift = "bayes-lift"
  /// Beta posteriors of two proportions, from Beta(1, 1).
  case betaBinomial = "beta-binomial"
  /// The mixture sequential probability ratio test, valid at every look.
  case msprt
  /// The mixture test whose mixing variance follows the estimate's.
  case scaledMsprt = "scaled-msprt"
  /// An asymptotic confidence sequence, valid at every look.
  case asymptoticCS = "asymptotic-cs"
  /// A group sequential test, valid at the looks planned.
  case groupSequential = "group-sequential"

  /// Whether it is for metrics that are 0 or 1 for each unit.
  public var isOfProportions: Bool {
    switch self {
    case .pooledZ, .unpooledZ, .chiSquared, .yates, .fisher, .newcombe, .agrestiCaffo,
      .miettinenNurminen, .betaBinomial:
      true
    default: false
    }
  }

  /// Whether it can be asked for one side only.
  public var hasSides: Bool {
    switch self {
    case .welch, .pooled, .z, .pooledZ, .unpooledZ, .fisher, .mannWhitney: true
    default: false
    }
  }

  /// Whether a covariate may reduce its variance.
  public var takesCovariate: Bool { !isOfProportions && self != .mannWhitney && self != .bootstrap }

  /// Whether it holds at several looks.
  var isSequential: Bool {
    [.msprt, .scaledMsprt, .asymptoticCS, .groupSequential].contains(self)
  }

  /// Whether it gives a posterior, with its own chance to win.
  var isBayesian: Bool { self == .bayes || self == .bayesLift || self == .betaBinomial }
}

/// How the interval of the relative lift is made.
///
/// Only ``auto`` always agrees with the test of the difference; the others are the intervals of other tools, by their names.
public enum LiftMethod: String, Sendable, CaseIterable {
  /// The one that leaves 0 out exactly where the row's test, posterior or interval of the difference does: Fieller's with the
  /// standard errors and the critical value of the method, or the score interval, or what else belongs to it.
  case auto
  /// The delta method with the t distribution.
  case delta
  /// The delta method with the normal distribution.
  case deltaZ = "delta-z"
  /// The logarithm of the ratio with the t distribution.
  case log
  /// The logarithm of the ratio with the normal distribution.
  case logZ = "log-z"
  /// Fieller's interval, with the normal distribution.
  case fieller
  /// Of two proportions, the logarithm of their ratio.
  case ratioLog = "ratio-log"
  /// Of two proportions, Miettinen and Nurminen's score interval of their ratio.
  case ratioScore = "ratio-score"

  /// The lift of the means; nil where there is none.
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

  /// The lift of two proportions by the methods that are for them alone; nil for the others.
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
