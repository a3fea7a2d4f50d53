import EventLog
import Events
import Foundation
import Replay
import Reports
import Tables
import TestSupport

@testable import Projections

/// A log that grows, and a database beside it.
final class GrowingLog {
  let folder: TemporaryFolder
  let path: String
  private var writer: LogWriter?
  private var opened: LogReader?

  init(seed: UInt64? = nil) throws {
    folder = try TemporaryFolder()
    path = folder.path("log")
    writer = try LogWriter(path, options: LogOptions(seed: seed))
  }

  var model: ReadModel { ReadModel(folder.path("model.sqlite")) }

  func append(_ events: [Event], perFrame: Int = 100) throws {
    opened = nil
    for start in stride(from: 0, to: events.count, by: perFrame) {
      try writer?.append(Array(events[start..<min(start + perFrame, events.count)]))
      try writer?.commit()
    }
  }

  /// Writes the log anew.
  func rewrite(_ body: (LogRewriter) throws -> Void) throws {
    writer = nil
    opened = nil
    try body(try LogRewriter(path, holder: "a test"))
    writer = try LogWriter(path)
  }

  func reader() throws -> LogReader {
    if let opened { return opened }
    let reader = try LogReader(path)
    opened = reader
    return reader
  }

  /// Brings a database up to date, by default the one beside the log.
  @discardableResult
  func update(_ model: ReadModel? = nil, jobs: Int = 1, force: Bool = false) throws
    -> ReadModelUpdate
  {
    try (model ?? self.model).update(from: try reader(), jobs: jobs, force: force)
  }

  /// What a new database of the log holds.
  func freshContent(jobs: Int = 1) throws -> ModelContent {
    let fresh = ReadModel(folder.path("fresh-\(UUID().uuidString).sqlite"))
    defer { try? FileManager.default.removeItem(atPath: fresh.path) }
    try update(fresh, jobs: jobs)
    return try ModelContent(fresh)
  }

  /// The report `rewards` from the log itself, as JSON.
  func report(per: RewardReport.Per = .decision) throws -> [UInt8] {
    let reader = try reader()
    return Tables.write(
      try RewardReport { $0.per = per }.table(of: reader, jobs: 2), as: .json,
      options: TableOptions())
  }

  /// The reports that databases keep, from the log itself.
  func tables() throws -> [Table] {
    let reader = try reader()
    let names = try LogNames(reader, Set(ReadModel.vocabularies))
    let metrics = MetricProjector([Metric(.reward)], names: names)
    let replay = LogReplay(reader, jobs: 2)
    var tallies = try replay.run(UnitSelection(), units: metrics)
    tallies.expected.noteUnstored(
      of: tallies.exposures.keys, try LogAudit(replay, UnitSelection()).propensities())
    var comparison = try ComparisonReport.table(
      tallies, metrics: metrics.metrics, names: names, plan: ComparisonPlan())
    for note in metrics.notes { comparison.note(note.name, .text(note.text)) }
    return [
      try RewardReport().table(of: reader, jobs: 2),
      try ConversionReport().table(of: reader, jobs: 2),
      try SeriesReport { $0.includesEmptyPeriods = true }.table(of: reader, jobs: 2),
      try VisitReport().table(of: reader, jobs: 2), comparison,
    ]
  }

  /// The files of the log, byte by byte.
  func bytes() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      files[name] = try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
    }
    return files
  }
}

/// All that a database says; not how its histories lie in it.
struct ModelContent: Equatable {
  var tables: [String: [[SQLValue]]] = [:]
  var schema: [[SQLValue]]

  init(_ model: ReadModel) throws {
    let db = try ModelFile(model.path, readonly: true).db
    let inside = ["_bandolier_histories", "_bandolier_runs"]
    schema = try db.rows(
      "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name", columns: 3)
    for row in schema where row[0] != .text("index") {
      guard let name = row[1].string, !inside.contains(name) else { continue }
      let columns = try db.rows("SELECT name FROM pragma_table_info('\(name)')", columns: 1)
      tables[name] = try db.rows("SELECT * FROM \"\(name)\"", columns: Int32(columns.count))
    }
    tables["_bandolier_meta"]?.removeAll {
      [.text("bucket_count"), .text("history_seal"), .text("seal")].contains($0[0])
    }
  }

  /// The reports that are not what the database says, in rows or notes.
  func differences(from reports: [Table]) -> [String] {
    reports.filter { report in
      let rows = report.rows.map { $0.map(ResultTables.value) }
      let notes = report.notes.map { [.text($0.name), ResultTables.value($0.value)] }
      let kept = tables["_bandolier_notes"]?.filter { $0[0] == .text(report.name) } ?? []
      return tables[report.name] != rows || kept.map { Array($0[2...]) } != notes
    }.map(\.name)
  }

  /// The tables that differ from those of another.
  func differences(from other: ModelContent) -> [String] {
    let names = Set(tables.keys).union(other.tables.keys)
    return names.filter { tables[$0] != other.tables[$0] }.sorted()
      + (schema == other.schema ? [] : ["schema"])
  }
}

extension ReadModel {
  /// Runs statements in the database, as another program would.
  func execute(_ sql: String) throws {
    let db = try SQLConnection(path)
    try db.execute(sql)
    try db.close()
  }

  /// The reports that the database keeps, from its states.
  func tables() throws -> [Table] {
    let names = try result(of: RewardReport.self).names
    let measured = ComparisonReport.readModel.projector
    var tallies = try result(of: ComparisonReport.self).result
    let propensities = try reading { $0.audit.propensities() }
    tallies.expected.noteUnstored(of: tallies.exposures.keys, propensities)
    var comparison = try ComparisonReport.table(
      tallies, metrics: measured.metrics, names: names, plan: ComparisonPlan())
    for note in measured.notes { comparison.note(note.name, .text(note.text)) }
    return [
      try RewardReport().table(result(of: RewardReport.self).result, names: names, dimension: nil),
      try ConversionReport().table(result(of: ConversionReport.self).result, names: names, dimension: nil),
      try SeriesReport().table(result(of: SeriesReport.self).result, names: names),
      try VisitReport().table(result(of: VisitReport.self).result, names: names, dimension: nil),
      comparison,
    ]
  }

  /// The report `rewards` from the database, as JSON.
  func report(per: RewardReport.Per = .decision) throws -> [UInt8] {
    let kept = try result(of: RewardReport.self)
    return Tables.write(
      try RewardReport { $0.per = per }.table(kept.result, names: kept.names, dimension: nil),
      as: .json,
      options: TableOptions())
  }
}
