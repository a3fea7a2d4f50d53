internal import EventLog
internal import Specifications

/// A checksum over the small tables on which reading depends: a changed byte in them is detected, as in the histories
/// and states by their own checksums. The tables of reports have none: each replay rewrites them, and reports do not
/// read them.
enum Seal {
  private static let key = "seal"
  /// The key of the checksum of all histories, which is only checked where they are read: it takes a scan of the table.
  private static let historyKey = "history_seal"

  /// The rows of the histories, each by its key and the checksum with which it begins.
  private static let histories: [(sql: String, columns: Int32)] = [
    ("SELECT id, substr(events, 1, 4) FROM _bandolier_histories ORDER BY id", 2)
  ]

  private static let contents: [(sql: String, columns: Int32)] = [
    ("SELECT key, value FROM _bandolier_meta WHERE key <> 'seal' ORDER BY key", 2),
    ("SELECT name, version, parameters FROM _bandolier_projections ORDER BY name", 3),
    ("SELECT run, events FROM _bandolier_runs ORDER BY run", 2),
    ("SELECT arm, experiment, point, slot, variant FROM _bandolier_arms ORDER BY arm", 5),
    ("SELECT vocabulary, code, name FROM _bandolier_names ORDER BY vocabulary, code", 3),
  ]

  /// Records the checksum of the tables.
  static func write(_ db: SQLConnection) throws { try write(key, of: contents, db) }

  /// Records the checksum of the histories. It must be called before ``write(_:)``, which covers it.
  static func writeHistories(_ db: SQLConnection) throws {
    try write(historyKey, of: histories, db)
  }

  private static func write(
    _ key: String, of contents: [(sql: String, columns: Int32)], _ db: SQLConnection
  ) throws {
    try db.run(
      "INSERT OR REPLACE INTO _bandolier_meta (key, value) VALUES (?1, ?2)", .text(key),
      .integer(Int64(try checksum(contents, db))))
  }

  /// Checks that no row of the histories is missing, added or replaced.
  ///
  /// - Throws: `StateError` if they have changed. Databases of earlier versions have no checksum of them.
  static func checkHistories(_ db: SQLConnection) throws {
    guard
      let noted = try db.value(
        "SELECT value FROM _bandolier_meta WHERE key = '\(historyKey)'"
      ).integer
    else { return }
    guard noted == Int64(try checksum(histories, db)) else {
      throw StateError("histories of units are missing or changed: a checksum does not match")
    }
  }

  /// - Throws: `StateError` if the tables have changed.
  static func check(_ db: SQLConnection) throws {
    let noted = try db.value("SELECT value FROM _bandolier_meta WHERE key = '\(key)'").integer
    guard noted == Int64(try checksum(contents, db)) else {
      throw StateError("a checksum of its names, arms or checkpoint does not match")
    }
  }

  private static func checksum(
    _ contents: [(sql: String, columns: Int32)], _ db: SQLConnection
  ) throws -> UInt32 {
    var crc: UInt32 = 0
    var writer = StateWriter()
    for (sql, columns) in contents {
      try SQLStatement(db, sql).forEachRow { row in
        writer.removeAll()
        for column in 0..<columns { write(row.value(column), to: &writer) }
        crc = Checksum.crc32c(writer.bytes, after: crc)
        return true
      }
    }
    return crc
  }

  private static func write(_ value: SQLValue, to writer: inout StateWriter) {
    switch value {
    case .null: writer.write(byte: 0)
    case .integer(let number):
      writer.write(byte: 1)
      writer.write(signed: number)
    case .real(let number):
      writer.write(byte: 2)
      writer.write(number)
    case .text(let bytes), .bytes(let bytes):
      writer.write(byte: 3)
      writer.write(UInt64(bytes.count))
      writer.write(bytes: bytes)
    }
  }
}
