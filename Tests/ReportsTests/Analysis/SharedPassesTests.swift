import EventLog
import Events
import Replay
import Tables
import TestSupport
import Testing

@testable import Reports

@Suite("The passes that an analysis shares")
struct SharedPassesTests {
  /// A random plan of experiments of a ``SpelledWorld``.
  private static func plan(_ random: inout SeededGenerator, _ names: Spelling) -> AnalysisPlan {
    let dimensions: [Dimension] = [
      .context(names.first), .context(names.second), .day, .policy, .reason,
      .data(kind: "custom", key: nil), .data(kind: "custom", key: names.second),
    ]
    let metrics = [
      Metric(.reward), Metric(.converted), Metric(.revenue), Metric(.visits),
      Metric(.reward, goal: names.first),
    ]
    let areDivided = random.chance(0.7)
    let time = { (random: inout SeededGenerator) in
      Timestamp(microseconds: SpelledWorld.start + Int64(random.index(40)) * SpelledWorld.hour * 3)
    }
    return AnalysisPlan(
      [names.first, names.second, "x"].filter { _ in random.chance(0.8) }.map { name in
        var entry = AnalysisPlan.Entry(name, metric: metrics[random.index(metrics.count)])
        if random.chance(0.4) { entry.since = time(&random) }
        if random.chance(0.4) { entry.until = time(&random) }
        if random.chance(0.3) { entry.secondary = [metrics[random.index(metrics.count)]] }
        if random.chance(0.3) { entry.guardrails = [.init(metrics[random.index(metrics.count)])] }
        if random.chance(0.2) { entry.stopping = .atUnits(1 + random.index(12)) }
        if random.chance(0.3) { entry.baseline = ["v", names.first][random.index(2)] }
        if areDivided { entry.dimensions = dimensions.filter { _ in random.chance(0.4) } }
        return entry
      })
  }

  /// The report as CSV and JSON, with its alarm; the error if there is one.
  private static func texts(
    _ prepared: PreparedReport, _ plan: AnalysisPlan, _ replay: LogReplay,
    _ experiments: Set<UInt32>?
  ) -> [String] {
    var selection = UnitSelection()
    (selection.dimension, selection.experiments) = (prepared.dimension, experiments)
    do {
      let report = prepared.report
      let source = try ReportSource(
        report, replay, selection, names: LogNames(replay.log, report.vocabularies))
      let result: ReportResult
      if report is DecisionReport {
        result = try DecisionReport(plan).result(of: source)
      } else {
        let run = AnalysisRun(plan, takesDimensions: type(of: report).takesDimensions) { entry in
          guard let entry else { return report }
          var own = report
          own.adopt(entry)
          try own.validate()
          return own
        }
        result = try run.result(of: source)
      }
      return [TableFormat.csv, .json].map { format in
        var bytes: [UInt8] = []
        format.writer(TableOptions()).write(result.table, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
      } + [result.alarm ?? ""]
    } catch { return ["\(error)"] }
  }

  @Test(
    "give every report the bytes of a pass for each of its parts",
    arguments: LongTests.chunks(6, of: 250))
  func bytes(seed: UInt64) throws {
    var random = SeededGenerator(seed: 40 + seed)
    let names = Spelling.plain
    var world = SpelledWorld(names: names)
    world.spellsUnits = random.chance(0.5)
    let log = try ReportLog(
      world.events(&random, count: 300).shuffled(using: &random),
      perFrame: [.max, 20, 3][random.index(3)])
    let reports =
      try EveryReport(names: names).all() + [
        PreparedReport(label: "decisions", report: DecisionReport())
      ]
    for report in reports where random.chance(0.3) {
      let plan = Self.plan(&random, names)
      let all = log.names.texts(.experiments).compactMap { log.names.code(of: $0, in: .experiments) }
      let experiments = random.chance(0.2) ? Set(all.filter { _ in random.chance(0.6) }) : nil
      // With a limit, however high, each part has passes of its own.
      let expected = Self.texts(
        report, plan, LogReplay(log.reader, jobs: 1, memoryLimit: 1 << 50), experiments)
      for jobs in [1, 3] {
        let found = Self.texts(report, plan, LogReplay(log.reader, jobs: jobs), experiments)
        #expect(Difference(found, expected) == nil, "seed \(40 + seed), \(report), \(jobs) jobs")
      }
    }
  }
}
