public import Specifications
internal import Statistics

/// The sums behind an estimator by terms.
///
/// With the sums of a unit's terms, mᵤ, aᵤ and bᵤ over its nᵤ decisions, M = Σmᵤ/Σnᵤ and R = Σaᵤ/Σbᵤ, the estimate is M
/// + R. Its variance is Σψᵤ²/(U(U − 1)) over U units, where ψᵤ = (mᵤ − M·nᵤ)/n̄ + (aᵤ − R·bᵤ)/b̄ and bars are means per
/// unit: the delta method for ratios, as in W. G. Cochran, "Sampling Techniques" (3rd edition, 1977), section 6.4. With
/// one decision per unit it is the usual standard error of a mean or a ratio.
///
/// All sums are exact, so the results depend neither on the order of the units nor on how parts were merged.
///
/// - Complexity: about 700 bytes; an addition is O(1) without allocation.
public struct TermSums<Estimator: TermEstimator>: EstimatorSums, StateFields {
  /// The estimator.
  public let estimator: Estimator
  public private(set) var matched = 0
  private var sums = MomentSums(3)

  /// Creates sums without decisions.
  public init(_ estimator: Estimator) { self.estimator = estimator }

  public static func == (a: TermSums, b: TermSums) -> Bool {
    a.matched == b.matched && a.sums == b.sums
      && a.estimator.specification == b.estimator.specification
  }

  /// Adds a number of equal decisions, each of a unit of its own.
  ///
  /// - Complexity: O(1) without allocation.
  /// - Precondition: `times` is not negative.
  public mutating func add(_ decision: LoggedDecision, times: Int = 1) {
    precondition(times >= 0, "a decision cannot be added a negative number of times")
    if decision.weight > 0 { matched += times }
    sums.add(UnitValues(estimator.terms(of: decision)), times: times)
  }

  public mutating func add(unit decisions: Span<LoggedDecision>) {
    guard !decisions.isEmpty else { return }
    let unit = estimator.sums(ofUnit: decisions)
    matched += unit.matched
    sums.add(UnitValues(unit.terms), decisions: unit.count)
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    precondition(
      estimator.specification == other.estimator.specification,
      "sums of different estimators do not merge")
    visit(&matched, other.matched)
    visit(&sums, other.sums)
  }

  public var count: Int { sums.decisions }
  public var units: Int { sums.units }

  /// The estimated value of the target policy; nil without decisions, and for a ratio also if its denominator is zero:
  /// the log then has no information on the target.
  public var value: Double? { sums.value(Estimator.form) }

  public var standardError: Double? { sums.standardError(Estimator.form) }
}

extension UnitValues {
  /// The terms of one estimate.
  init(_ terms: DecisionTerms) {
    self = [terms.mean, terms.numerator, terms.denominator, 0, 0, 0]
  }
}

extension Span<LoggedDecision> {
  /// The number of decisions with a weight above zero.
  var matched: Int { indices.reduce(0) { $0 + (self[$1].weight > 0 ? 1 : 0) } }
}

extension MomentSums {
  /// Returns the estimate of terms m, a and b from a place on.
  func value(_ form: TermForm, from start: Int = 0) -> Double? {
    guard decisions > 0 else { return nil }
    var value = 0.0
    if form.hasMean { value += ExactSum.quotient(sum(start), decisions) ?? .nan }
    if form.hasRatio {
      guard let ratio = ExactSum.quotient(sum(start + 1), sum(start + 2)) else { return nil }
      value += ratio
    }
    return value
  }

  /// Returns the standard error of the estimate of terms m, a and b; nil for fewer than two units or without a value.
  func standardError(_ form: TermForm) -> Double? {
    let scale = form == .ratio ? sum(2).value : Double(decisions)
    guard let influence = influence(form, scale: scale) else { return nil }
    return deviation(influence, scale: scale)
  }

  /// Returns the coefficients of scale·ψᵤ/U for the terms from a place on: that of nᵤ, and those of the values.
  func influence(
    _ form: TermForm, scale: Double, from start: Int = 0
  ) -> (count: Double, values: [Double])? {
    guard value(form, from: start) != nil, scale != 0 else { return nil }
    var values = [Double](repeating: 0, count: width)
    var count = 0.0
    if form.hasMean, let mean = ExactSum.quotient(sum(start), decisions) {
      // The scale is either the number of decisions, or not used with a mean.
      let factor = scale / Double(decisions)
      (count, values[start]) = (-mean * factor, factor)
    }
    if form.hasRatio, let ratio = ExactSum.quotient(sum(start + 1), sum(start + 2)) {
      let factor = scale / sum(start + 2).value
      (values[start + 1], values[start + 2]) = (factor, -ratio * factor)
    }
    return (count, values)
  }

  /// Returns √(U/(U − 1)·Σ(influence)²)/scale; nil for fewer than two units.
  func deviation(_ influence: (count: Double, values: [Double]), scale: Double) -> Double? {
    guard units > 1, isFinite else { return nil }
    let squares = squares(influence.count, influence.values)
    guard squares.isFinite else { return nil }
    let n = Double(units)
    return (squares * n / (n - 1)).squareRoot() / abs(scale)
  }
}
