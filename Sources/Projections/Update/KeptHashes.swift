internal import EventLog
internal import Specifications

/// The stored hashes of the names of a log's units (`UnitHashes`), 8 bytes per unit, which some reports use for
/// resampling.
struct KeptHashes: Sendable {
  static let schema = """
    CREATE TABLE _bandolier_units (first INTEGER PRIMARY KEY, hashes BLOB NOT NULL) STRICT;
    """

  /// The number of hashes per row, so that four blobs fill a page of 16 KiB. The first row begins with code 1.
  private static let perRow: UInt32 = 500

  private let scan: SQLStatement
  /// The upper bound of the codes of units, exclusive.
  private let limit: UInt32

  init(_ db: SQLConnection, limit: UInt32) throws {
    scan = try SQLStatement(
      db, "SELECT first, hashes FROM _bandolier_units WHERE first >= ?1 ORDER BY first")
    self.limit = limit
  }

  /// Returns the hashes of all units.
  ///
  /// - Throws: `StateError` if they are damaged.
  func read() throws -> UnitHashes { UnitHashes(kept: try read(from: 1)) }

  /// Returns the hashes of the units from the first code of a row on.
  private func read(from first: UInt32) throws -> [UInt64] {
    var hashes: [UInt64] = []
    try scan.forEachRow(.integer(Int64(first))) { row in
      guard row.value(0).integer == Int64(first) + Int64(hashes.count),
        let bytes = row.value(1).content, HistoryChunk.isSealed(bytes)
      else { throw StateError("the hashes of units: a checksum does not match") }
      var reader = StateReader(bytes, 4..<bytes.count)
      while !reader.isAtEnd {
        var hash: UInt64 = 0
        for shift in 0..<8 { hash |= UInt64(try reader.readByte()) << (8 * UInt64(shift)) }
        hashes.append(hash)
      }
      return true
    }
    guard Int(first) + hashes.count == Int(limit) else {
      throw StateError("the hashes of units are not those of all units")
    }
    return hashes
  }

  /// Returns the hashes of a log's units from a code on, with which the names of a frame begin; nil if there are none.
  static func hashes(of log: LogReader, from next: UInt32) throws -> UnitHashes? {
    next < log.codeLimit(.units) ? try UnitHashes(log, from: next) : nil
  }

  /// Adds the hashes of a log's units from a code on.
  static func write(
    _ more: UnitHashes?, _ log: LogReader, from next: UInt32, _ db: SQLConnection
  ) throws {
    guard let more else { return }
    let limit = log.codeLimit(.units)
    let insert = try SQLStatement(db, "INSERT OR REPLACE INTO _bandolier_units VALUES (?1, ?2)")
    // A row that is not full is rewritten, so that rows do not depend on how a log grew.
    var first = next - (next - 1) % perRow
    var hashes = try KeptHashes(db, limit: next).read(from: first)
    while first < limit {
      let end = limit - first > perRow ? first + perRow : limit
      for code in first + UInt32(hashes.count)..<end { hashes.append(more[code]) }
      var content: [UInt8] = []
      for hash in hashes {
        for shift in 0..<8 {
          content.append(UInt8(truncatingIfNeeded: hash >> (8 * UInt64(shift))))
        }
      }
      try insert.run(.integer(Int64(first)), .bytes(HistoryChunk.sealed(content)))
      hashes.removeAll(keepingCapacity: true)
      guard limit - first > perRow else { break }
      first = end
    }
  }
}
