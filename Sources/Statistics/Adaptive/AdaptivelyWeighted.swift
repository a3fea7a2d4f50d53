/// An estimator of the mean reward of one arm of an adaptive experiment, such as a bandit's, with a confidence interval
/// that is valid although the probabilities depended on the rewards: the adaptively weighted estimator of
/// ``AdaptiveWeighting``.
///
/// Each decision t, whichever arm it chose, has the score Γₜ = m̂ₜ + 1{chosen}/eₜ·(rₜ − m̂ₜ), where m̂ₜ is the mean of
/// the arm's rewards before t, 0 at first. The estimate is Q̂ = Σ hₜΓₜ/Σ hₜ, its variance Σ hₜ²(Γₜ − Q̂)²/(Σ hₜ)². The
/// plain mean of the rewards is biased in such experiments, usually downwards: an arm that was unlucky early is chosen
/// less and has no time to recover. The weights are known before the decision and its context are: the first decision
/// has none unless weights are uniform, and decisions that could not choose the arm have none and are counted.
///
/// The interval is Student's t with the effective number of the arm's decisions less 1 as degrees of freedom, and there
/// is none before ``AdaptiveSupport/isEnough``: the normal limit is far off where few rewards were seen.
///
/// Decisions are added in the order in which they were made, so parts cannot be merged.
///
/// - Complexity: about 3 KB; an addition is O(1) without allocation.
public struct AdaptivelyWeightedMean: Sendable, Equatable {
  /// The weights of the decisions.
  public let weighting: AdaptiveWeighting
  /// The number of decisions that were skipped because the probability is invalid, the chosen arm's is zero, or the
  /// reward is not finite.
  public private(set) var refused = 0

  /// The number of decisions that could not choose the arm, as its probability was zero.
  public private(set) var unavailable = 0
  /// How much the arm's own decisions say.
  public private(set) var support = AdaptiveSupport()

  /// The moments of hₜΓₜ over hₜ.
  private(set) var scores = RatioMoments()
  private var meanSoFar = 0.0
  private var recent = RecentProbability()
  /// The share of the variance not yet allocated.
  private var left = 1.0

  /// Creates an estimator without decisions.
  public init(_ weighting: AdaptiveWeighting = .constantAllocation) { self.weighting = weighting }

  /// The number of decisions, for all arms.
  public var count: Int { scores.numerator.count }

  /// Adds the next decision.
  ///
  /// - Parameters:
  ///   - reward: The reward; ignored unless the arm was chosen.
  ///   - isChosen: Whether the decision chose the arm.
  ///   - probability: The probability of the arm at the decision, in 0 ... 1.
  public mutating func add(_ reward: Double, isChosen: Bool, probability: Double) {
    _ = addScored(reward, isChosen: isChosen, probability: probability)
  }

  /// Adds the next decisions, none of which could choose the arm, as ``add(_:isChosen:probability:)`` does one by one.
  ///
  /// - Complexity: O(1), whatever their number.
  public mutating func addUnavailable(_ count: Int) {
    unavailable += count
    scores.addZeros(count)
  }

  /// Adds the next decision and returns hₜΓₜ and hₜ; nil if it is skipped.
  mutating func addScored(_ reward: Double, isChosen: Bool, probability: Double)
    -> (value: Double, weight: Double)?
  {
    guard Self.isValid(reward, isChosen: isChosen, probability: probability) else {
      refused += 1
      return nil
    }
    let weight = nextWeight(probability)
    if probability > 0 { recent.add(probability) } else { unavailable += 1 }
    let residual = isChosen ? (reward - meanSoFar) / probability : 0
    let value = weight * (meanSoFar + residual)
    scores.add(value, over: weight)
    if isChosen {
      support.add(reward, weight: weight / probability)
      meanSoFar = support.mean
    }
    return (value, weight)
  }

  /// Returns whether a decision can be added.
  package static func isValid(_ reward: Double, isChosen: Bool, probability: Double) -> Bool {
    guard probability >= 0, probability <= 1 else { return false }
    return !isChosen || (probability > 0 && (reward / probability).isFinite)
  }

  private mutating func nextWeight(_ probability: Double) -> Double {
    guard probability > 0 else { return 0 }
    if weighting == .uniform { return 1 }
    guard let expected = recent.value else { return 0 }
    guard case .twoPoint = weighting else { return expected.squareRoot() }
    let share = weighting.share(at: Double(count + 1), probability: expected) * left
    left = max(0, left - share)
    return (expected * share).squareRoot()
  }

  /// The estimated mean reward; nil if no decision has a positive weight.
  public var estimate: Double? {
    guard let value = scores.numerator.mean, let weight = scores.denominator.mean, weight > 0
    else { return nil }
    return value / weight
  }

  /// The standard error; nil for fewer than two decisions, or if no decision has a positive weight.
  public var standardError: Double? {
    guard let ratio = scores.ratio, estimate != nil else { return nil }
    let n = ratio.count
    return (ratio.variance * (n - 1)).squareRoot() / n
  }

  /// Returns the confidence interval estimate ± t·standard error; nil if either is missing, or if the arm's decisions
  /// say too little.
  ///
  /// - Parameter level: The confidence level, between 0 and 1, exclusive.
  /// - Returns: The interval.
  public func interval(level: Double = 0.95) -> Interval? {
    guard support.isEnough, let estimate, let standardError else { return nil }
    return Difference(
      estimate: estimate, standardError: standardError,
      degreesOfFreedom: support.degreesOfFreedom, alternative: .twoSided, level: level
    ).interval
  }
}
