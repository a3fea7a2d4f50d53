internal import GRDB
internal import Reports

/// The schema of a database.
enum Schema {
  /// The view that describes the position of the database in the log.
  private static let status = """
    CREATE VIEW bandolier_status AS SELECT p.name AS projection, p.version, p.parameters,
      (SELECT value FROM bandolier_meta WHERE key = 'log') AS log,
      (SELECT value FROM bandolier_meta WHERE key = 'position') AS events,
      (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', value / 1000000, 'unixepoch')
        FROM bandolier_meta WHERE key = 'latest') AS latest
    FROM bandolier_projections AS p ORDER BY p.name;
    """

  static func make(_ db: Database) throws {
    try db.run("PRAGMA application_id = \(ModelFile.applicationID)")
    try db.run("PRAGMA user_version = \(ModelFile.layout)")
    for schema in [
      Checkpoint.schema, KeptState.schema, KeptNames.schema, HistoryTable.schema,
      KeptHashes.schema, ResultTables.schema, status,
    ] {
      try db.execute(sql: schema)
    }
  }

  /// Drops what ``make(_:)`` created, and the tables and views of projections, but no tables of other origin.
  static func drop(_ projections: [any KeptProjection], _ db: Database) throws {
    let objects = try db.rows(
      "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view')", columns: 2)
    var ours = Set(projections.flatMap { $0.companions.map(\.name) } + projections.map(\.name))
    if objects.contains(where: { $0[1].string == "bandolier_columns" }) {
      ours.formUnion(
        try db.rows("SELECT DISTINCT report FROM bandolier_columns", columns: 1)
          .compactMap { $0[0].string })
    }
    // Views first: they depend on tables.
    for kind in ["view", "table"] {
      for object in objects where object[0].string == kind {
        guard let name = object[1].string, ours.contains(name) || name.hasPrefix("bandolier_")
        else { continue }
        try db.run("DROP \(kind) \(ResultTables.quoted(name))")
      }
    }
  }
}
