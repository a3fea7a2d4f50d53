public import Tables

/// An SQLite database of finished tables, for programs that read SQL: one table for each, with typed columns and the
/// keys as the primary key.
///
/// The tables `_bandolier_columns` and `_bandolier_notes` have the meaning of the columns and the notes, and
/// `_bandolier_tables` the titles. The same tables give the same bytes, with the same version of SQLite.
public enum ResultDatabase {
  private static let schema = """
    CREATE TABLE _bandolier_tables (
      report TEXT PRIMARY KEY, title TEXT NOT NULL, answer TEXT NOT NULL) STRICT, WITHOUT ROWID;
    """

  /// Writes a new database.
  ///
  /// - Parameters:
  ///   - tables: The tables, whose names are all different.
  ///   - path: The path of a file that does not exist.
  /// - Throws: ``ProjectionError`` if the file exists or cannot be written.
  public static func write(_ tables: [Table], to path: String) throws {
    try ProjectionError.wrapping(path, isWriting: true) {
      let db = try SQLConnection(path)
      guard try ModelFile.isEmpty(db) else {
        throw ProjectionError(.cannotCreate, "it exists; name another file", path: path)
      }
      try db.transaction(.exclusive) {
        try db.execute(ResultTables.schema + schema)
        for table in tables { try write(table, db) }
      }
      try db.close()
    }
  }

  private static func write(_ table: Table, _ db: SQLConnection) throws {
    let definition = ResultTables.definition(table, hasEmptyKeys: table.hasEmptyKeys)
    try db.run(ResultTables.create(table.name, definition))
    try ResultTables.insert(table, into: table.name, db)
    try ResultTables.describe(table, db)
    try db.run(
      "INSERT INTO _bandolier_tables VALUES (?1, ?2, ?3)", .text(table.name), .text(table.title),
      .text(table.answer.joined(separator: " ")))
  }
}
