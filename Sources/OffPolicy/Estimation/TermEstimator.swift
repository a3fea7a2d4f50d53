internal import Statistics

/// An estimator that is a mean plus a ratio: (sum of m)/n + (sum of a)/(sum of b) over n decisions, where m, a and b
/// are functions of one decision and either part may be absent.
///
/// Value, standard error, bootstrap, merging and paired differences follow from the terms (``TermSums``).
public protocol TermEstimator: OffPolicyEstimator where Sums == TermSums<Self> {
  /// The parts of the estimate (default: a mean).
  static var form: TermForm { get }

  /// Returns the terms of a decision; those of an absent part are ignored.
  func terms(of decision: LoggedDecision) -> DecisionTerms

  /// Returns the sums of the terms of one unit's decisions, at least one, and their numbers.
  ///
  /// The default implementation adds the terms of each decision.
  func sums(ofUnit decisions: Span<LoggedDecision>) -> UnitTerms
}

extension TermEstimator {
  public static var form: TermForm { .mean }

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

/// The terms of one unit.
public struct UnitTerms: Sendable, Equatable {
  /// The sums of the terms over the unit's decisions.
  public var terms: DecisionTerms
  /// The number of decisions.
  public var count: Int
  /// The number of decisions that the target policy could have made too.
  public var matched: Int

  /// Creates the terms of a unit.
  public init(_ terms: DecisionTerms, count: Int, matched: Int) {
    (self.terms, self.count, self.matched) = (terms, count, matched)
  }
}

/// The terms of several decisions, added exactly until they are rounded, so that their order does not matter.
struct ExactTerms {
  private var mean = SmallSum()
  private var numerator = SmallSum()
  private var denominator = SmallSum()
  private var (count, matched) = (0, 0)

  /// Adds a decision, and whether the target policy could have made it too.
  mutating func add(_ terms: DecisionTerms, isMatch: Bool) {
    count += 1
    if isMatch { matched += 1 }
    mean.add(terms.mean)
    numerator.add(terms.numerator)
    denominator.add(terms.denominator)
  }

  /// The sums.
  var unit: UnitTerms {
    UnitTerms(
      DecisionTerms(
        mean: mean.value, numerator: numerator.value, denominator: denominator.value),
      count: count, matched: matched)
  }
}

extension TermEstimator {
  public func sums(ofUnit decisions: Span<LoggedDecision>) -> UnitTerms {
    if decisions.count == 1 {
      return UnitTerms(terms(of: decisions[0]), count: 1, matched: decisions.matched)
    }
    var sums = ExactTerms()
    for index in decisions.indices {
      sums.add(terms(of: decisions[index]), isMatch: decisions[index].weight > 0)
    }
    return sums.unit
  }
}
