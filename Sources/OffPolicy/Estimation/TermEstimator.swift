internal import Statistics

/// An estimator that is a mean plus a ratio: (sum of m)/n + (sum of a)/(sum of b) over n decisions, where m, a and b
/// are functions of one decision and either part may be absent.
///
/// Value, standard error, bootstrap, merging and paired differences follow from the terms.
///
/// With the sums of a unit's terms, mᵤ, aᵤ and bᵤ over its nᵤ decisions, M = Σmᵤ/Σnᵤ and R = Σaᵤ/Σbᵤ, the estimate is M
/// + R. Its variance is Σψᵤ²/(U(U − 1)) over U units, where ψᵤ = (mᵤ − M·nᵤ)/n̄ + (aᵤ − R·bᵤ)/b̄ and bars are means per
/// unit: the delta method for ratios, as in W. G. Cochran, "Sampling Techniques" (3rd edition, 1977), section 6.4. With
/// one decision per unit it is the usual standard error of a mean or a ratio.
///
/// All sums are exact, so the results depend neither on the order of the units nor on how parts were merged.
///
/// - Complexity: the sums have about 700 bytes; an addition is O(1) without allocation.
public protocol TermEstimator: OffPolicyEstimator where Sums == MomentSums {
  /// The parts of the estimate (default: a mean).
  static var form: TermForm { get }

  /// Returns the terms of a decision; those of an absent part are ignored.
  ///
  /// The default is, with the weight of the decision, inverse propensity scoring, or doubly robust with a reward model.
  func terms(of decision: LoggedDecision) -> DecisionTerms

  /// Returns the terms of a whole decision (default: those of its only slot).
  ///
  /// - Parameter slots: The decisions of its slots, at least one, in the order of the unit's history; only one unless
  ///   ``OffPolicyEstimator/judgesWholeDecisions``.
  /// - Returns: The terms.
  func terms(ofSlots slots: Span<LoggedDecision>) -> DecisionTerms

  /// Returns the sums of the terms of one unit's decisions, at least one, and their numbers.
  ///
  /// The default implementation adds the terms of each decision.
  func sums(ofUnit decisions: Span<LoggedDecision>) -> UnitValues
}

extension TermEstimator {
  public static var form: TermForm { .mean }

  public func terms(of decision: LoggedDecision) -> DecisionTerms {
    let weight = weight(of: decision)
    switch Self.form {
    case .mean: return DecisionTerms(mean: term(weight, decision))
    case .ratio: return DecisionTerms(numerator: weight * decision.reward, denominator: weight)
    case .both:
      return DecisionTerms(
        mean: decision.expected, numerator: weight * (decision.reward - decision.modelled),
        denominator: weight)
    }
  }

  public func terms(ofSlots slots: Span<LoggedDecision>) -> DecisionTerms { terms(of: slots[0]) }

  public func sums(ofUnit decisions: Span<LoggedDecision>) -> UnitValues {
    decisions.sums(ofWhole: judgesWholeDecisions) { slots in
      let terms = terms(ofSlots: slots)
      return [terms.mean, terms.numerator, terms.denominator, 0, 0, 0]
    }
  }

  public func makeSums() -> MomentSums { MomentSums(3) }

  public func add(unit decisions: Span<LoggedDecision>, times: Int, to sums: inout MomentSums) {
    sums.add(self.sums(ofUnit: decisions), times: times)
  }

  public func value(of sums: MomentSums) -> Double? { sums.value(Self.form) }

  public func standardError(of sums: MomentSums) -> Double? { sums.standardError(Self.form) }
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

/// The terms of one decision.
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

extension MomentSums {
  /// Returns the estimate of terms m, a and b from a place on; nil without decisions, and for a ratio also if its
  /// denominator is zero: the log then has no information on the target.
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
}
