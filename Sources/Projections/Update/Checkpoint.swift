internal import EventLog
internal import Events
internal import Replay
internal import Specifications

/// The log of a database and the position up to which it was replayed.
struct Checkpoint: Hashable, Sendable {
  static let schema = """
    CREATE TABLE _bandolier_meta (key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
    """

  /// The id of the log; empty if it has none.
  var log: String
  /// The position of the first event that the database does not include.
  var position: UInt64
  /// A checksum of the log before the position; nil at its beginning.
  var check: UInt32?
  /// The latest event time.
  var latest: Int64
  /// The kinds of events in the histories.
  var needs: UnitNeeds
  var bucketCount: Int
  /// The first code of a unit that the database does not include.
  var unitLimit: UInt32
  /// The time zone whose days the tables have.
  var zone: String
  /// The counts of the log's rows for the data-quality checks, as encoded by ``LogAudit``.
  private var auditBytes: [UInt8]

  init(_ log: LogReader, _ audit: LogAudit, latest: Int64, needs: UnitNeeds, bucketCount: Int, zone: String) {
    self.log = log.id?.description ?? ""
    position = log.eventCount
    check = log.chainCheck(at: log.eventCount)
    self.latest = latest
    self.needs = needs
    self.bucketCount = bucketCount
    self.zone = zone
    unitLimit = log.codeLimit(.units)
    var writer = StateWriter()
    audit.write(to: &writer)
    auditBytes = writer.bytes
  }

  /// The latest event time; nil without events.
  var asOf: Timestamp? { latest == .min ? nil : Timestamp(microseconds: latest) }

  /// Reads the checkpoint of a database.
  ///
  /// - Throws: `StateError` if it is missing or invalid.
  init(_ db: SQLConnection) throws {
    var values: [String: SQLValue] = [:]
    for row in try db.rows("SELECT key, value FROM _bandolier_meta", columns: 2) {
      values[row[0].string ?? ""] = row[1]
    }
    func number<Number: FixedWidthInteger>(_ key: String) throws(StateError) -> Number {
      guard let number = values[key]?.integer.flatMap({ Number(exactly: $0) }) else {
        throw StateError("its checkpoint has no \(key)")
      }
      return number
    }
    guard let log = values["log"]?.string else { throw StateError("its checkpoint has no log") }
    self.log = log
    position = try number("position")
    check = values["chain_check"] == .null ? nil : try number("chain_check")
    latest = try number("latest")
    needs = UnitNeeds(rawValue: try number("needs"))
    bucketCount = try number("bucket_count")
    unitLimit = try number("unit_limit")
    zone = values["time_zone"]?.string ?? DayCalendar.utc.zone
    guard let audit = values["audit"]?.content else {
      throw StateError("its checkpoint has no audit")
    }
    auditBytes = audit
    guard (1...HistoryTable.mostBuckets).contains(bucketCount), bucketCount.nonzeroBitCount == 1
    else {
      throw StateError("its checkpoint has \(bucketCount) buckets")
    }
  }

  /// Decodes the counts of the log's rows for the data-quality checks.
  ///
  /// - Throws: `StateError` if they are damaged.
  func audit() throws(StateError) -> LogAudit {
    var reader = StateReader(auditBytes)
    let audit = try LogAudit(from: &reader)
    guard reader.isAtEnd else { throw StateError("the audit of its log is too long") }
    return audit
  }

  func write(_ db: SQLConnection) throws {
    let statement = try SQLStatement(
      db, "INSERT OR REPLACE INTO _bandolier_meta (key, value) VALUES (?1, ?2)")
    let values: [(String, SQLValue)] = [
      ("log", .text(log)), ("position", .integer(Int64(position))),
      ("chain_check", check.map { .integer(Int64($0)) } ?? .null),
      ("latest", .integer(latest)), ("as_of", asOf.map { .text($0.description) } ?? .null),
      ("needs", .integer(Int64(needs.rawValue))),
      ("bucket_count", .integer(Int64(bucketCount))),
      ("unit_limit", .integer(Int64(unitLimit))), ("audit", .bytes(auditBytes)),
      ("time_zone", .text(zone)), ("attribution", .text(Attribution().description)),
    ]
    for (key, value) in values { try statement.run(.text(key), value) }
  }
}
