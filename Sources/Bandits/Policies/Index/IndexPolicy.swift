internal import Statistics

/// A policy that chooses the variant with the largest index, after an initial pull of each variant, breaking ties at
/// random.
///
/// The index is a function of tallies, so the same policy serves agents, which keep tallies only.
public protocol IndexPolicy: AllocationPolicy where State == IndexState<Self> {
  /// The memory between comparisons of the index of the last choice with a bound (default: nothing).
  associatedtype Memory: IndexMemory = NoIndexMemory

  /// Whether the index uses ``IndexSituation/bestMean`` (default: false).
  static var needsBestMean: Bool { get }

  /// Returns the index of a variant.
  ///
  /// - Parameters:
  ///   - arm: The tally of the variant, with at least one decision.
  ///   - now: The totals over all variants.
  /// - Returns: The index; NaN never wins.
  func index(_ arm: ArmTally, _ now: IndexSituation) -> Double

  /// Whether estimates are as close to the index as ``margin``, so that one that is ahead by more decides (default:
  /// false).
  static var isEstimateClose: Bool { get }

  /// Whether all close estimates are lines a + b x with b ≥ 0, of which the steepest bounds the growth of the others
  /// (default: false).
  static var isEstimateLine: Bool { get }

  /// The most by which a close estimate differs from the index, beside rounding (default: 0).
  static var margin: Double { get }

  /// Returns the number on which estimates of all variants depend at a decision: ln t by default.
  func abscissa(_ now: IndexSituation) -> Double

  /// Returns the numbers from which the index of a variant is estimated as long as its tally stays as it is. By default
  /// its estimate is infinite, and its index is computed at every decision.
  ///
  /// - Parameters:
  ///   - arm: The tally of the variant, with at least one decision.
  ///   - now: The totals over all variants. Close estimates use the number of variants only.
  ///   - index: The index in this situation; NaN for close estimates.
  /// - Returns: Numbers for which the estimate is never below the index, including its rounding, unless it is close.
  func terms(_ arm: ArmTally, _ now: IndexSituation, index: Double) -> IndexTerms<Double>

  /// Returns such numbers without the index of a variant, if it is below a bound and that takes less than the index. By
  /// default returns nil.
  ///
  /// - Parameters:
  ///   - arm: The tally of the variant, with at least one decision.
  ///   - now: The totals over all variants.
  ///   - bound: A finite number.
  /// - Returns: Nil unless ``index(_:_:)`` certainly is smaller than the bound, including its rounding.
  func terms(
    _ arm: ArmTally, _ now: IndexSituation, below bound: Double
  ) -> IndexTerms<Double>?

  /// Returns whether the index of a variant is larger than a number, if that takes less than the index. By default
  /// compares the index.
  ///
  /// - Parameters:
  ///   - bound: A number.
  ///   - arm: The tally of the variant, with at least one decision.
  ///   - now: The totals over all variants.
  ///   - memory: What was remembered by the last comparison, often of the same variant with the same bound.
  /// - Returns: True only if ``index(_:_:)`` certainly is larger, including its rounding.
  func exceeds(
    _ bound: Double, _ arm: ArmTally, _ now: IndexSituation, _ memory: inout Memory
  ) -> Bool

  /// Returns the estimates of two variants: by default the line a + b x, such as the tangent of an index that is a
  /// concave function of x, which is never below it. Both x and the estimate are monotonic while the number of
  /// decisions grows and nothing else changes.
  ///
  /// - Parameters:
  ///   - terms: The numbers of both variants.
  ///   - x: The ``abscissa(_:)``.
  /// - Returns: Their estimates, infinite where a is.
  func estimate(_ terms: IndexTerms<SIMD2<Double>>, _ x: Double) -> SIMD2<Double>
}

/// The memory of an ``IndexPolicy`` between comparisons.
public protocol IndexMemory: Sendable {
  /// Creates a memory of nothing.
  init()
}

/// The memory of policies that remember nothing.
public struct NoIndexMemory: IndexMemory {
  public init() {}
}

/// The situation on which an index may depend besides the tally of its variant.
public struct IndexSituation: Sendable, Hashable {
  /// The number t of decisions so far, over all variants.
  public var decisions: Double
  /// ln t.
  public var log: Double
  /// The number K of variants.
  public var choices: Double
  /// The best mean reward of a variant so far.
  public var bestMean: Double
}

extension IndexSituation {
  /// Creates a situation.
  public init(decisions: Double, choices: Double, bestMean: Double) {
    self.init(
      decisions: decisions, log: Double.log(decisions), choices: choices, bestMean: bestMean)
  }

  /// Creates a situation of which only the number of variants is known.
  @inline(__always)
  init(choices: Double) {
    self.init(decisions: .nan, log: .nan, choices: choices, bestMean: .nan)
  }
}

extension IndexPolicy {
  public static var needsBestMean: Bool { false }

  public static var isEstimateClose: Bool { false }

  public static var isEstimateLine: Bool { false }

  public static var margin: Double { 0 }

  @inline(__always)
  public func abscissa(_ now: IndexSituation) -> Double { now.log }

  @inline(__always)
  public func terms(
    _ arm: ArmTally, _ now: IndexSituation, index: Double
  ) -> IndexTerms<Double> { .unknown }

  @inline(__always)
  public func terms(
    _ arm: ArmTally, _ now: IndexSituation, below bound: Double
  ) -> IndexTerms<Double>? { nil }

  @inline(__always)
  public func exceeds(
    _ bound: Double, _ arm: ArmTally, _ now: IndexSituation, _ memory: inout Memory
  ) -> Bool {
    index(arm, now) > bound
  }

  @inline(__always)
  public func estimate(_ terms: IndexTerms<SIMD2<Double>>, _ x: Double) -> SIMD2<Double> {
    terms.a + terms.b * x
  }

  /// Chooses the largest index among the available variants.
  public static var supportsUnavailableVariants: Bool { true }

  public func makeState(_ problem: Problem) -> IndexState<Self> { IndexState(self, problem) }

  /// Returns equal probabilities for the variants never chosen; once there are none, for those with the largest index.
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = Self.needsUnitRewards ? arms.unitFlaw : arms.flaw {
      return .equal(arms.count, refusal: flaw)
    }
    if let first = arms.unpulledFirst { return first }
    let situation = IndexSituation(
      decisions: arms.totalDecisions, choices: Double(arms.count),
      bestMean: arms.reduce(-Double.infinity) { max($0, $1.mean) })
    return .shared(amongLargest: arms.map { index($0, situation) })
  }
}

extension ArmTally {
  /// The variance of the rewards with divisor n, never negative.
  var variance: Double {
    guard decisions > 0 else { return 0 }
    let spread = squares / Double(decisions) - mean * mean
    return spread > 0 && spread.isFinite ? spread : 0
  }
}
