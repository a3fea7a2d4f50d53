/// A ledger that counts the decisions that are neither rewarded decisions nor exposures.
protocol UncountedDecisions {
  var unconfirmedDecisions: Int { get set }
  var excludedDecisions: Int { get set }
  var unknownDecisions: Int { get set }
  var leftOutDecisions: Int { get set }
}

extension UncountedDecisions {
  /// Counts a decision that does not count; ignores other events.
  @inline(__always)
  mutating func count(uncounted kind: UnitEvent.Kind) {
    switch kind {
    case .provisional: unconfirmedDecisions += 1
    case .excluded: excludedDecisions += 1
    case .unknown: unknownDecisions += 1
    case .leftOut: leftOutDecisions += 1
    default: break
    }
  }
}

/// A ledger of rewarded decisions, which excludes repeated ones.
protocol DecisionLedger: UncountedDecisions {
  var repeatedDecisions: Int { get set }
}

extension DecisionLedger {
  /// Counts a decision that gets no reward; ignores other events.
  @inline(__always)
  mutating func count(unrewarded kind: UnitEvent.Kind) {
    if kind == .repeated { repeatedDecisions += 1 } else { count(uncounted: kind) }
  }
}

/// A ledger of exposures, which includes repeated decisions.
protocol ExposureLedger: UncountedDecisions {
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
    case .other: count(uncounted: event.kind)
    }
  }
}

extension AssignmentLedger: ExposureLedger {
  mutating func countExposure(isRepeated: Bool) {
    if isRepeated { repeatedDecisions += 1 } else { confirmedDecisions += 1 }
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
    if isRepeated { repeatedDecisions += 1 }
  }
  mutating func countExposureAfterEnd() {}
}

extension RewardLedger: DecisionLedger {}
extension ExperimentLedger: DecisionLedger {}
