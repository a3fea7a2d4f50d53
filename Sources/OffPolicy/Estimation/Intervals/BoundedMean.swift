public import Specifications
public import Statistics

/// A method for the mean of bounded variables: it needs the range of a unit's terms, and applies to estimators by terms
/// that are a mean.
public protocol BoundedMeanMethod: IntervalMethod where State == BoundedMeanState<Self> {
  /// The sums of a unit's terms that are possible.
  var limits: TermLimits { get set }

  /// Returns the half-width of the interval for a mean of variables, each in a range.
  ///
  /// - Parameters:
  ///   - range: The width of the range.
  ///   - units: The number of variables, at least 2.
  ///   - standardError: The standard error of the mean.
  ///   - tail: The probability of a mean beyond either end, α/2.
  /// - Returns: The half-width.
  func halfWidth(range: Double, units: Double, standardError: Double, tail: Double) -> Double
}

/// The sums of a unit's terms that are possible.
public struct TermLimits: ParameterGroup {
  /// The least; nil to take the smallest seen, or 0 if that is smaller.
  public var low: Double?
  /// The greatest; nil to take the greatest seen, or 0 if that is greater.
  public var high: Double?

  /// Creates limits that are seen.
  public init() {}

  public static var parameters: [Field] {
    Field.number(
      "low", \.low, in: -1e300...1e300,
      "least possible sum of a unit's terms, {range}; the least seen, or 0, if not given")
    Field.number(
      "high", \.high, in: -1e300...1e300,
      "greatest possible sum of a unit's terms, {range}; the greatest seen, or 0, if not given")
  }
}

extension BoundedMeanMethod {
  public var distinguishesUnits: Bool { false }

  public func makeState(for estimator: any OffPolicyEstimator) -> BoundedMeanState<Self>? {
    guard let estimator = estimator as? any TermEstimator, type(of: estimator).form == .mean else {
      return nil
    }
    return BoundedMeanState(self, estimator)
  }
}

/// The range of the terms of the units.
public struct BoundedMeanState<Method: BoundedMeanMethod>: IntervalState, StateFields {
  private let method: Method
  private let estimator: any TermEstimator
  private var least = Double.infinity
  private var greatest = -Double.infinity

  init(_ method: Method, _ estimator: any TermEstimator) {
    (self.method, self.estimator) = (method, estimator)
  }

  public static func == (a: BoundedMeanState, b: BoundedMeanState) -> Bool {
    a.least == b.least && a.greatest == b.greatest
      && a.method.specification == b.method.specification
      && a.estimator.specification == b.estimator.specification
  }

  public mutating func add(unit decisions: Span<LoggedDecision>, times: Int, key: UInt64) {
    let term = estimator.sums(ofUnit: decisions).values[0]
    least = min(least, term)
    greatest = max(greatest, term)
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit.least(&least, other.least)
    visit.greatest(&greatest, other.greatest)
  }

  /// Returns the interval; nil for fewer than two units, or if a unit's terms were outside of the given range.
  public func interval(of sums: OffPolicySums, level: Double) -> Interval? {
    precondition(level > 0 && level < 1, "a confidence level is between 0 and 1")
    guard sums.units > 1, let value = sums.value, let error = sums.spread else { return nil }
    let (low, high) = (
      method.limits.low ?? min(least, 0), method.limits.high ?? max(greatest, 0)
    )
    guard low <= least, greatest <= high else { return nil }
    let units = Double(sums.units)
    // A unit counts as much as its terms over the mean number of decisions.
    let range = (high - low) * units / Double(sums.count)
    let half = method.halfWidth(
      range: range, units: units, standardError: error, tail: (1 - level) / 2)
    guard value.isFinite, half.isFinite else { return nil }
    return Interval(value - half, value + half)
  }
}
