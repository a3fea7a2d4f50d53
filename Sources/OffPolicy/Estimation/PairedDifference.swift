public import Specifications
public import Statistics

/// The difference of the values of two target policies on the same decisions, with a standard error that accounts for
/// the correlation of both estimates.
///
/// With ψ as in ``TermEstimator``, the variance is Σ(ψᵤ − ψ'ᵤ)²/(U(U − 1)). It is often far smaller than that of either
/// value: policies that agree on most decisions differ only on the others.
///
/// - Complexity: about 2 KB; an addition is O(1) without allocation.
public struct PairedDifference: StateFields, Equatable {
  /// The estimator of both values.
  public let estimator: any TermEstimator
  private let form: TermForm
  private var sums = MomentSums(6)
  private var evidence = (own: EstimateEvidence(), other: EstimateEvidence())
  private let candidates: [any OffPolicyEstimator]

  /// Creates a difference without decisions.
  public init(_ estimator: any TermEstimator) {
    self.estimator = estimator
    form = type(of: estimator).form
    candidates = estimator.weighingCandidates
  }

  public static func == (a: PairedDifference, b: PairedDifference) -> Bool {
    a.sums == b.sums && a.evidence == b.evidence
      && a.estimator.specification == b.estimator.specification
  }

  /// Adds a number of equal decisions, each of a unit of its own, as seen by both target policies.
  ///
  /// - Parameters:
  ///   - decision: The decision as seen by the policy.
  ///   - other: The same decision as seen by the other policy: with its weight and expected reward.
  ///   - times: The number of decisions, not negative.
  public mutating func add(
    _ decision: LoggedDecision, versus other: LoggedDecision, times: Int = 1
  ) {
    add(
      unit: ([decision] as InlineArray<1, LoggedDecision>).span,
      versus: ([other] as InlineArray<1, LoggedDecision>).span, times: times)
  }

  /// Adds all the decisions of one unit, or of a number of units with the same ones, as seen by both target policies;
  /// does nothing without any, or if their numbers differ.
  public mutating func add(
    unit decisions: Span<LoggedDecision>, versus others: Span<LoggedDecision>, times: Int = 1
  ) {
    guard times > 0, !decisions.isEmpty, decisions.count == others.count else { return }
    var unit = estimator.sums(ofUnit: decisions)
    let other = estimator.sums(ofUnit: others)
    for index in 0..<3 { unit.values[3 + index] = other.values[index] }
    sums.add(unit, times: times)
    evidence.own.add(unit: decisions, candidates, times: times)
    evidence.other.add(unit: others, candidates, times: times)
  }

  /// Visits the sums.
  ///
  /// - Precondition: The other difference has the same estimator.
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    precondition(
      estimator.specification == other.estimator.specification,
      "differences of different estimators do not merge")
    visit(&sums, other.sums)
    visit(&evidence.own, other.evidence.own)
    visit(&evidence.other, other.evidence.other)
  }

  /// The number of decisions.
  public var count: Int { sums.decisions }

  /// The number of units.
  public var units: Int { sums.units }

  /// The value of the policy less that of the other one; nil if either has no value.
  public var value: Double? {
    guard let a = sums.value(form), let b = sums.value(form, from: 3), matchError != .drawnChoices else {
      return nil
    }
    return a - b
  }

  /// The standard error of the difference; nil for the reason ``missingError``.
  public var standardError: Double? { missingError == nil ? spread : nil }

  /// Why there is no standard error; nil if there is one.
  public var missingError: MissingError? {
    guard let value, value.isFinite else {
      if let match = matchError { return match }
      return [evidence.own.missingValue, evidence.other.missingValue].contains(.noValue)
        ? .noValue : .notFinite
    }
    guard units > 1 else { return .fewUnits }
    if let match = matchError { return match }
    let hasModel = estimator.rewardModel != .none
    if !candidates.isEmpty,
      let error = evidence.own.weightError(0, hasModel: hasModel) ?? evidence.other.weightError(0, hasModel: hasModel)
    {
      return error
    }
    // An error of one of the values that is not known is missing in the error of their difference too.
    for side in [evidence.own, evidence.other] {
      guard side.earning > 0 else { return .noReward }
      guard side.weighted > 1 else { return .singleUnit }
    }
    guard let spreads, spreads.allSatisfy(\.isFinite) else { return .notFinite }
    guard spreads.allSatisfy({ $0 > abs(value) * OffPolicySums.roundingError }) else { return .noVariance }
    let lost = evidence.own.lostMean(0) - evidence.other.lostMean(0)
    return evidence.own.cutError(0, lost: lost, spread: spreads[0])
  }

  private var matchError: MissingError? {
    let errors = [evidence.own, evidence.other].compactMap { $0.matchError(estimator) }
    return errors.first { $0 == .drawnChoices } ?? errors.first
  }

  private var spread: Double? { spreads?.first }

  /// The standard errors of the difference, and of either value from the decisions alone.
  private var spreads: [Double]? {
    let scale = form == .ratio ? sums.sum(2).value : Double(sums.decisions)
    guard let a = sums.influence(form, scale: scale),
      let b = sums.influence(form, scale: scale, from: 3)
    else { return nil }
    let difference = (a.count - b.count, zip(a.values, b.values).map { $0 - $1 })
    let all = [difference, (a.count, a.values), (b.count, b.values)].compactMap {
      sums.deviation($0, scale: scale)
    }
    return all.count == 3 ? all : nil
  }

  /// Returns the test of no difference and its two-sided confidence interval, with Student's t distribution of U − 1
  /// degrees of freedom for U units; nil without a standard error.
  ///
  /// - Parameter level: The confidence level, between 0 and 1, exclusive.
  /// - Returns: The estimate with standard error, statistic, p-value and interval.
  public func difference(level: Double = 0.95) -> Difference? {
    guard let value, let standardError else { return nil }
    return Difference(
      estimate: value, standardError: standardError, degreesOfFreedom: Double(units - 1),
      alternative: .twoSided, level: level)
  }
}
