import EventLog
import Events
import Foundation
import Reports
import Tables
import TestSupport
import Testing

@testable import Projections

@Suite("Read models")
struct ReadModelTests {
  /// `make test-long` asks for some thousand increments.
  private static let seeds: Range<UInt64> =
    LongTests.areWanted ? 0..<300 : 0..<10

  @Test("increments of any size leave what a new database has, byte for byte", arguments: seeds)
  func differential(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let log = try GrowingLog()
    // Many days make long series, so these have fewer places.
    let step = UnitWorld.steps[random.index(UnitWorld.steps.count)]
    for increment in 0..<12 {
      let isLarge = random.chance(0.15)
      try log.append(
        UnitWorld.events(
          &random, count: isLarge ? random.index(300) : random.index(6),
          units: [2, 6, 40][random.index(3)], step: step, isWide: step < UnitWorld.steps[2]),
        perFrame: 1 + random.index(300))
      let update = try log.update(jobs: 1 + random.index(3))
      #expect(update.position == (try log.reader().eventCount))
      guard increment == 11 || random.chance(0.4) else { continue }
      let fresh = try log.freshContent(jobs: 1 + random.index(3))
      let content = try ModelContent(log.model)
      #expect(content.differences(from: fresh) == [], "seed \(seed), increment \(increment)")
      guard increment % 3 == 2 else { continue }
      #expect(
        try content.differences(from: log.tables()) == [], "seed \(seed), increment \(increment)")
    }
    #expect(try log.model.tables() == log.tables(), "seed \(seed)")
    for per in RewardReport.Per.allCases {
      #expect(try log.model.report(per: per) == log.report(per: per), "seed \(seed)")
    }
  }

  @Test("only new events are read, and nothing is written when there are none")
  func increments() throws {
    var random = SeededGenerator(seed: 1)
    let log = try GrowingLog()
    try log.append(UnitWorld.events(&random, count: 100))
    let made = try log.update()
    #expect(made.kind == .made && made.eventsRead == 100 && made.unitsTouched == 6)
    let before = try Data(contentsOf: URL(fileURLWithPath: log.model.path))
    let unchanged = try log.update()
    #expect(unchanged.kind == .unchanged && unchanged.eventsRead == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: log.model.path)) == before)
    try log.append(UnitWorld.events(&random, count: 7, units: 2))
    let appended = try log.update()
    #expect(appended.kind == .appended && appended.eventsRead == 7)
    #expect(appended.unitsTouched <= 2 && appended.position == 107)
    #expect(log.folder.files.sorted() == ["log", "model.sqlite"])
  }

  @Test("an event at a time: there are no more runs than the number of events has digits")
  func oneByOne() throws {
    var random = SeededGenerator(seed: 2)
    let log = try GrowingLog()
    for _ in 0..<40 {
      try log.append(UnitWorld.events(&random, count: 1, units: 3))
      try log.update()
    }
    let sizes = try HistoryRuns(ModelFile(log.model.path, readonly: true).db).sizes
    #expect(sizes.count <= 6 && sizes.reduce(0, +) <= 40)
    #expect(try ModelContent(log.model).differences(from: log.freshContent()) == [])
  }

  @Test("an empty log makes empty tables, and later events are added")
  func empty() throws {
    let log = try GrowingLog()
    #expect(try log.update().kind == .made)
    #expect(try ModelContent(log.model).tables["rewards"] == [])
    #expect(try ModelContent(log.model).differences(from: log.tables()) == [])
    #expect(try log.tables().allSatisfy(\.rows.isEmpty))
    #expect(try log.model.report() == log.report())
    #expect(try log.update().kind == .unchanged)
    var random = SeededGenerator(seed: 3)
    try log.append(UnitWorld.events(&random, count: 50))
    #expect(try log.update().kind == .appended)
    #expect(try ModelContent(log.model).differences(from: log.freshContent()) == [])
  }

  @Test("the log's files stay as they are, byte for byte")
  func untouched() throws {
    var random = SeededGenerator(seed: 4)
    let log = try GrowingLog()
    try log.append(UnitWorld.events(&random, count: 200))
    let before = try log.bytes()
    try log.update(jobs: 3)
    _ = try log.model.result(of: RewardReport.self)
    #expect(try log.bytes() == before)
  }

  @Test("tables have the words and types of the report, and views read them")
  func tables() throws {
    let log = try GrowingLog()
    let unit = UnitID("u")
    let odd = VariantID("a\0'\";é")
    try log.append([
      Event(
        time: Timestamp(microseconds: 1), unit: unit,
        payload: .decision(Decision(experiment: "e", variant: odd))),
      Event(
        time: Timestamp(microseconds: 2), unit: unit,
        payload: .goal(Goal(experiment: "e", goal: "g", value: 3.99))),
    ])
    try log.update()
    let content = try ModelContent(log.model)
    #expect(
      content.tables["rewards"] == [
        [
          .text("e"), .text("point-1"), .text("decision-1"), .text("a\0'\";é"), .integer(1),
          .integer(1), .integer(1), .real(3.99), .real(3.99), .null, .null, .null,
        ]
      ])
    #expect(content.tables["rewards_overview"]?.first?[5] == .real(100))
    #expect(content.tables["rewards_best"]?.first?[3] == .text("a\0'\";é"))
    #expect(content.tables["_bandolier_status"]?.first?[4] == .integer(2))
    let notes = content.tables["_bandolier_notes"]?.filter { $0[0] == .text("rewards") }
    #expect(notes?[0][2...] == [.text("attribution"), .text("last, no window")])
    let columns = content.tables["_bandolier_columns"]?.filter { $0[0] == .text("rewards") }
    #expect(columns?[4][2] == .text("decisions"))
    #expect(try log.model.report() == log.report())
    let sql = content.schema.first { $0[1] == .text("rewards") }?[2].string ?? ""
    #expect(sql.hasSuffix("STRICT") && sql.contains("\"reward_mean\" REAL"))
    #expect(sql.contains(#"PRIMARY KEY ("experiment", "point", "slot", "variant")"#))
  }

  @Test("tables of other origin are kept")
  func strangers() throws {
    var random = SeededGenerator(seed: 5)
    let log = try GrowingLog()
    try log.append(UnitWorld.events(&random, count: 100))
    try log.update()
    try log.model.execute("CREATE VIEW mine AS SELECT variant FROM rewards; CREATE TABLE notes (x)")
    try log.append(UnitWorld.events(&random, count: 10))
    try log.update()
    try log.rewrite { _ = try $0.compact(profile: .small) { _ in } }
    try log.update()
    let content = try ModelContent(log.model)
    #expect(content.tables["mine"]?.isEmpty == false && content.tables["notes"] == [])
  }
}
