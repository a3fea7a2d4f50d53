internal import EventLog
internal import Replay
internal import Specifications
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

extension Table {
  private static let goalsOnly = "experiments_with_goals_only"

  /// Notes the experiments in which no conversion counts, and which have goals.
  mutating func note(experimentsWithGoalsOnly experiments: [String]) {
    guard !experiments.isEmpty else { return }
    let sorted = experiments.sorted(by: VariantPairs.inBytes)
    note(Self.goalsOnly, sorted.map(AnswerText.name).joined(separator: ", "))
  }

  /// The noted experiments of which the table has rows, all without conversions; all of them for a table without rows.
  var experimentsWithGoalsOnly: [String] {
    guard case .text(let text)? = notes.first(where: { $0.name == Self.goalsOnly })?.value else { return [] }
    let noted = text.split(separator: "; or ").joined(separator: ", ").split(separator: ", ").map(String.init)
    guard !rows.isEmpty else { return noted }
    var conversions: [NameKey: Double] = [:]
    for row in NamedCells.rows(of: self) {
      let experiment = NameKey(AnswerText.name(row.text("experiment") ?? ""))
      conversions[experiment, default: 0] += row.number("conversions") ?? 0
    }
    return noted.filter { conversions[NameKey($0)] == 0 }
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
