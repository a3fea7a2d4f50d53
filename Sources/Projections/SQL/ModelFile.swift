internal import CSQLite
internal import Platform

/// The file of a database, open for reading or for writing.
///
/// Between two replays it is one file that any SQLite tool can read, even without write permission. During an update
/// it is in WAL mode, so that readers see the previous state; a new file is written in one transaction with a
/// rollback journal instead, in which new pages take no space, as it cannot have readers.
struct ModelFile {
  /// The application ID of our databases: `Bndl`.
  static let applicationID: Int64 = 0x426E_646C
  /// The version of the layout, except for the states of projections: 2 has every event that reports need, the hashes
  /// of units, and the counts of the log's rows for the data-quality checks; 3 has the prefix `_bandolier_` for all
  /// tables that are not those of reports; 5 marks conversions whose revenue is below zero as negative.
  static let layout: Int64 = 5
  /// The time to wait for other programs, in milliseconds.
  private static let patience: Int32 = 10_000

  let path: String
  let db: SQLConnection

  init(_ path: String, readonly: Bool) throws(SQLError) {
    self.path = path
    // Functions and virtual tables in a schema that is not ours stay unused. Only an empty file accepts a page size. A
    // user's view of one of our tables may lack that table temporarily.
    db = try SQLConnection(
      path, readonly: readonly, patience: Self.patience,
      settings: """
        PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY;
        PRAGMA cache_size = -32768; PRAGMA cell_size_check = ON;
        \(readonly ? "" : "PRAGMA page_size = 16384;")
        PRAGMA legacy_alter_table = ON
        """)
  }

  /// Returns whether the file was never written.
  static func isEmpty(_ db: SQLConnection) throws -> Bool {
    try db.value("SELECT count(*) FROM sqlite_schema").integer == 0
      && db.value("PRAGMA application_id").integer == 0
  }

  /// Throws an error for a database that is not ours or of a newer layout.
  static func check(_ db: SQLConnection, path: String) throws {
    guard try db.value("PRAGMA application_id").integer == applicationID else {
      throw ProjectionError(
        .foreignDatabase,
        "an SQLite database, but not one that `bandolier replay` created; name another file",
        path: path)
    }
    let layout = try db.value("PRAGMA user_version").integer ?? 0
    guard layout <= Self.layout else {
      throw ProjectionError(
        .newerVersion,
        "its layout \(layout) is that of a newer version of bandolier (this one knows up to \(Self.layout)); "
          + "use that version, or rebuild it with this one (--force)", path: path)
    }
  }

  /// Writes to the file in one transaction. If the first closure returns a result, the transaction is skipped.
  func write<Answer>(
    unless answer: (SQLConnection) throws -> Answer?, _ body: (SQLConnection) throws -> Answer
  ) throws -> Answer {
    let isNew = try Self.isEmpty(db)
    if !isNew {
      if let answer = try answer(db) { return answer }
      _ = try db.value("PRAGMA journal_mode = WAL")
    }
    return try db.transaction(isNew ? .exclusive : .immediate) { try body(db) }
  }

  /// Closes the file and leaves it as a single file. If it is being read, the next replay does that.
  ///
  /// - Throws: ``ProjectionError`` or ``SQLError`` if committed changes cannot be moved into the file, for instance
  ///   because the disk is full. The database is then complete and readable, together with the file beside it.
  func close() throws {
    do {
      try leaveOneFile()
      try db.close()
    } catch let error as SQLError {
      throw ProjectionError(unfinished: error, path: path)
    }
  }

  private func leaveOneFile() throws {
    guard try db.value("PRAGMA journal_mode").string == "wal" else { return }
    // Readers prevent it; they need not be waited for.
    _ = try db.value("PRAGMA busy_timeout = 0")
    do {
      _ = try db.value("PRAGMA journal_mode = DELETE")
    } catch let error as SQLError where [SQLITE_BUSY, SQLITE_LOCKED].contains(error.code) {}
  }
}
