import EventLog
import Events
import Foundation
import Replay
import Reports
import Tables
import TestSupport
import Testing

@testable import Projections

@Suite("Read models that cannot be gone on with")
struct ReadModelRefusalTests {
  private func world(_ seed: UInt64, count: Int = 120) throws -> GrowingLog {
    var random = SeededGenerator(seed: seed)
    let log = try GrowingLog(seed: seed)
    try log.append(UnitWorld.events(&random, count: count))
    return log
  }

  /// The error of an update that must fail.
  private func refusal(_ log: GrowingLog, _ model: ReadModel? = nil, force: Bool = false) throws
    -> ProjectionError
  {
    let error = #expect(throws: ProjectionError.self) { try log.update(model, force: force) }
    return try #require(error)
  }

  @Test("a database of another log is refused with both ids, and recreated by force")
  func otherLog() throws {
    let (log, other) = (try world(1), try world(2))
    try log.update()
    let before = try ModelContent(log.model)
    let error = try refusal(other, log.model)
    let ids = try [log, other].map { try #require(try $0.reader().id).description }
    #expect(error.code == .otherLog && ids.allSatisfy(error.message.contains))
    #expect(try ModelContent(log.model).differences(from: before) == [])
    guard case .madeAnew(let reason) = try other.update(log.model, force: true).kind else {
      Issue.record("it was not made anew")
      return
    }
    #expect(reason.contains(ids[0]))
    #expect(try ModelContent(log.model).differences(from: other.freshContent()) == [])
  }

  @Test("a rewritten log is detected, and the database recreated")
  func rewritten() throws {
    let log = try world(3)
    try log.update()
    try log.rewrite { _ = try $0.erase(Erasure(units: ["u1"])) }
    guard case .madeAnew = try log.update().kind else {
      Issue.record("it was not made anew")
      return
    }
    #expect(try log.model.report() == log.report())
    #expect(try ModelContent(log.model).differences(from: log.freshContent()) == [])
  }

  @Test(
    "histories that are missing, moved or doubled are found by an update and by a report",
    arguments: [
      "DELETE FROM _bandolier_histories WHERE id = (SELECT max(id) FROM _bandolier_histories)",
      "DELETE FROM _bandolier_histories",
      "UPDATE _bandolier_histories SET id = id + 1 WHERE id = (SELECT max(id) FROM _bandolier_histories)",
      "INSERT INTO _bandolier_histories SELECT id + (1 << 42), events FROM _bandolier_histories",
    ])
  func changedHistories(sql: String) throws {
    let log = try world(21)
    try log.update()
    try log.model.execute(sql)
    let error = #expect(throws: ProjectionError.self) {
      try log.model.reading { try $0.units(ReadModel.needs).bucketCount }
    }
    #expect(error?.code == .damaged)
    var random = SeededGenerator(seed: 22)
    try log.append(UnitWorld.events(&random, count: 5))
    #expect(try refusal(log).code == .damaged)
    try log.update(force: true)
    #expect(try ModelContent(log.model).differences(from: log.freshContent()) == [])
  }

