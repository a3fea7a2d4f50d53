internal import EventLog
internal import Replay
internal import Tables

extension Table {
  /// Notes what was read of units and their conversions (or goals), and what was not counted, rule by rule.
  mutating func note(_ ledger: ConversionLedger, of source: ConversionSource) {
    note(ledger.noted)
    let what = source.rawValue
    note("\(what)_counted", ledger[.counted])
    if source == .conversions { note("conversions_negative", ledger.negative) }
    note("\(what)_before_exposure", ledger[.beforeExposure])
    note("\(what)_outside_window", ledger[.outsideWindow])
    note("\(what)_beyond_limit", ledger[.beyondLimit])
    note("\(what)_out_of_bounds", ledger[.outOfBounds])
    note("\(what)_of_units_left_out", ledger[.ofUnitLeftOut])
    note("\(what)_of_units_never_exposed", ledger[.ofUnitNeverExposed])
    if source == .goals { note("goals_refused", ledger.refusedGoals) }
  }
}

extension Attribution {
  /// A description of the attribution of goals or conversions where units belong to the variant of their first
  /// exposure, whatever the rule is.
  func text(ofAssigned source: ConversionSource) -> String {
    var attribution = of(source)
    attribution.rule = .first
    return attribution.description
  }
}
