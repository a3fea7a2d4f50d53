/// An estimator by terms, a mean, with one parameter that trades bias for variance, which ``Slope`` and
/// ``CrossValidated`` can choose.
public protocol TunableEstimator: TermEstimator {
  /// The parameter and its candidates.
  static var tuning: Tuning { get }
}

/// The parameter of a ``TunableEstimator`` that trades bias for variance.
public struct Tuning: Sendable, Hashable {
  /// An end of the values of a parameter.
  public enum End: Sendable, Hashable {
    /// The smallest values.
    case smallest
    /// The largest values.
    case largest
  }

  /// The key of the parameter.
  public let key: String
  /// The values that are tried by default.
  public let candidates: [Double]
  /// The values at which the bias is smallest, and the variance greatest.
  public let leastBiased: End

  /// Creates a description of the parameter.
  public init(_ key: String, candidates: [Double], leastBiased: End) {
    (self.key, self.candidates, self.leastBiased) = (key, candidates, leastBiased)
  }

  /// Returns values without repetition, from the least biased to the most.
  func ordered(_ values: [Double]) -> [Double] {
    let ascending = Set(values).sorted()
    return leastBiased == .smallest ? ascending : ascending.reversed()
  }
}

extension TunableEstimator {
  /// Returns the sums of the estimator's terms and of those of the estimator without bias that it approaches: doubly
  /// robust with a model, and IPS without.
  func sums(versusUnbiased unit: Span<LoggedDecision>) -> UnitValues {
    unit.sums { [terms(of: $0[0]).mean, term($0[0].weight, $0[0]), 0, 0, 0, 0] }
  }
}
