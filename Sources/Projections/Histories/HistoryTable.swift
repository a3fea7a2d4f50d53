internal import Replay
internal import Specifications

/// The table of histories: chunks by run, bucket and unit.
///
/// A run contains the events added by one replay. The history of a unit is the concatenation of its events in all
/// runs, so that existing data need not be rewritten; runs that are no larger than what follows them are merged with
/// it, which bounds their number, and the times each event is written, by the logarithm of the number of events. A
/// bucket contains the units whose codes have the same remainder.
struct HistoryTable: Sendable {
  static let schema = """
    CREATE TABLE _bandolier_histories (id INTEGER PRIMARY KEY, events BLOB NOT NULL) STRICT;
    CREATE TABLE _bandolier_runs (run INTEGER PRIMARY KEY, events INTEGER NOT NULL) STRICT;
    """

  /// More than any log needs: the memory for a bucket is a thousandth of it.
  static let mostBuckets = 1_024

  private let scan: SQLStatement
  private let insert: SQLStatement
  private let delete: SQLStatement
  /// Called after each change, for tests of crashes.
  private let probe: (@Sendable () throws -> Void)?

  init(_ db: SQLConnection, probe: (@Sendable () throws -> Void)?) throws {
    scan = try SQLStatement(
      db, "SELECT id, events FROM _bandolier_histories WHERE id BETWEEN ?1 AND ?2 ORDER BY id")
    insert = try SQLStatement(db, "INSERT INTO _bandolier_histories (id, events) VALUES (?1, ?2)")
    delete = try SQLStatement(db, "DELETE FROM _bandolier_histories WHERE id BETWEEN ?1 AND ?2")
    self.probe = probe
  }

  /// 32 bits of the unit, 10 of the bucket, and the run above them.
  private static func id(_ run: Int, _ bucket: Int, _ unit: UInt32) -> SQLValue {
    .integer(Int64(run) << 42 | Int64(bucket) << 32 | Int64(unit))
  }

  /// The number of chunks skipped one by one before the next one is looked up by its key.
  private static let stride = 8

  /// Returns the chunks of a bucket in a run that may contain some units, given by ascending codes.
  func chunks(_ run: Int, _ bucket: Int, of units: [UInt32]) throws -> [HistoryChunk] {
    var found: [HistoryChunk] = []
    var next = 0
    while next < units.count {
      var passed = 0
      var isAtEnd = true
      try scan.forEachRow(Self.id(run, bucket, units[next]), Self.id(run, bucket, .max)) { row in
        guard try Self.last(row) >= units[next] else {
          passed += 1
          isAtEnd = passed < Self.stride
          return isAtEnd
        }
        passed = 0
        let chunk = try Self.chunk(row)
        found.append(chunk)
        while next < units.count, units[next] <= chunk.last { next += 1 }
        return next < units.count
      }
      if isAtEnd { break }
    }
    return found
  }

  /// Returns all chunks of a bucket in a run.
  func chunks(_ run: Int, _ bucket: Int) throws -> [HistoryChunk] {
    var found: [HistoryChunk] = []
    try scan.forEachRow(Self.id(run, bucket, 0), Self.id(run, bucket, .max)) { row in
      found.append(try Self.chunk(row))
      return true
    }
    return found
  }

  /// Replaces the chunks of a bucket in a range of runs; the new ones belong to the first of these runs.
  func replace(_ runs: Range<Int>, _ bucket: Int, by chunks: [HistoryChunk]) throws {
    for run in runs { try delete.run(Self.id(run, bucket, 0), Self.id(run, bucket, .max)) }
    for chunk in chunks {
      try insert.run(Self.id(runs.lowerBound, bucket, chunk.last), .bytes(chunk.bytes))
      try probe?()
    }
  }

  private static func chunk(_ row: SQLStatement) throws -> HistoryChunk {
    guard let bytes = row.value(1).content else {
      throw StateError("a history is damaged")
    }
    return HistoryChunk(last: try last(row), bytes: bytes)
  }

  /// Returns the code of the last unit of a chunk.
  private static func last(_ row: SQLStatement) throws -> UInt32 {
    guard let id = row.value(0).integer else {
      throw StateError("a history is damaged")
    }
    return UInt32(truncatingIfNeeded: id)
  }
}

/// The number of events of each run, and the rule for merging runs with new ones.
struct HistoryRuns: Sendable {
  private(set) var sizes: [Int64]

  init(_ db: SQLConnection) throws {
    sizes = []
    for row in try db.rows("SELECT run, events FROM _bandolier_runs ORDER BY run", columns: 2) {
      guard row[0].integer == Int64(sizes.count), let size = row[1].integer, size > 0,
        size < 1 << 48, sizes.count < 1 << 16
      else { throw StateError("the list of runs is damaged") }
      sizes.append(size)
    }
  }

  var count: Int { sizes.count }

  /// Returns the run into which new events are merged, together with the runs after it.
  func target(adding events: Int) -> Int {
    var target = sizes.count
    var size = Int64(events)
    while target > 0, size >= sizes[target - 1] {
      target -= 1
      size += sizes[target]
    }
    return target
  }

  /// Records that the events were added.
  mutating func add(_ events: Int, to target: Int, _ db: SQLConnection) throws {
    let size = sizes[target...].reduce(Int64(events), +)
    sizes.removeSubrange(target...)
    sizes.append(size)
    try db.run("DELETE FROM _bandolier_runs WHERE run >= ?1", .integer(Int64(target)))
    try db.run(
      "INSERT INTO _bandolier_runs (run, events) VALUES (?1, ?2)", .integer(Int64(target)),
      .integer(size))
  }
}
