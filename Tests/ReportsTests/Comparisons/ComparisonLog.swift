import EventLog
import Events
import Replay
import Reports
import Tables
import TestSupport
import Testing

/// A log in a folder of its own, compared.
final class ComparisonLog {
  private let folder: TemporaryFolder
  let reader: LogReader
  let names: LogNames

  init(_ events: [Event]) throws {
    folder = try TemporaryFolder()
    let writer = try LogWriter(folder.path("log"))
    try writer.append(events)
    try writer.commit()
    reader = try LogReader(folder.path("log"))
    names = try LogNames(reader, [.experiments, .points, .slots, .variants, .goals])
  }

  func tallies(
    _ metrics: [String], _ plan: ComparisonPlan = ComparisonPlan(), by dimension: Dimension? = nil,
    _ change: (inout MetricProjector) -> Void = { _ in }
  ) throws -> (tallies: MetricTallies, metrics: [Metric]) {
    var projector = MetricProjector(
      try metrics.map { try Metric(parsing: $0) }, names: names)
    projector.covariatePeriod = plan.covariate?.period
    projector.keepsValues = plan.method == .mannWhitney
    projector.bootstrap = plan.method == .bootstrap ? plan.resampling ?? .init() : nil
    projector.countsDays = true
    change(&projector)
    var selection = UnitSelection()
    selection.dimension = dimension
    return (
      try LogReplay(reader, jobs: 2).run(selection, units: projector), projector.metrics
    )
  }

  func table(
    _ metrics: [String], _ plan: ComparisonPlan = ComparisonPlan(), by dimension: Dimension? = nil,
    _ change: (inout MetricProjector) -> Void = { _ in }
  ) throws -> Table {
    let (tallies, metrics) = try tallies(metrics, plan, by: dimension, change)
    return try ComparisonReport.table(
      tallies, metrics: metrics, names: names, plan: plan, dimension: dimension)
  }

  /// The rows of the report for metrics, in the order of their names.
  func compared(_ metrics: [Metric], _ change: (inout ComparisonPlan) -> Void = { _ in }) throws -> [NamedRow] {
    let report = try ComparisonReport {
      $0.measures = MetricPlan(metrics)
      change(&$0.plan)
    }
    let names = try LogNames(reader, [.experiments, .points, .slots, .variants, .goals, .reasons])
    let source = ReportSource(report, LogReplay(reader, jobs: 2), UnitSelection(), names: names)
    return try report.result(of: source).table.named
  }

  /// The only row of a comparison.
  func row(_ metric: String, _ change: (inout ComparisonPlan) -> Void = { _ in }) throws
    -> NamedRow
  {
    var plan = ComparisonPlan()
    change(&plan)
    return try #require(try table([metric], plan).named.first)
  }
}

/// A row with cells by the names of their columns.
struct NamedRow {
  var cells: [String: TableCell]

  subscript(_ name: String) -> TableCell? { cells[name] }

  func number(_ name: String) -> Double? {
    switch cells[name] {
    case .decimal(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  func text(_ name: String) -> String? {
    if case .text(let text) = cells[name] { return text }
    return nil
  }

  /// Expects numbers, given to so many digits.
  func expect(
    _ numbers: KeyValuePairs<String, Double>, within error: Double = 1e-9,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (name, reference) in numbers {
      let value = number(name)
      #expect(
        value.map { abs($0 - reference) <= error * abs(reference) } ?? false,
        "\(name) is \(value.map { "\($0)" } ?? "empty"), not \(reference)",
        sourceLocation: sourceLocation)
    }
  }
}

extension Table {
  /// The rows with their columns' names.
  var named: [NamedRow] {
    rows.map { row in
      NamedRow(cells: Dictionary(uniqueKeysWithValues: zip(columns.map(\.name), row)))
    }
  }

  func note(_ name: String) -> TableCell? { notes.first { $0.name == name }?.value }
}

/// Events of units that were shown one variant each.
enum ComparedUnits {
  static let day: Int64 = 86_400_000_000

  static func decision(_ time: Int64, _ unit: String, _ variant: String, experiment: String = "e")
    -> Event
  {
    Event(
      time: Timestamp(microseconds: time), unit: UnitID(unit),
      payload: .decision(
        Decision(experiment: ExperimentID(experiment), variant: VariantID(variant))))
  }

  static func goal(
    _ time: Int64, _ unit: String, _ value: Double, goal: String = "g", experiment: String = "e"
  ) -> Event {
    Event(
      time: Timestamp(microseconds: time), unit: UnitID(unit),
      payload: .goal(
        Goal(experiment: ExperimentID(experiment), goal: GoalID(goal), value: value)))
  }

  /// One unit for each value: a decision, before it a goal of the covariate, behind it goals of the values.
  static func units(_ variant: String, _ goals: [String: [Double]], before: [Double] = [])
    -> [Event]
  {
    let count = goals.values.map(\.count).max() ?? 0
    return (0..<count).flatMap { number in
      let unit = "\(variant)\(number)"
      var events = [decision(day, unit, variant)]
      if number < before.count { events.insert(goal(day - 1, unit, before[number]), at: 0) }
      for name in goals.keys.sorted() where number < goals[name]?.count ?? 0 {
        events.append(goal(day + 1, unit, goals[name]?[number] ?? 0, goal: name))
      }
      return events
    }
  }

  /// So many units of a variant, some of which convert.
  static func share(_ variant: String, _ successes: Int, of trials: Int) -> [Event] {
    (0..<trials).flatMap { number in
      let unit = "\(variant)\(number)"
      return [decision(day, unit, variant)] + (number < successes ? [goal(day, unit, 1)] : [])
    }
  }
}
