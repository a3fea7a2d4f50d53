import EventLog
import Events
import Replay
import Reports
import Specifications
import Tables
import TestSupport
import Testing

@testable import Projections

@Suite("Reports that read models keep")
struct KeptReportTests {
  private static let day: Int64 = 86_400_000_000

  private func decision(_ unit: UnitID, _ time: Int64, _ variant: VariantID = "a") -> Event {
    Event(
      time: Timestamp(microseconds: time), unit: unit,
      payload: .decision(Decision(experiment: "e", variant: variant)))
  }

  private func seen(_ unit: UnitID, _ time: Int64) -> Event {
    Event(
      time: Timestamp(microseconds: time), unit: unit, payload: .dataPoint(DataPoint(kind: "seen")))
  }

  /// The p-values and details of the sample ratio checks of a report `health`.
  private func sampleRatios(_ table: Table) -> [String] {
    let columns = ["check", "p_value", "verdict", "detail"].map { name in
      table.columns.firstIndex { $0.name == name } ?? 0
    }
    return table.rows.map { row in columns.map { "\(row[$0])" }.joined(separator: " | ") }
      .filter { $0.contains("sample_ratio") }
  }

  @Test(
    "a database gives the sample ratio of its log, or says that it lacks the probabilities",
    arguments: 0..<16)
  func sampleRatio(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let variants = ["a", "b", "c"].prefix(seed % 2 == 0 ? 2 : 3).map { VariantID($0) }
    let (isAdaptive, hasProbabilities) = (seed / 2 % 2 == 0, seed / 4 % 2 == 0)
    let hasPropensities = seed < 8
    let events = (0..<300).map { number in
      let lead = isAdaptive ? 0.2 + 0.6 * Double(number) / 300 : 0.5
      let shares = variants.map { $0 == "a" ? lead : (1 - lead) / Double(variants.count - 1) }
      let chosen = random.chance(lead) ? 0 : 1 + random.index(variants.count - 1)
      var decision = Decision(
        experiment: "e", variant: variants[chosen],
        propensity: hasPropensities ? shares[chosen] : nil)
      decision.choices = variants
      if hasProbabilities { decision.probabilities = shares }
      return Event(
        time: Timestamp(microseconds: Int64(number)), unit: UnitID("u\(number)"),
        payload: .decision(decision))
    }
    let log = try GrowingLog()
    try log.append(events)
    try log.update()
    let report = HealthReport()
    let ofLog = sampleRatios(try report.table(of: LogReplay(try log.reader(), jobs: 2)))
    let kept = try log.model.reading { units in
      sampleRatios(
        try report.result(of: ReportSource(units, path: log.model.path)).table)
    }
    guard kept != ofLog else { return }
    #expect(hasProbabilities && (isAdaptive || !hasPropensities), "seed \(seed)")
    let test = kept.first { $0.hasPrefix("text(\"sample_ratio\")") } ?? kept.first ?? ""
    #expect(test.contains("database does not store the choices"), "seed \(seed): \(kept)")
  }

  @Test("a database knows the choice that nobody got, or says that it does not", arguments: 0..<3)
  func unseenChoice(kind: Int) throws {
    let lists: [[VariantID]] = [["a", "b", "c"], ["c", "b", "a"], ["a", "b"]]
    let events = (0..<120).map { number in
      var decision = Decision(experiment: "e", variant: number % 2 == 0 ? "a" : "b")
      // One list; one list in two orders; two lists.
      decision.choices = lists[number < 60 ? 0 : kind]
      return Event(
        time: Timestamp(microseconds: Int64(number)), unit: UnitID("u\(number)"),
        payload: .decision(decision))
    }
    let log = try GrowingLog()
    // In two updates, so that the counts are read again.
    for part in [events.prefix(25), events.suffix(95)] {
      try log.append(Array(part))
      try log.update()
    }
    let ofLog = sampleRatios(
      try HealthReport().table(of: LogReplay(try log.reader(), jobs: 2)))
    let kept = try log.model.reading { units in
      sampleRatios(
        try HealthReport().result(of: ReportSource(units, path: log.model.path)).table)
    }
    #expect(ofLog.contains { $0.contains("failed") || $0.contains("warning") }, "\(ofLog)")
    if kind < 2 {
      #expect(kept == ofLog)
    } else {
      #expect(kept.allSatisfy { $0.contains("does not store the choices of each decision") })
    }
  }