  @Test("a projection of an older version is recomputed, without the log's old events")
  func olderVersion() throws {
    let log = try world(4)
    try log.update()
    let rewards = RewardReport.readModel
    var random = SeededGenerator(seed: 5)
    try log.append(UnitWorld.events(&random, count: 5))
    let newer = KeptReport(
      name: "rewards", version: rewards.version + 1, parameters: "with another column",
      projector: rewards.projector,
      tables: { result, names, _ in
        let table = try RewardReport().table(result, names: names, dimension: nil)
        var wider = try Table(
          name: "rewards", title: table.title,
          columns: table.columns + [.measure("more", .flag, "something new")])
        for row in table.rows { try wider.append(row: Array(row) + [.flag(true)]) }
        return [wider]
      }, companions: rewards.companions)
    let update = try log.model.update(
      from: LogReplay(try log.reader(), jobs: 2),
      projections: [newer] + log.model.projections().dropFirst())
    #expect(update.projectionsRebuilt == ["rewards"] && update.eventsRead == 5)
    let rows = try #require(try ModelContent(log.model).tables["rewards"])
    let fresh = try #require(try log.freshContent().tables["rewards"])
    #expect(
      rows.map { Array($0.dropLast()) } == fresh && rows.allSatisfy { $0.last == .integer(1) })
    // This version knows less than what is there now.
    let error = try refusal(log)
    #expect(error.code == .newerVersion && error.message.contains("rewards"))
    #expect(
      #expect(throws: ProjectionError.self) { try log.model.result(of: RewardReport.self) }?.code == .newerVersion)
    try log.update(force: true)
    #expect(try ModelContent(log.model).differences(from: log.freshContent()) == [])
  }

  @Test("a database that lacks needed kinds of events is recreated from the log")
  func fewerNeeds() throws {
    let log = try world(12)
    try log.update()
    // As a version wrote it whose reports looked at decisions and goals only.
    let needs: UnitNeeds = [.decisions, .goals]
    let db = try SQLConnection(log.model.path)
    try db.run(
      "UPDATE _bandolier_meta SET value = ?1 WHERE key = 'needs'", .integer(Int64(needs.rawValue)))
    try Seal.write(db)
    try db.close()
    guard case .madeAnew(let reason) = try log.update().kind else {
      Issue.record("it was not made anew")
      return
    }
    #expect(reason.contains("fewer kinds"))
    #expect(try ModelContent(log.model).differences(from: log.tables()) == [])
    #expect(try ModelContent(log.model).differences(from: log.freshContent()) == [])
  }

  @Test("a new projection is computed from the database")
  func newProjection() throws {
    let log = try world(13)
    var random = SeededGenerator(seed: 14)
    // Visits need every kind of event, series the propensities.
    let old: [any KeptProjection] = [VisitReport.readModel, SeriesReport.readModel]
    _ = try log.model.update(from: LogReplay(try log.reader()), projections: old)
    try log.append(UnitWorld.events(&random, count: 5))
    let update = try log.update()
    #expect(update.kind == .appended && update.eventsRead == 5)
    #expect(update.projectionsRebuilt == ["rewards", "compare", "conversions"])
    #expect(try ModelContent(log.model).differences(from: log.tables()) == [])
  }

  @Test("a projection or a layout that this version does not know is refused")
  func newer() throws {
    let log = try world(6)
    try log.update()
    try log.model.execute(
      "INSERT INTO _bandolier_projections VALUES ('weather', 1, '', x'00')")
    let unknown = try refusal(log)
    #expect(unknown.code == .newerVersion && unknown.message.contains("weather"))
    try log.model.execute(
      "DELETE FROM _bandolier_projections WHERE name = 'weather'; PRAGMA user_version = 99")
    let error = try refusal(log)
    #expect(error.code == .newerVersion && error.message.contains("99"))
    #expect(
      #expect(throws: ProjectionError.self) { try log.model.result(of: RewardReport.self) }?.code == .newerVersion)
    try log.model.execute("PRAGMA user_version = 0")
    guard case .madeAnew = try log.update().kind else {
      Issue.record("an older layout was not made anew")
      return
    }
    #expect(try ModelContent(log.model).differences(from: log.freshContent()) == [])
  }

  @Test("a database of another program is never changed, not even by force")
  func foreign() throws {
    let log = try world(7)
    let path = log.folder.path("theirs.sqlite")
    try ReadModel(path).execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    for force in [false, true] {
      #expect(try refusal(log, ReadModel(path), force: force).code == .foreignDatabase)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test("garbage is no database, and is replaced by force only")
  func garbage() throws {
    let log = try world(8)
    let path = try log.folder.write(Array(repeating: UInt8(ascii: "x"), count: 40_000), "garbage")
    #expect(try refusal(log, ReadModel(path)).code == .notADatabase)
    #expect(try log.update(ReadModel(path), force: true).kind == .made)
    #expect(try ModelContent(ReadModel(path)).differences(from: log.freshContent()) == [])
  }

  @Test(
    "a database that is cut off or has other bytes is refused or right, and never wrong",
    arguments: 0..<60)
  func damaged(seed: UInt64) throws {
    let log = try world(9, count: 400)
    try log.update()
    let expected = try log.model.report()
    var random = SeededGenerator(seed: seed)
    let whole = try Data(contentsOf: URL(fileURLWithPath: log.model.path))
    var bytes = whole
    if seed % 3 == 0 {
      bytes = whole.prefix(random.index(whole.count))
    } else {
      for _ in 0..<1 + random.index(3) {
        bytes[random.index(bytes.count)] ^= 1 << UInt8(random.index(8))
      }
    }
    try bytes.write(to: URL(fileURLWithPath: log.model.path))
    var more = SeededGenerator(seed: seed)
    do {
      #expect(try log.model.report() == expected)
    } catch is ProjectionError {}
    try log.append(UnitWorld.events(&more, count: 3))
    do {
      try log.update()
      #expect(try log.model.report() == log.report())
    } catch let error as ProjectionError {
      #expect(!error.message.isEmpty)
      #expect(
        [.damaged, .notADatabase, .foreignDatabase, .newerVersion, .otherLog, .inputOutput]
          .contains(error.code), "\(error)")
    }
  }

  @Test("missing write permission is an error with a remedy", .enabled(if: getuid() != 0))
  func readOnly() throws {
    let log = try world(10)
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: log.folder.path)
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: 0o700], ofItemAtPath: log.folder.path)
    }
    #expect(try refusal(log).code == .cannotCreate)
  }

  @Test("a missing directory cannot be written to")
  func noFolder() throws {
    let log = try world(11)
    let error = try refusal(log, ReadModel(log.folder.path("nowhere/model.sqlite")))
    #expect(error.code == .cannotCreate && error.message.contains("choose another place"))
  }
}
