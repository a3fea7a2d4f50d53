internal import Reports
internal import Tables

/// The tables of reports in a database: their rows, notes and column descriptions.
enum ResultTables {
  static let schema = """
    CREATE TABLE _bandolier_notes (
      report TEXT NOT NULL, line INTEGER NOT NULL, name TEXT NOT NULL, value ANY,
      PRIMARY KEY (report, line)) STRICT;
    CREATE TABLE _bandolier_columns (
      report TEXT NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
      type TEXT NOT NULL, description TEXT NOT NULL, PRIMARY KEY (report, place)) STRICT;
    """

  /// Writes the tables of a projection, with their notes, views and indices.
  static func write(
    _ tables: [Table], of projection: any KeptProjection, _ db: SQLConnection
  ) throws {
    let companions = projection.companions
    let definitions = tables.map { definition($0, hasEmptyKeys: projection.hasEmptyKeys) }
    let isAsBefore = try zip(tables, definitions).allSatisfy {
      try isDefined("table", $0.name, create($0.name, $1), db)
    }
    if !isAsBefore {
      for view in companions where view.kind == .view {
        try db.run("DROP VIEW IF EXISTS \(quoted(view.name))")
      }
    }
    for (table, definition) in zip(tables, definitions) {
      try write(table, definition, db)
      try describe(table, db)
    }
    for companion in companions { try write(companion, db) }
  }

  /// Rewrites the rows in place, or, if the columns have changed, into a new table that replaces the old one.
  private static func write(_ table: Table, _ definition: String, _ db: SQLConnection) throws {
    if try isDefined("table", table.name, create(table.name, definition), db) {
      try db.run("DELETE FROM \(quoted(table.name))")
      return try insert(table, into: table.name, db)
    }
    let next = table.name + "__next"
    try db.run("DROP TABLE IF EXISTS \(quoted(next))")
    try db.run(create(next, definition))
    try insert(table, into: next, db)
    try db.run("DROP TABLE IF EXISTS \(quoted(table.name))")
    try db.run("ALTER TABLE \(quoted(next)) RENAME TO \(quoted(table.name))")
  }

  static func insert(_ table: Table, into name: String, _ db: SQLConnection) throws {
    let places = (1...table.columns.count).map { "?\($0)" }.joined(separator: ", ")
    let statement = try SQLStatement(db, "INSERT INTO \(quoted(name)) VALUES (\(places))")
    for row in table.rows { try statement.run(row: row.map(value)) }
  }

  static func describe(_ table: Table, _ db: SQLConnection) throws {
    let name = SQLValue.text(table.name)
    try db.run("DELETE FROM _bandolier_notes WHERE report = ?1", name)
    try db.run("DELETE FROM _bandolier_columns WHERE report = ?1", name)
    let notes = try SQLStatement(db, "INSERT INTO _bandolier_notes VALUES (?1, ?2, ?3, ?4)")
    for (line, note) in table.notes.enumerated() {
      try notes.run(name, .integer(Int64(line + 1)), .text(note.name), value(note.value))
    }
    let columns = try SQLStatement(
      db, "INSERT INTO _bandolier_columns VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    for (place, column) in table.columns.enumerated() {
      try columns.run(
        name, .integer(Int64(place + 1)), .text(column.name), .text(column.kind.rawValue),
        .text(column.type.rawValue), .text(column.description))
    }
  }

  private static func write(_ companion: Companion, _ db: SQLConnection) throws {
    let definition =
      "CREATE \(companion.kind.rawValue) \(quoted(companion.name)) \(companion.body)"
    let kind = companion.kind.rawValue.lowercased()
    if try isDefined(kind, companion.name, definition, db) { return }
    try db.run("DROP \(companion.kind.rawValue) IF EXISTS \(quoted(companion.name))")
    try db.run(definition)
  }

  static func create(_ table: String, _ definition: String) -> String {
    "CREATE TABLE \(quoted(table)) \(definition)"
  }

  /// Returns the SQL after a table's name. Empty keys are allowed if they are not a primary key.
  static func definition(_ table: Table, hasEmptyKeys: Bool) -> String {
    var lines = table.columns.map { "\(quoted($0.name)) \(type($0.type))" }
    let keys = table.columns.filter { $0.kind == .key }.map { quoted($0.name) }
    let constraint = hasEmptyKeys ? "UNIQUE" : "PRIMARY KEY"
    if !keys.isEmpty { lines.append("\(constraint) (\(keys.joined(separator: ", ")))") }
    return "(\(lines.joined(separator: ", "))) STRICT"
  }

  private static func isDefined(
    _ kind: String, _ name: String, _ definition: String, _ db: SQLConnection
  ) throws -> Bool {
    var isDefined = false
    let statement = try SQLStatement(
      db, "SELECT sql FROM sqlite_schema WHERE type = ?1 AND name = ?2")
    try statement.forEachRow(.text(kind), .text(name)) { row in
      isDefined = row.value(0).string == definition
      return false
    }
    return isDefined
  }

  private static func type(_ type: TableColumn.ValueType) -> String {
    switch type {
    case .text, .timestamp: "TEXT"
    case .integer, .flag: "INTEGER"
    case .decimal: "REAL"
    }
  }

  static func value(_ cell: TableCell) -> SQLValue {
    switch cell {
    case .text(let text), .timestamp(let text): .text(text)
    case .integer(let number): .integer(Int64(number))
    case .decimal(let number): .real(number)
    case .flag(let flag): .integer(flag ? 1 : 0)
    case .empty: .null
    }
  }

  static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}
