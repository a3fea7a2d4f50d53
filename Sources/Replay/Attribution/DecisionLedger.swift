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
