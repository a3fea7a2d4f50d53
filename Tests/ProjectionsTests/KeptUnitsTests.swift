import EventLog
import Events
import Foundation
import Replay
import Reports
import TestSupport
import Testing

@testable import Projections

@Suite("The units of a database")
struct KeptUnitsTests {
  private static let seeds: Range<UInt64> =
    LongTests.areWanted ? 0..<200 : 0..<3

  /// Expects the same of the log, of whole or of some experiments, as of a database.
  private struct Comparison {
    let replay: LogReplay
    let selection: UnitSelection
    let kept: KeptUnits
    let comment: Comment

    func expectSame<P: UnitProjector>(_ projector: P) throws where P.Result: Equatable {
      let ofLog = try replay.run(selection, units: projector)
      #expect(try kept.run(units: projector) == ofLog, comment)
    }

    func expectSame(_ rules: RegretRules) throws {
      #expect(try kept.regret(rules) == replay.regret(selection, rules), comment)
    }
  }

  private static let attributions = [
    Attribution(), Attribution(rule: .first, window: 5, delay: 1),
    Attribution(rule: .all, counting: .once, minimum: 0),
    Attribution(rule: .linear, limit: 2, maximum: 3),
    Attribution(
      window: 9, end: Timestamp(microseconds: 20), excludesInProgress: true, crossing: .first),
  ]

  private func expectSame(_ comparison: Comparison, _ log: LogReader) throws {
    for attribution in Self.attributions {
      try comparison.expectSame(RewardProjector(attribution))
      try comparison.expectSame(ConversionProjector(attribution, of: .goals))
      try comparison.expectSame(
        ConversionProjector(attribution, capping: .percentile(0.8, ignoringZeros: true)))
      try comparison.expectSame(QuantileProjector(attribution))
      try comparison.expectSame(SeriesProjector(attribution, period: .hour, basis: .exposure))
    }
    for metric in ["revenue", "converted", "goals"] {
      var attribution = Attribution(window: 9)
      attribution.metric = try RewardMetric(parsing: metric)
      try comparison.expectSame(RewardProjector(attribution))
      try comparison.expectSame(SeriesProjector(attribution, period: .hour))
      try comparison.expectSame(RegretRules(attribution))
    }
    for crossing in [Attribution.Crossing.drop, .first] {
      try comparison.expectSame(VisitProjector(inactivity: 3, crossing: crossing))
      try comparison.expectSame(RetentionProjector(days: [0, 1], crossing: crossing))
      try comparison.expectSame(
        FunnelProjector(steps: [1, 2, nil], window: 15, crossing: crossing))
    }
    try comparison.expectSame(HealthProjector(before: 10, busyEvents: 3))
    var metrics = MetricProjector(
      [Metric(.reward), Metric(.revenue), Metric(.visits)],
      names: try LogNames(log, [.goals]))
    metrics.attribution.conversionWindow = 12
    metrics.covariatePeriod = 5
    metrics.bootstrap = .init(replicates: 20)
    try comparison.expectSame(metrics)
    try comparison.expectSame(RegretRules())
    try comparison.expectSame(RegretRules(means: .snips))
  }

  @Test(
    "every projector computes from a database what it computes from the log, late events or not",
    arguments: seeds)
  func differential(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let log = try GrowingLog()
    for step in 0..<4 {
      try log.append(
        UnitWorld.everyEvent(&random, count: [80, 5, 40, 1][step], units: [3, 12][Int(seed % 2)]),
        perFrame: 1 + random.index(60))
      try log.update(jobs: 1 + random.index(3))
      let reader = try log.reader()
      let replay = LogReplay(reader, jobs: 2)
      let names = try LogNames(reader, [.experiments])
      try log.model.reading(jobs: 1 + random.index(3)) { kept in
        var kept = kept
        for experiment in [nil, "e\(step % 2)"] {
          var selection = UnitSelection()
          selection.experiments = experiment.map { [names.code(of: $0, in: .experiments) ?? .max] }
          kept.experiments = selection.experiments
          try expectSame(
            Comparison(
              replay: replay, selection: selection, kept: kept,
              comment: "seed \(seed), step \(step), experiment \(experiment ?? "all")"), reader)
          let audit = try LogAudit(replay, selection)
          #expect(kept.audit.propensities(of: kept.experiments) == audit.propensities())
          #expect(kept.audit.absent == audit.absent && kept.position == reader.eventCount)
        }
      }
      #expect(try ModelContent(log.model).differences(from: log.freshContent()) == [])
    }
  }

  @Test("hashes of units are those of the log, however it grew")
  func hashes() throws {
    let log = try GrowingLog()
    var next = 0
    for count in [3, 497, 1, 499, 600, 0, 1_000] {
      try log.append(
        (next..<next + count).map {
          Event(
            time: Timestamp(microseconds: 1), unit: UnitID("unit \($0)"),
            payload: .goal(Goal(experiment: "e", goal: "g")))
        }, perFrame: 333)
      next += count
      try log.update()
      let expected = try UnitHashes(try log.reader())
      try log.model.reading { kept in
        let hashes = try kept.units(.hashes).context.hashes
        #expect((0..<UInt32(next + 3)).allSatisfy { hashes[$0] == expected[$0] })
      }
    }
    #expect(try ModelContent(log.model).differences(from: log.freshContent()) == [])
  }

