internal import EventLog
public import Replay
internal import Specifications
public import Tables

/// What changed between two files of metrics, key by key, and which experiments read differently for it.
public struct MetricDifferences {
  /// A key of a metric whose text differs.
  private struct Change {
    var metric: String
    var key: String
    var old: String?
    var new: String?

    /// The change in words, such as `margin 2% -> 5%`.
    var text: String { "\(key) \(old ?? "none") -> \(new ?? "none")" }
  }

  private let changes: [Change]
  /// The metrics of both files that are measured or judged differently.
  private let changed: [(old: Metric, new: Metric)]
  private let unchangedCount: Int

  /// Finds the differences of two files.
  public init(_ old: MetricFile, _ new: MetricFile) {
    var changes: [Change] = []
    var changed: [(old: Metric, new: Metric)] = []
    let names = old.definitions.map(\.name) + new.definitions.map(\.name).filter { old.definition(of: $0) == nil }
    for name in names {
      let (before, after) = (old.definition(of: name), new.definition(of: name))
      if let before, let after {
        for (key, _) in MetricFile.keys where before.text(of: key) != after.text(of: key) {
          changes.append(Change(metric: name, key: key, old: before.text(of: key), new: after.text(of: key)))
        }
        if before.metric.definition != after.metric.definition { changed.append((before.metric, after.metric)) }
      } else {
        changes.append(
          Change(metric: name, key: "value", old: before?.metric.definition, new: after?.metric.definition))
      }
    }
    (self.changes, self.changed) = (changes, changed)
    unchangedCount = names.count { name in !changes.contains { $0.metric.isSameName(as: name) } }
  }

  /// Compares the variants of every experiment by the old and the new definitions.
  ///
  /// - Parameters:
  ///   - replay: The log.
  ///   - selection: The part of the log to read.
  /// - Returns: A row for each key that changed, then one for each variant that reads differently by a metric.
  /// - Throws: ``ReportError`` if the log does not have a goal that a metric names; `LogError` if it cannot be read.
  public func table(of replay: LogReplay, _ selection: UnitSelection = UnitSelection()) throws -> Table {
    let compared = changed.isEmpty ? [] : try compared(replay, selection)
    let different = compared.filter { $0.isDifferent || $0.isMoved }
    var table = try Table(
      name: "metric_differences", title: "What changed, and what reads differently", columns: Self.columns,
      rows: changes.map { Row(metric: $0.metric, change: $0) } + different)
    table.answer = changes.isEmpty ? ["Both files define the same metrics."] : answer(different, of: compared.count)
    return table.sorted()
  }

  /// Says what changed, then what reads differently, and in a sentence how much did not.
  private func answer(_ rows: [Row], of count: Int) -> [String] {
    let most = 10
    let keys = Dictionary(grouping: changes, by: \.metric)
    let metrics = changes.map(\.metric).distinctNames.map { name in
      "\(name): " + (keys[name] ?? []).map(\.text).joined(separator: ", ")
    }
    let more = metrics.count > most ? "; and \(metrics.count - most) more" : ""
    let verdicts = rows.filter(\.isDifferent).map(\.sentence)
    let moved = rows.count - verdicts.count
    var effects = verdicts.isEmpty ? [] : [AnswerText.list(verdicts, most: 6)]
    if moved > 0 { effects.append("\(AnswerText.count(moved, "comparison")) with another lift and the same verdict") }
    let unchanged = [AnswerText.count(count - rows.count, "comparison"), AnswerText.count(unchangedCount, "metric")]
    return [
      "Changed: \(metrics.prefix(most).joined(separator: "; "))\(more).",
      "Reads differently: \(effects.isEmpty ? "nothing" : effects.joined(separator: "; ")).",
      "Unchanged: \(unchanged.joined(separator: " and ")).",
    ]
  }

  private struct Row {
    var metric: String
    var change: Change?
    var old: NamedCells?
    var new: NamedCells?

    /// Whether the verdict is another.
    var isDifferent: Bool { old?.text("verdict") != new?.text("verdict") }

    /// Whether the lift is another.
    var isMoved: Bool { old?.number("lift") != new?.number("lift") }

    /// The other verdict in words.
    var sentence: String {
      let place = [new?.placeName, new?.text("variant")].compactMap(\.self).joined(separator: " ")
      return "\(place) by \(metric) (\(old?.text("verdict") ?? "none") -> \(new?.text("verdict") ?? "none"))"
    }
  }

  private func compared(_ replay: LogReplay, _ selection: UnitSelection) throws -> [Row] {
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
    let (old, new) = try (rows(changed.map(\.old)), rows(changed.map(\.new)))
    return zip(old, new).map { Row(metric: $1.text("metric") ?? "", old: $0, new: $1) }
  }

  private typealias Columns = ReportColumns<Row>

  @ColumnsBuilder<Row>
  private static var columns: ReportColumns<Row> {
    Columns.key("about", "definition: what changed; reading: what the log says by it") {
      $0.change == nil ? "reading" : "definition"
    }
    Columns.key("metric", "the name of the metric", \.metric).main
    Columns.key("key", "the key whose text changed; value of a metric that one file does not have", \.change?.key).main
    Columns.key("experiment", "what is decided") { $0.new?.text("experiment") }.main
    Columns.key("point", "where in the app") { $0.new?.text("point") }
    Columns.key("slot", "which of several decisions at the point") { $0.new?.text("slot") }
    Columns.key("variant", "what was chosen") { $0.new?.text("variant") }.main
    Columns.measure("old", "the text of the key as it was", \.change?.old).main
    Columns.measure("new", "the text as it is to be", \.change?.new).main
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