  /// The log of an agent whose probabilities change with time and, for odd seeds, with the context.
  private func adaptiveEvents(seed: UInt64) -> [Event] {
    var random = SeededGenerator(seed: seed)
    let variants = ["a", "b", "c"].prefix(seed % 4 < 2 ? 2 : 3).map { VariantID($0) }
    return (0..<400).flatMap { number -> [Event] in
      let drift = 0.15 + 0.7 * Double(number) / 400
      let lead = seed % 2 == 1 && number % 3 == 0 ? 1 - drift : drift
      let shares = variants.map { $0 == "a" ? lead : (1 - lead) / Double(variants.count - 1) }
      let chosen = random.chance(shares[0]) ? 0 : 1 + random.index(variants.count - 1)
      let unit = UnitID("u\(number % (seed % 3 == 0 ? 90 : 400))")
      let time = Timestamp(microseconds: Int64(number) * 60_000_000)
      var decision = Decision(
        experiment: "e", variant: variants[chosen], propensity: shares[chosen],
        policy: "thompson", reason: "adaptive", context: ["x": .integer(Int64(number % 3))])
      (decision.choices, decision.probabilities) = (variants, shares)
      let goal = Goal(experiment: "e", goal: "g", value: Double(1 + random.index(3)))
      let conversion = Conversion(goal: "c", revenue: 2.5)
      var events = [Event(time: time, unit: unit, payload: .decision(decision))]
      let later = Timestamp(microseconds: time.microseconds + 1_000)
      if random.chance(0.4) { events.append(Event(time: later, unit: unit, payload: .goal(goal))) }
      if random.chance(0.2) {
        events.append(Event(time: later, unit: unit, payload: .conversion(conversion)))
      }
      return events
    }
  }

  private func reports() throws -> [(String, any Report)] {
    let metrics = MetricPlan([Metric(.reward), Metric(.revenue), Metric(.converted)])
    var bayesian = ComparisonPlan()
    bayesian.method = .bayesLift
    return [
      ("rewards", RewardReport()), ("rewards per unit", try RewardReport { $0.per = .unit }),
      ("conversions", ConversionReport()), ("goals", try ConversionReport { $0.source = .goals }),
      ("compare", try ComparisonReport { $0.measures = metrics }),
      (
        "compare bayes-lift",
        try ComparisonReport {
          $0.measures = metrics
          $0.plan = bayesian
        }
      ),
      ("regret", RegretReport()),
      ("regret snips", try RegretReport { $0.rules = RegretRules(means: .snips) }),
      ("adaptive", AdaptiveReport()), ("series", SeriesReport()),
      ("quantiles", try QuantileReport { $0.metrics = [.revenue] }), ("visits", VisitReport()),
      ("funnel", try FunnelReport { $0.steps = ["g", "c"] }), ("retention", RetentionReport()),
      ("power", try PowerReport { $0.measures = metrics }), ("health", HealthReport()),
    ]
  }

  @Test(
    "every report on a database is that on its adaptive log, or says what the database lacks",
    arguments: 0..<8)
  func adaptive(seed: UInt64) throws {
    let log = try GrowingLog()
    try log.append(adaptiveEvents(seed: seed))
    try log.update()
    let reader = try log.reader()
    let lack = "database does not store the choices"
    // The table of the database says the same as the report on it.
    let stored = try #require(ModelContent(log.model).tables["compare"]).joined()
    let isStored = stored.contains { $0.string?.contains(lack) == true }
    try log.model.reading { units in
      let compared = try ComparisonReport().result(of: ReportSource(units, path: log.model.path))
      let rows = "\(compared.table.rows.map(Array.init))"
      #expect(isStored == rows.contains(lack) && (isStored || seed != 0), "seed \(seed)")
      for (label, report) in try reports() {
        let ofLog = try report.table(of: LogReplay(reader, jobs: 2))
        let kept: Table
        do {
          kept = try report.result(of: ReportSource(units, path: log.model.path)).table
        } catch {
          // Refused, with the way to the report.
          #expect("\(error)".contains("log"), "\(label), seed \(seed): \(error)")
          continue
        }
        #expect(kept.columns.map(\.name) == ofLog.columns.map(\.name), "\(label)")
        let isLacking = "\(kept.rows.map(Array.init)) \(kept.notes)".contains(lack)
        if isLacking { #expect(["health", "compare", "compare bayes-lift"].contains(label)) }
        // What the sample ratio decides may be missing then, and nothing else.
        let free: Set = [
          "srm_p_value", "verdict", "reason", "value", "expected", "p_value", "detail", "total",
          "count",
        ]
        let rows = { (table: Table) in
          table.rows.filter { !isLacking || !"\($0[0])".contains("sample_ratio") }.map { row in
            table.columns.indices.filter { !isLacking || !free.contains(table.columns[$0].name) }
              .map { "\(table.columns[$0].name)=\(row[$0])" }
          }
        }
        let (mine, theirs) = (rows(kept), rows(ofLog))
        #expect(mine.count == theirs.count, "\(label), seed \(seed)")
        for (mine, theirs) in zip(mine, theirs) where mine != theirs {
          let differing = zip(mine, theirs).filter { $0 != $1 }
          Issue.record("\(label), seed \(seed): \(differing)")
        }
        if label.hasPrefix("compare"), isLacking {
          let verdict = try #require(kept.columns.firstIndex { $0.name == "verdict" })
          let free = ["not compared"]
          #expect(kept.rows.allSatisfy { row in free.contains { "\(row[verdict])".contains($0) } })
        }
      }
      // An alarm is not missed because the database lacks what it needs.
      let health = try HealthReport().result(of: ReportSource(units, path: log.model.path))
      let isLacking = "\(health.table.rows.map(Array.init))".contains(lack)
      let alarmed = try HealthReport { $0.alarms = [.srm] }
      if isLacking {
        #expect(throws: ReportError.self) {
          try alarmed.result(of: ReportSource(units, path: log.model.path))
        }
      } else {
        let alarm = try alarmed.result(of: ReportSource(units, path: log.model.path)).alarm
        let ofLog = ReportSource(
          alarmed, LogReplay(reader), UnitSelection(),
          names: try LogNames(reader, Set(Vocabulary.allCases)))
        #expect(alarm == (try alarmed.result(of: ofLog).alarm))
      }
    }
  }

