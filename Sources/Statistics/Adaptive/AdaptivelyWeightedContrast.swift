/// An estimator of the difference of the mean rewards of two arms of an adaptive experiment, each as in
/// ``AdaptivelyWeightedMean``.
///
/// The variance is Σ (aₜ − bₜ)² with aₜ = hₜ(Γₜ − Q̂)/Σh for one arm and bₜ for the other, as in the authors' own
/// program; as both share their decisions, the sum of their variances would neglect the covariance. Only decisions that
/// could choose either arm are compared: the contexts of others are not the same for both.
///
/// - Complexity: about 8 KB; an addition is O(1) without allocation.
public struct AdaptivelyWeightedContrast: Sendable, Equatable {
  /// The arm that a decision chose.
  public enum Choice: Sendable, Hashable {
    /// The arm whose mean is the minuend.
    case treatment
    /// The arm that it is compared with.
    case control
    /// Any other arm.
    case other
  }

  /// The estimate of the treatment's mean.
  public private(set) var treatment: AdaptivelyWeightedMean
  /// The estimate of the control's mean.
  public private(set) var control: AdaptivelyWeightedMean
  /// The number of decisions that were skipped because they are invalid for either arm.
  public private(set) var refused = 0

  /// The number of decisions that could not choose both arms, as the probability of one was zero.
  public private(set) var unavailable = 0

  private var values = ExactSum()
  private var weights = ExactSum()
  private var valueByWeight = ExactSum()
  private var weightByValue = ExactSum()

  /// Creates an estimator without decisions.
  public init(_ weighting: AdaptiveWeighting = .constantAllocation) {
    treatment = AdaptivelyWeightedMean(weighting)
    control = AdaptivelyWeightedMean(weighting)
  }

  /// Adds decisions that are valid for both arms and could not choose one of them.
  ///
  /// - Complexity: O(1), whatever their number.
  public mutating func addUnavailable(_ count: Int) { unavailable += count }

  /// Adds the next decision.
  ///
  /// - Parameters:
  ///   - reward: The reward.
  ///   - choice: The arm that was chosen.
  ///   - treatmentProbability: The probability of the treatment.
  ///   - controlProbability: The probability of the control.
  public mutating func add(
    _ reward: Double, choice: Choice, treatmentProbability: Double, controlProbability: Double
  ) {
    let (isTreatment, isControl) = (choice == .treatment, choice == .control)
    guard
      AdaptivelyWeightedMean.isValid(
        reward, isChosen: isTreatment, probability: treatmentProbability),
      AdaptivelyWeightedMean.isValid(reward, isChosen: isControl, probability: controlProbability)
    else {
      refused += 1
      return
    }
    guard treatmentProbability > 0, controlProbability > 0 else {
      unavailable += 1
      return
    }
    guard
      let a = treatment.addScored(
        reward, isChosen: isTreatment, probability: treatmentProbability),
      let b = control.addScored(reward, isChosen: isControl, probability: controlProbability)
    else {
      refused += 1
      return
    }
    values.add(product: a.value, b.value)
    weights.add(product: a.weight, b.weight)
    valueByWeight.add(product: a.value, b.weight)
    weightByValue.add(product: a.weight, b.value)
  }

  /// Whether both arms have enough decisions for an interval.
  public var isEnough: Bool { treatment.support.isEnough && control.support.isEnough }

  /// Returns the difference with its standard error, t statistic, p-value and confidence interval, the last three only
  /// where ``isEnough``; nil for fewer than two decisions, or if one arm has no weight.
  public func difference(alternative: Alternative = .twoSided, level: Double = 0.95) -> Difference? {
    guard let a = treatment.estimate, let b = control.estimate,
      let errorA = treatment.standardError, let errorB = control.standardError,
      let shared = sharedError(a, b)
    else { return nil }
    let error = max(0, errorA * errorA + errorB * errorB - 2 * shared).squareRoot()
    guard isEnough else { return Difference(estimate: a - b, standardError: error) }
    return Difference(
      estimate: a - b, standardError: error,
      degreesOfFreedom: min(
        treatment.support.degreesOfFreedom, control.support.degreesOfFreedom),
      alternative: alternative, level: level)
  }

  /// Σ aₜbₜ.
  private func sharedError(_ a: Double, _ b: Double) -> Double? {
    let (x, y) = (treatment.scores, control.scores)
    guard let h = x.denominator.mean, let g = y.denominator.mean,
      let xy = Moments.covariance(x.numerator, y.numerator, products: values),
      let xg = Moments.covariance(x.numerator, y.denominator, products: valueByWeight),
      let hy = Moments.covariance(x.denominator, y.numerator, products: weightByValue),
      let hg = Moments.covariance(x.denominator, y.denominator, products: weights)
    else { return nil }
    let n = Double(treatment.count)
    return (xy - b * xg - a * hy + a * b * hg) * (n - 1) / (n * h * n * g)
  }
}
