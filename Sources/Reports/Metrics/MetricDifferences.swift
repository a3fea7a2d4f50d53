internal import EventLog
public import Replay
internal import Specifications
public import Tables

/// What experiments read under changed definitions of metrics: which verdicts would be others, and by how much.
public struct MetricDifferences {
  /// A metric of two files whose definitions differ.
  private struct Change {
    var name: String
    var old: Metric?
    var new: Metric?

    /// The change in words.
    var text: String {
      guard let old else { return "added: \(new?.definition ?? "")" }
      guard let new else { return "removed: \(old.definition)" }
      return "\(old.definition) -> \(new.definition)"
    }
  }

  private let changes: [Change]

  /// Finds the metrics that are measured or judged differently in two files.
  public init(_ old: MetricFile, _ new: MetricFile) {
    var changes = old.definitions.map { definition in
      Change(
        name: definition.name, old: definition.metric,
        new: new.definition(of: definition.name)?.metric)
    }
    for definition in new.definitions where old.definition(of: definition.name) == nil {
      changes.append(Change(name: definition.name, old: nil, new: definition.metric))
    }
    self.changes = changes.filter { $0.old?.definition != $0.new?.definition }
  }

  /// Compares the variants of every experiment by the old and the new definitions.
  ///
  /// - Parameters:
  ///   - replay: The log.
  ///   - selection: The part of the log to read.
  /// - Returns: A row for each metric that was added or removed, and for each variant by each that changed.
  /// - Throws: ``ReportError`` if the log does not have a goal that a metric names; `LogError` if it cannot be read.
  public func table(of replay: LogReplay, _ selection: UnitSelection = UnitSelection()) throws -> Table {
    var rows = changes.filter { $0.old == nil || $0.new == nil }.map {
      Row(metric: $0.name, change: $0.text)
    }
    let changed = changes.filter { $0.old != nil && $0.new != nil }
    if !changed.isEmpty { rows += try compared(changed, replay, selection) }
    var table = try Table(
      name: "metric_differences", title: "What reads differently", columns: Self.columns, rows: rows)
    let different = rows.count { $0.isDifferent }
    let comparisons = AnswerText.count(rows.count { $0.old != nil }, "comparison")
    table.answer =
      changes.isEmpty
      ? ["Both files define the same metrics."]
      : [
        "\(AnswerText.count(changes.count, "metric")) changed; of \(comparisons) \(different) would read differently."
      ]
    return table.sorted()
  }

  private struct Row {
    var metric: String
    var change: String
    var old: NamedCells?
    var new: NamedCells?

    /// Whether the verdict is another.
    var isDifferent: Bool { old?.text("verdict") != new?.text("verdict") }
  }

  private func compared(
    _ changed: [Change], _ replay: LogReplay, _ selection: UnitSelection
  ) throws -> [Row] {
    var replay = replay
    replay.unitCache = UnitCache()
    let names = try LogNames(
      replay.log, [.experiments, .points, .slots, .variants, .goals, .reasons])
    func rows(_ metrics: [Metric]) throws -> [NamedCells] {
      try metrics.flatMap { metric -> [NamedCells] in
        let report = try ComparisonReport { $0.measures = MetricPlan([metric]) }
        let source = ReportSource(report, replay, selection, names: names)
        return NamedCells.rows(of: try report.result(of: source).table)
      }
    }
    let (old, new) = try (rows(changed.compactMap(\.old)), rows(changed.compactMap(\.new)))
    return zip(old, new).map { old, new in
      let name = new.text("metric") ?? ""
      return Row(
        metric: name, change: changed.first { $0.name.isSameName(as: name) }?.text ?? "", old: old,
        new: new)
    }
  }

  private typealias Columns = ReportColumns<Row>

  @ColumnsBuilder<Row>
  private static var columns: ReportColumns<Row> {
    Columns.key("metric", "the name of the metric", \.metric).main
    Columns.key("experiment", "what is decided") { $0.new?.text("experiment") }.main
    Columns.key("point", "where in the app") { $0.new?.text("point") }
    Columns.key("slot", "which of several decisions at the point") { $0.new?.text("slot") }
    Columns.key("variant", "what was chosen") { $0.new?.text("variant") }.main
    Columns.measure("change", "the old definition and the new one", \.change).sentence.main
    Columns.measure("verdict_before", "that of report compare by the old definition") {
      $0.old?.text("verdict")
    }.main
    Columns.measure("verdict", "that by the new definition") { $0.new?.text("verdict") }.main
    Columns.measure("lift_before", "variant over baseline less 1, by the old definition") {
      $0.old?.number("lift")
    }.share.main
    Columns.measure("lift", "the same by the new definition") { $0.new?.number("lift") }.share.main
    Columns.measure("reads_differently", "whether the verdict is another") {
      $0.old == nil ? nil : $0.isDifferent
    }.main
  }
}