  @Test("what was erased is counted, and its unit has no name to be hashed")
  func erased() throws {
    var random = SeededGenerator(seed: 3)
    let log = try GrowingLog()
    try log.append(UnitWorld.everyEvent(&random, count: 60))
    try log.update()
    try log.rewrite { _ = try $0.erase(Erasure(units: ["u2"])) }
    try log.update()
    for _ in 0..<2 {
      let audit = try LogAudit(LogReplay(try log.reader()), UnitSelection())
      let expected = try UnitHashes(try log.reader())
      try log.model.reading { kept in
        let hashes = try kept.units(.hashes).context.hashes
        #expect((0..<20).allSatisfy { hashes[$0] == expected[$0] })
        #expect(kept.audit.absent == audit.absent && audit.absent.erased > 0)
      }
      try log.append(UnitWorld.everyEvent(&random, count: 30, units: 9))
      try log.update()
    }
    #expect(try ModelContent(log.model).differences(from: log.freshContent()) == [])
  }

  @Test("an empty log has no unit, and neither has its database")
  func empty() throws {
    let log = try GrowingLog()
    try log.update()
    let reader = try log.reader()
    try log.model.reading { kept in
      try expectSame(
        Comparison(
          replay: LogReplay(reader), selection: UnitSelection(), kept: kept, comment: "empty"),
        reader)
    }
  }

  @Test(
    "what is not as it was written is an error, and never an answer",
    arguments: [
      "UPDATE _bandolier_histories SET events = zeroblob(length(events))",
      "UPDATE _bandolier_histories SET id = id + 16",
      "UPDATE _bandolier_units SET hashes = x'0000000000'", "DELETE FROM _bandolier_units",
      "UPDATE _bandolier_meta SET value = x'00' WHERE key = 'audit'",
      "UPDATE _bandolier_meta SET value = 3 WHERE key = 'unit_limit'",
      "UPDATE _bandolier_runs SET events = events + 1", "DELETE FROM _bandolier_arms",
    ])
  func damaged(sql: String) throws {
    var random = SeededGenerator(seed: 1)
    let log = try GrowingLog()
    try log.append(UnitWorld.everyEvent(&random, count: 100))
    try log.update()
    try log.model.execute(sql)
    let error = #expect(throws: ProjectionError.self) {
      _ = try log.model.reading { kept in
        _ = try kept.units(.hashes).context.hashes
        return try kept.regret(RegretRules())
      }
    }
    #expect(error?.code == .damaged)
  }

  @Test("a database of an older layout is not read, and recreated by the next replay")
  func older() throws {
    var random = SeededGenerator(seed: 2)
    let log = try GrowingLog()
    try log.append(UnitWorld.everyEvent(&random, count: 50))
    try log.update()
    try log.model.execute(
      """
      PRAGMA user_version = 1; DROP TABLE _bandolier_units;
      DELETE FROM _bandolier_meta WHERE key IN ('audit', 'unit_limit')
      """)
    for error in [
      #expect(throws: ProjectionError.self) { try log.model.reading { $0.position } },
      #expect(throws: ProjectionError.self) { try log.model.result(of: RewardReport.self).position },
    ] {
      #expect(error?.code == .olderVersion && error?.message.contains("bandolier replay") == true)
    }
    guard case .madeAnew = try log.update().kind else {
      Issue.record("it was not made anew")
      return
    }
    #expect(try ModelContent(log.model).differences(from: log.freshContent()) == [])
  }

  @Test(
    "a database whose internal tables have the older prefix is rebuilt, and none of them remains")
  func olderPrefix() throws {
    var random = SeededGenerator(seed: 3)
    let log = try GrowingLog()
    try log.append(UnitWorld.everyEvent(&random, count: 50))
    try log.update()
    try log.model.execute("DROP VIEW _bandolier_status; PRAGMA user_version = 2")
    let names = try ModelContent(log.model).schema.filter { $0[0] == .text("table") }
      .compactMap { $0[1].string }.filter { $0.hasPrefix("_bandolier") }
    #expect(names.count > 5)
    for name in names {
      try log.model.execute("ALTER TABLE \"\(name)\" RENAME TO \"\(name.dropFirst())\"")
    }
    try log.model.execute("CREATE TABLE mine (x)")
    #expect(throws: ProjectionError.self) { try log.model.result(of: RewardReport.self).position }
    guard case .madeAnew = try log.update().kind else {
      Issue.record("it was not made anew")
      return
    }
    var content = try ModelContent(log.model)
    let mine = content.tables.removeValue(forKey: "mine")
    #expect(mine != nil)
    content.schema.removeAll { $0[1] == .text("mine") }
    #expect(!content.tables.keys.contains { $0.hasPrefix("bandolier") })
    let differences = content.differences(from: try log.freshContent())
    #expect(differences == [])
  }
}
