internal import Specifications

/// A ledger that counts decisions, those that are not counted apart.
@dynamicMemberLookup
public protocol DecisionLedger: Ledger {
  /// The decisions that are not counted.
  var uncounted: UncountedDecisions { get set }
}

extension DecisionLedger {
  /// The counts of decisions that are not counted.
  static var uncountedDecisions: LedgerCounts<Self> {
    [
      "decisions_unconfirmed": \.uncounted.unconfirmedDecisions,
      "decisions_repeated": \.uncounted.repeatedDecisions,
      "decisions_excluded": \.uncounted.excludedDecisions,
      "decisions_of_unknown_status": \.uncounted.unknownDecisions,
      "decisions_left_out": \.uncounted.leftOutDecisions,
    ]
  }

  /// A count of decisions that are not counted, such as `excludedDecisions`.
  public subscript(dynamicMember path: WritableKeyPath<UncountedDecisions, Int>) -> Int {
    get { uncounted[keyPath: path] }
    set { uncounted[keyPath: path] = newValue }
  }
}

/// A ledger of exposures, which includes repeated decisions.
protocol ExposureLedger: DecisionLedger {
  /// Counts an exposure at or before the end.
  mutating func countExposure(isRepeated: Bool)
  /// Counts an exposure after the end.
  mutating func countExposureAfterEnd()
}

extension ExposureLedger {
  /// Counts an event by its role in the assignments of its unit.
  @inline(__always)
  mutating func count(_ event: UnitEvent, as role: Assignments.Role) {
    switch role {
    case .exposure: countExposure(isRepeated: event.kind == .repeated)
    case .exposureAfterEnd: countExposureAfterEnd()
    case .other: uncounted.count(unexposed: event.kind)
    }
  }
}

extension AssignmentLedger: ExposureLedger {
  mutating func countExposure(isRepeated: Bool) {
    if isRepeated { uncounted.repeatedDecisions += 1 } else { confirmedDecisions += 1 }
  }
  mutating func countExposureAfterEnd() { decisionsAfterEnd += 1 }
}

extension MetricLedger: ExposureLedger {
  mutating func countExposure(isRepeated: Bool) {}
  mutating func countExposureAfterEnd() { exposuresAfterEnd += 1 }
}

extension ConversionLedger: ExposureLedger {
  mutating func countExposure(isRepeated: Bool) {
    exposures += 1
    if isRepeated { uncounted.repeatedDecisions += 1 }
  }
  mutating func countExposureAfterEnd() {}
}
