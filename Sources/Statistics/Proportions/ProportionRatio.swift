/// Confidence intervals of the ratio of two proportions, treatment over control.
public enum ProportionRatio {
  /// Returns the log interval by the delta method: ln(p/q) ± z·√(1/x − 1/n + 1/y − 1/m) (D. Katz et al., "Obtaining
  /// confidence intervals for the risk ratio in cohort studies", Biometrics 34, 1978); nil if either has no success.
  public static func log(
    treatment: Proportion, control: Proportion, level: Double = 0.95
  ) -> Interval? {
    log(
      treatment: treatment, control: control,
      criticalValue: Alternative.twoSided.criticalValue(level: level))
  }

  /// Returns the log interval of so many standard errors; nil if either has no success.
  package static func log(
    treatment: Proportion, control: Proportion, criticalValue z: Double
  ) -> Interval? {
    guard let p = treatment.value, let q = control.value, p > 0, q > 0 else { return nil }
    let variance =
      (1 - p) / Double(treatment.successes) + (1 - q) / Double(control.successes)
    let (center, spread) = (Double.log(p / q), z * variance.squareRoot())
    return Interval(Double.exp(center - spread), Double.exp(center + spread))
  }

  /// Returns the score interval of Miettinen and Nurminen (1985): all ratios that the score test does not reject, with
  /// the factor N/(N − 1) on the variance; nil if either has no success.
  public static func score(
    treatment: Proportion, control: Proportion, level: Double = 0.95
  ) -> Interval? {
    score(
      treatment: treatment, control: control,
      criticalValue: Alternative.twoSided.criticalValue(level: level))
  }

  /// Returns the score interval with a critical value of the score; nil if either has no success.
  package static func score(
    treatment: Proportion, control: Proportion, criticalValue z: Double
  ) -> Interval? {
    guard let p = treatment.value, let q = control.value, p > 0, q > 0 else { return nil }
    let pair = ScorePair(treatment, control)
    let center = Double.log(p / q)
    let score = { (log: Double) in pair.ratioScore(Double.exp(log)) }
    let low = RootFinding.zero(between: center - 60, and: center) { score($0) - z }
    let high = RootFinding.zero(between: center, and: center + 60) { score($0) + z }
    return Interval(Double.exp(low), Double.exp(high))
  }
}

/// The score statistics of two proportions under a hypothesis about their difference or ratio.
struct ScorePair {
  private let x: Double
  private let n: Double
  private let y: Double
  private let m: Double
  /// The factor of the variance.
  private let correction: Double

  init(_ treatment: Proportion, _ control: Proportion, isCorrected: Bool = true) {
    (x, n) = (Double(treatment.successes), Double(treatment.trials))
    (y, m) = (Double(control.successes), Double(control.trials))
    correction = isCorrected ? (n + m) / (n + m - 1) : 1
  }

  /// The variance of the difference if both proportions are equal.
  var pooledVariance: Double {
    let p = (x + y) / (n + m)
    return p * (1 - p) * (1 / n + 1 / m)
  }

  /// Returns the score statistic of the hypothesis that the difference is `delta`; it decreases in `delta`.
  ///
  /// - Parameters:
  ///   - delta: The difference.
  ///   - shift: A continuity correction added to the excess of the observed difference.
  /// - Returns: The statistic.
  func differenceScore(_ delta: Double, shift: Double = 0) -> Double {
    let q = restrictedControl(difference: delta)
    let p = min(1, max(0, q + delta))
    return score(x / n - y / m - delta + shift, p * (1 - p) / n + q * (1 - q) / m)
  }

  /// Returns the score statistic of the hypothesis that the ratio is `ratio`; it decreases in `ratio`.
  ///
  /// - Parameters:
  ///   - ratio: The ratio.
  ///   - shift: A continuity correction added to the excess of the treatment over `ratio` times the control.
  /// - Returns: The statistic.
  func ratioScore(_ ratio: Double, shift: Double = 0) -> Double {
    let (a, b, c) = ((n + m) * ratio, -(n * ratio + x + m + y * ratio), x + y)
    let root = max(0, b * b - 4 * a * c).squareRoot()
    let q = min(1, 2 * c / (-b + root))
    let p = min(1, q * ratio)
    return score(x / n - ratio * y / m + shift, p * (1 - p) / n + ratio * ratio * q * (1 - q) / m)
  }

  /// Returns an excess over its standard error.
  func score(_ excess: Double, _ variance: Double) -> Double {
    let scaled = max(0, variance) * correction
    if scaled > 0 { return excess / scaled.squareRoot() }
    return excess == 0 ? 0 : excess < 0 ? -.infinity : .infinity
  }

  /// Returns the maximum-likelihood estimate of the control's proportion for a given difference: the root of the cubic
  /// of Miettinen and Nurminen's appendix.
  private func restrictedControl(difference delta: Double) -> Double {
    let total = n + m
    let (a, b) = (total, (n + 2 * m) * delta - total - x - y)
    let c = (m * delta - total - 2 * y) * delta + x + y
    let d = y * delta * (1 - delta)
    let shift = b / (3 * a)
    let q = shift * shift * shift - b * c / (6 * a * a) + d / (2 * a)
    let size = max(0, shift * shift - c / (3 * a)).squareRoot()
    let p = q < 0 ? -size : size
    guard p != 0 else { return min(1, max(0, -shift)) }
    let angle = (.pi + Double.acos(min(1, max(-1, q / (p * p * p))))) / 3
    let estimate = 2 * p * Double.cos(angle) - shift
    return min(min(1, 1 - delta), max(max(0, -delta), estimate))
  }
}
