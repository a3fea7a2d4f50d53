/// A ledger of the decisions that do not count, by what keeps them from it.
protocol UncountedDecisions {
  var unconfirmedDecisions: Int { get set }
  var repeatedDecisions: Int { get set }
  var excludedDecisions: Int { get set }
  var unknownDecisions: Int { get set }
  var leftOutDecisions: Int { get set }
}

extension UncountedDecisions {
  /// Counts a decision that does not count; other events are none of its business.
  @inline(__always)
  mutating func count(uncounted kind: UnitEvent.Kind) {
    switch kind {
    case .provisional: unconfirmedDecisions += 1
    case .repeated: repeatedDecisions += 1
    case .excluded: excludedDecisions += 1
    case .unknown: unknownDecisions += 1
    case .leftOut: leftOutDecisions += 1
    default: break
    }
  }
}

extension RewardLedger: UncountedDecisions {}
extension ConversionLedger: UncountedDecisions {}
extension AssignmentLedger: UncountedDecisions {}
extension ExperimentLedger: UncountedDecisions {}
