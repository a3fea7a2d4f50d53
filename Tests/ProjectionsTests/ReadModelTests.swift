import EventLog
import Events
import Foundation
import GRDB
import Reports
import TestSupport
import Testing

@testable import Projections

@Suite("Read models")
struct ReadModelTests {
  @Test(
    "increments of any size say the same as a new database, and reports as the log",
    arguments: 0..<12)
  func differential(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let log = try GrowingLog()
    for step in 0..<20 {
      let isLarge = random.chance(0.15)
      try log.append(
        UnitWorld.events(
          &random, count: isLarge ? random.index(300) : random.index(6),
          units: [2, 6, 40][random.index(3)]), perFrame: 1 + random.index(30))
      let update = try log.update(jobs: 1 + random.index(3))
      #expect(update.position == (try log.reader().eventCount))
      let content = try ModelContent(log.model)
      let fresh = try log.freshContent(jobs: 1 + random.index(3))
      #expect(content.differences(from: fresh) == [], "seed \(seed), step \(step)")
      #expect(try log.model.report() == log.report(), "seed \(seed), step \(step)")
      #expect(
        try log.model.report(per: .unit) == log.report(per: .unit), "seed \(seed), step \(step)")
    }
  }

  @Test("only new events are read, and nothing is done when there are none")
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
}
