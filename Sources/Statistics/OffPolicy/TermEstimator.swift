/// An estimator that is a mean plus a ratio: (sum of m)/n + (sum of a)/(sum of b) over n decisions, where m, a and b
/// are functions of one decision and either part may be absent.
///
/// Value, standard error, bootstrap, merging and paired differences follow from the terms (``TermSums``).
public protocol TermEstimator: OffPolicyEstimator where Sums == TermSums<Self> {
  /// The parts of the estimate.
  static var form: TermForm { get }

  /// Returns the terms of a decision; those of an absent part are ignored.
  func terms(of decision: LoggedDecision) -> DecisionTerms
}

extension TermEstimator {
  public func makeSums() -> TermSums<Self> { TermSums(self) }
}

/// The parts of the estimate of a ``TermEstimator``.
public enum TermForm: Sendable, Hashable {
  /// A mean, (sum of m)/n.
  case mean
  /// A ratio, (sum of a)/(sum of b).
  case ratio
  /// The sum of a mean and a ratio.
  case both

  /// Whether there is a mean.
  public var hasMean: Bool { self != .ratio }
  /// Whether there is a ratio.
  public var hasRatio: Bool { self != .mean }
}

/// The terms of one decision, or the sums of those of one unit's decisions.
public struct DecisionTerms: Sendable, Equatable {
  /// The term of the mean, m.
  public var mean: Double
  /// The term of the numerator of the ratio, a.
  public var numerator: Double
  /// The term of the denominator of the ratio, b.
  public var denominator: Double

  /// Creates terms; those of an absent part are zero.
  public init(mean: Double = 0, numerator: Double = 0, denominator: Double = 0) {
    (self.mean, self.numerator, self.denominator) = (mean, numerator, denominator)
  }
}

extension TermEstimator {
  /// Returns the sums of the terms of a unit's decisions, each exact until it is rounded, so that their order does not
  /// matter.
  func terms(of unit: Span<LoggedDecision>) -> DecisionTerms {
    if unit.count == 1 { return terms(of: unit[0]) }
    var (mean, numerator, denominator) = (ExactSum(), ExactSum(), ExactSum())
    for index in unit.indices {
      let terms = terms(of: unit[index])
      mean.add(terms.mean)
      numerator.add(terms.numerator)
      denominator.add(terms.denominator)
    }
    return DecisionTerms(
      mean: mean.value, numerator: numerator.value, denominator: denominator.value)
  }
}
