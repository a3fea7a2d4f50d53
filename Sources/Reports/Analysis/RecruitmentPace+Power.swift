internal import EventLog
internal import Events
internal import Replay
internal import Specifications

extension RecruitmentPace {
  /// Returns the units so far and those needed in each place of an experiment, by the arithmetic of the report `power`.
  ///
  /// - Parameters:
  ///   - source: The part of the log with the experiment.
  ///   - entry: The plan of the experiment.
  ///   - comparison: The comparison that decides.
  ///   - sharesLevel: Whether its level is divided by the number of variants but the baseline (Bonferroni): each is one
  ///     more chance to be wrong, and together they keep the level.
  /// - Returns: The paces by place.
  /// - Throws: ``ReportError`` if the log lacks what the plan names; `LogError` if the log cannot be read.
  static func paces(
    of source: ReportSource, _ entry: AnalysisPlan.Entry, _ comparison: inout ComparisonPlan,
    sharesLevel: Bool
  ) throws -> [ReportPlace: RecruitmentPace] {
    var plan = PowerPlan()
    plan.baseline = entry.baseline
    plan.lift = entry.minimumEffect ?? plan.lift
    var report = try PowerReport {
      $0.measures = MetricPlan([entry.metric])
      $0.plan = plan
    }
    let (tallies, projector) = try report.tallied(source)
    if sharesLevel { comparison.alpha /= Double(max(1, tallies.mostVariants - 1)) }
    report.plan.alpha = comparison.alpha
    let table = try report.table(tallies, metrics: projector.metrics, names: source.names)
    var byDay: [ReportPlace: [Int64: Int]] = [:]
    for (place, days) in tallies.days {
      let name = ReportPlace(
        experiment: source.names.string(place.experiment, in: .experiments) ?? "",
        point: source.names.string(place.point, in: .points) ?? "point-1",
        slot: source.names.string(place.slot, in: .slots) ?? "decision-1")
      byDay[name] = days
    }
    var paces: [ReportPlace: RecruitmentPace] = [:]
    for row in NamedCells.rows(of: table) {
      let place = ReportPlace(row)
      let variants = row.number("variants") ?? 0
      let days = byDay[place] ?? [:]
      var pace = RecruitmentPace(
        units: row.number("units") ?? 0,
        needed: entry.stopping.units(
          row.number("units_needed").map { $0 * entry.groups(variants) }, comparison, power: plan.power),
        unitsPerDay: row.number("units_per_day"), firstDay: days.keys.min(),
        lastDay: days.keys.max(),
        plannedEnd: entry.until.map { source.calendar.day(of: $0.microseconds - 1) + 1 },
        calendar: source.calendar, status: row.text("status"))
      pace.variants = Int(variants)
      pace.today = source.asOf.map { source.calendar.day(of: $0.microseconds - 1) }
      let course = { LookCourse($0, days, last: source.completeUntil, in: source.calendar) }
      switch entry.stopping {
      case .everyLook: break
      case .atUnits(let units): pace.horizon = course(LookPlan(units: units, .parts(1))).taken.first?.time
      case .atLooks(let looks): pace.looks = course(looks)
      }
      paces[place] = pace
    }
    return paces
  }
}

extension AnalysisPlan.Entry {
  /// Returns how many times the units of a variant of a test of equal shares are needed of all variants: their number,
  /// and more where the shares of the baseline and another differ, so that (1/s + 1/t)/2 of the smallest is needed.
  fileprivate func groups(_ variants: Double) -> Double {
    let names = shares.keys.sorted(by: NaturalOrder.precedes)
    let sum = shares.values.reduce(0, +)
    guard sum > 0, let index = BaselineRule(baseline).index(names), let own = shares[names[index]], own > 0 else {
      return variants
    }
    let others = names.indices.filter { $0 != index }.compactMap { shares[names[$0]] }.filter { $0 > 0 }
    return others.map { (sum / $0 + sum / own) / 2 }.max() ?? variants
  }
}

extension MetricTallies {
  /// The greatest number of variants of a place.
  fileprivate var mostVariants: Int {
    var variants: [Arm: Set<UInt32>] = [:]
    for segment in segments.keys {
      var place = segment.arm
      place.variant = 0
      variants[place, default: []].insert(segment.arm.variant)
    }
    return variants.values.map(\.count).max() ?? 0
  }
}
