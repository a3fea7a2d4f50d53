internal import Replay
internal import Specifications
internal import Tables

extension HealthChecks {
  /// Checks which decisions and goals of an experiment were counted.
  mutating func checkLedger(_ ledger: ExperimentLedger, of experiment: String) {
    let decisions: [(HealthCheck.Name, Int, ShareRule)] = [
      (.excludedDecisions, ledger.excludedDecisions, .harmless),
      (.unconfirmedDecisions, ledger.unconfirmedDecisions, ShareRule(warning: 0.1)),
      (.repeatedDecisions, ledger.repeatedDecisions, .harmless),
      (.unknownDecisions, ledger.unknownDecisions, .suspicious),
      (.leftOutDecisions, ledger.leftOutDecisions, .harmless),
      (.duplicateDecisions, ledger.duplicateDecisions, .never),
    ]
    for (name, count, rule) in decisions {
      let check = HealthCheck(name, experiment: experiment)
      add(rule.check(check, count, of: ledger.decisions, "decisions"))
    }
    let goals: [(HealthCheck.Name, Int, Int, ShareRule)] = [
      (.refusedGoals, ledger.refusedGoals, ledger.goals, ShareRule(warning: 0.1)),
      (
        .orphanGoals, ledger.orphanGoals, ledger.acceptedGoals,
        ShareRule(warning: 0.01, failure: 0.1)
      ),
      (.duplicateGoals, ledger.duplicateGoals, ledger.goals, .never),
    ]
    for (name, count, total, rule) in goals {
      add(rule.check(HealthCheck(name, experiment: experiment), count, of: total, "goals"))
    }
  }

  /// Checks events that belong to no experiment, of a log of which all experiments or only some are selected.
  mutating func checkUnits(_ units: UnitLedger, ofSome: Bool) {
    var late = ShareRule(warning: 0.01).check(
      HealthCheck(.lateEvents), units.lateEvents, of: units.events, "events")
    if units.lateEvents > 0 {
      late.detail += "; at most \(Self.roughly(units.largestLateness)) late"
    }
    add(late)
    add(
      ShareRule.never.check(
        HealthCheck(.duplicateConversions), units.duplicateConversions, of: units.conversions,
        "conversions"))
    checkOrphanConversions(units, ofSome: ofSome)
    var busy = ShareRule.suspicious.check(
      HealthCheck(.busyUnits), units.busyUnits, of: units.units, "units")
    if units.units > 0 {
      busy.detail +=
        " have more than \(options.busyEvents) events on a day (\(options.calendar)); the most is "
        + "\(units.mostEventsOfDay)"
    }
    add(busy)
  }

  /// Formats a duration in its largest unit.
  private static func roughly(_ microseconds: Int64) -> String {
    let units: [(String, Int64)] = [
      ("d", 86_400_000_000), ("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000),
      ("ms", 1_000),
    ]
    guard let (name, size) = units.first(where: { $0.1 <= microseconds }) else {
      return "\(microseconds)us"
    }
    return NumberText.readable(Double(microseconds) / Double(size)) + name
  }

  /// Checks for orphan conversions. Most conversions of a site may belong to units in no experiment; it is a problem
  /// only if none belongs to an exposed unit.
  private mutating func checkOrphanConversions(_ units: UnitLedger, ofSome: Bool) {
    var check = ShareRule(warning: 0.5).check(
      HealthCheck(.orphanConversions), units.orphanConversions, of: units.conversions, "conversions"
    )
    if units.exposedUnits == 0 {
      check = check.saying("no unit was exposed")
    } else if ofSome {
      check = check.saying("conversions of other experiments would count as orphans; ask without --experiment")
    } else if units.conversions > 0, units.orphanConversions == units.conversions {
      check.verdict = .failed
      check.detail += "; no conversion can be credited: are units named alike?"
    }
    add(check)
  }

  /// Checks for different events with the same id; without any, there is nothing to say.
  mutating func checkIDs(_ ids: (events: Int, shared: Int)?) {
    guard let ids, ids.shared > 0 else { return }
    var check = ShareRule.suspicious.check(
      HealthCheck(.sharedIDs), ids.shared, of: ids.events, "events with an id")
    check.detail +=
      "; each with other content than the first: tables with ids of their own, or a file that was imported again with "
      + "corrections"
    add(check)
  }

  /// Checks for events that are missing from the log.
  mutating func checkAbsent(_ absent: AbsentEventProjector.State, lost: Int, total: Int) {
    add(
      ShareRule.suspicious.check(
        HealthCheck(.erasedEvents), absent.erased, of: total, "events of the log"))
    add(
      ShareRule.impossible.check(
        HealthCheck(.lostEvents), absent.lost + lost, of: total, "events of the log"))
  }
}
