/// Diagnostics of importance weights: how informative a log is about a target policy.
///
/// - Complexity: about 1.1 KB; an addition is O(1) without allocation.
public struct WeightDiagnostics: Sendable, Equatable {
  private var weights = Moments()
  /// The greatest weight; nil without decisions.
  public private(set) var greatest: Double?
  /// The number of decisions that the target policy could have made too: those with a weight above zero.
  public private(set) var matched = 0

  /// Creates diagnostics without decisions.
  public init() {}

  /// Adds a decision.
  public mutating func add(_ decision: LoggedDecision) {
    let weight = decision.weight
    weights.add(weight)
    greatest = max(greatest ?? weight, weight)
    if weight > 0 { matched += 1 }
  }

  /// Adds all the decisions of another instance.
  public mutating func merge(_ other: WeightDiagnostics) {
    weights.merge(other.weights)
    matched += other.matched
    greatest = [greatest, other.greatest].compactMap { $0 }.max()
  }

  /// The number of decisions.
  public var count: Int { weights.count }

  /// The mean weight, near 1 if the propensities are right and the log covers the target policy; nil without decisions.
  public var mean: Double? { weights.mean }

  /// The effective sample size (Σw)²/Σw²: L. Kish, "Survey Sampling" (1965). Nil if no weight is above zero.
  public var effectiveSampleSize: Double? {
    let (sum, squares) = (weights.sum, weights.totalOfSquares.value)
    guard squares > 0 else { return nil }
    return sum / squares * sum
  }
}
