internal import Reports

/// The schema of a database.
enum Schema {
  /// The view that describes the position of the database in the log.
  private static let status = """
    CREATE VIEW _bandolier_status AS SELECT p.name AS projection, p.version, p.parameters,
      (SELECT value FROM _bandolier_meta WHERE key = 'log') AS log,
      (SELECT value FROM _bandolier_meta WHERE key = 'position') AS events,
      (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', value / 1000000, 'unixepoch')
        FROM _bandolier_meta WHERE key = 'latest') AS latest
    FROM _bandolier_projections AS p ORDER BY p.name;
    """

  static func make(_ db: SQLConnection) throws {
    try db.run("PRAGMA application_id = \(ModelFile.applicationID)")
    try db.run("PRAGMA user_version = \(ModelFile.layout)")
    for schema in [
      Checkpoint.schema, KeptState.schema, KeptNames.schema, HistoryTable.schema,
      KeptHashes.schema, ResultTables.schema, status,
    ] {
      try db.execute(schema)
    }
  }

  /// Drops what ``make(_:)`` created, and the tables and views of projections, but no tables of other origin.
  static func drop(_ projections: [any KeptProjection], _ db: SQLConnection) throws {
    let objects = try db.rows(
      "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view')", columns: 2)
    var ours = Set(projections.flatMap { $0.companions.map(\.name) } + projections.map(\.name))
    // Before layout 3 the prefix had no underscore.
    for name in ["bandolier_columns", "_bandolier_columns"]
    where objects.contains(where: { $0[1].string == name }) {
      ours.formUnion(
        try db.rows("SELECT DISTINCT report FROM \(name)", columns: 1)
          .compactMap { $0[0].string })
    }
    // Views first: they depend on tables.
    for kind in ["view", "table"] {
      for object in objects where object[0].string == kind {
        guard let name = object[1].string, ours.contains(name) || isInternal(name)
        else { continue }
        try db.run("DROP \(kind) \(ResultTables.quoted(name))")
      }
    }
  }

  /// Returns whether a table or a view is one of those that ``make(_:)`` creates, in any layout.
  private static func isInternal(_ name: String) -> Bool {
    name.hasPrefix("_bandolier_") || name.hasPrefix("bandolier_")
  }
}