  @Test("a wrong time makes no endless series: empty days are left out, and a note says so")
  func longSeries() throws {
    let log = try GrowingLog()
    let end: Int64 = 253_402_300_799_000_000
    try log.append([decision("u", 0), decision("v", 2 * Self.day, "b"), decision("u", end)])
    try log.update()
    var content = try ModelContent(log.model)
    let rows = try #require(content.tables["series"])
    #expect(
      rows.map { [$0[3], $0[4], $0[5], $0[10]] } == [
        [.text("a"), .text("1970-01-01"), .integer(1), .integer(1)],
        [.text("a"), .text("9999-12-31"), .integer(1), .integer(2)],
        [.text("b"), .text("1970-01-03"), .integer(1), .integer(1)],
      ])
    let note = [SQLValue.text("series"), .text("days_left_out")]
    let notes = content.tables["_bandolier_notes"]?.filter { [$0[0], $0[2]] == note }
    #expect(notes?.first?[3].string?.contains("5865794 rows") == true)
    try log.append([decision("w", 3 * Self.day)])
    try log.update()
    content = try ModelContent(log.model)
    #expect(content.differences(from: try log.freshContent()) == [])
    #expect(content.tables["series"]?.count == 4)
  }

  @Test("if days are left out, the others are those of the whole series")
  func sparseSeries() throws {
    var random = SeededGenerator(seed: 1)
    let log = try GrowingLog()
    try log.append(UnitWorld.events(&random, count: 300, step: UnitWorld.steps[2]))
    try log.update()
    let kept = try log.model.result(of: SeriesReport.self)
    let whole = try SeriesReport.seriesTable(kept.result, kept.names, mostRows: 1_000_000)
    let sparse = try SeriesReport.seriesTable(kept.result, kept.names, mostRows: 10)
    let wholeRows = whole.rows.map { Array($0) }
    // Decisions and rewards are in columns 5 and 8.
    let happened = wholeRows.filter { $0[5] != .integer(0) || $0[8] != .integer(0) }
    #expect(sparse.rows.map { Array($0) } == happened)
    #expect(happened.count < wholeRows.count && !happened.isEmpty)
    #expect(sparse.notes.last?.name == "days_left_out" && whole.notes.last?.name != "days_left_out")
  }

  @Test("views show rounded shares, and visits of all units have a row without keys")
  func views() throws {
    let log = try GrowingLog()
    let minute: Int64 = 60_000_000
    try log.append([
      seen("u", 0), decision("u", minute), seen("u", 31 * minute), seen("u", 62 * minute),
      decision("v", 0, "b"), seen("v", Self.day), seen("w", 30 * Self.day),
    ])
    try log.update()
    let content = try ModelContent(log.model)
    #expect(
      content.tables["visits_overview"]?.map { [$0[0], $0[3], $0[4], $0[5]] } == [
        [.text("all units"), .null, .integer(3), .integer(5)],
        [.text("e"), .text("a"), .integer(1), .integer(2)],
        [.text("e"), .text("b"), .integer(1), .integer(2)],
      ])
    let shares = content.tables["series_overview"]?.map { $0[6] }
    #expect(shares == [.real(50), .real(50)])
    #expect(content.tables["compare_overview"]?.map { $0[4] } == [.text("b")])
  }

  @Test("bytes that are no state make no trap", arguments: 0..<12)
  func hostile(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let log = try GrowingLog()
    try log.append(UnitWorld.events(&random, count: 60, step: UnitWorld.steps[2]))
    try log.update()
    let db = try ModelFile(log.model.path, readonly: true).db
    let (kept, names) = (try KeptState.all(db), try KeptNames.names(db))
    let context = UnitContext(arms: try KeptNames.arms(db), latest: 20 * Self.day)
    for projection in log.model.projections() {
      let state = try #require(kept.first { $0.name == projection.name }).state
      let whole = Array(state[4...])
      _ = try projection.makeSlot(state, context).tables(names, PropensityTallies())
      for _ in 0..<20 {
        var bytes = whole
        for _ in 0..<1 + random.index(3) {
          bytes[random.index(bytes.count)] = UInt8(random.index(256))
        }
        if random.chance(0.2) { bytes.removeLast(random.index(bytes.count)) }
        do {
          let slot = try projection.makeSlot(HistoryChunk.sealed(bytes), context)
          // What looks like a state gives a table, whatever it says.
          if projection.name != "series" { _ = try slot.tables(names, PropensityTallies()) }
          _ = slot.write()
        } catch is StateError {}
      }
    }
  }
}
