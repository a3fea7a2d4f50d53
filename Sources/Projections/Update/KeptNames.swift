internal import EventLog
internal import Replay
internal import Specifications

/// The stored arms and names of a log, so that reports do not need the log.
enum KeptNames {
  static let schema = """
    CREATE TABLE _bandolier_arms (
      arm INTEGER PRIMARY KEY, experiment INTEGER NOT NULL, point INTEGER NOT NULL,
      slot INTEGER NOT NULL, variant INTEGER NOT NULL) STRICT;
    CREATE TABLE _bandolier_names (
      vocabulary TEXT NOT NULL, code INTEGER NOT NULL, name TEXT NOT NULL,
      PRIMARY KEY (vocabulary, code)) STRICT, WITHOUT ROWID;
    """

  /// Returns the arms by their indices.
  static func arms(_ db: SQLConnection) throws -> [Arm] {
    let rows = try db.rows(
      "SELECT arm, experiment, point, slot, variant FROM _bandolier_arms ORDER BY arm", columns: 5)
    return try rows.enumerated().map { index, row in
      let codes = row.dropFirst().compactMap { $0.integer.flatMap { UInt32(exactly: $0) } }
      guard row[0].integer == Int64(index), codes.count == 4 else {
        throw StateError("the list of arms is damaged")
      }
      return Arm(experiment: codes[0], point: codes[1], slot: codes[2], variant: codes[3])
    }
  }

  /// Writes the arms that have changed.
  static func write(_ arms: [Arm], before: [Arm], _ db: SQLConnection) throws {
    let statement = try SQLStatement(
      db, "INSERT OR REPLACE INTO _bandolier_arms VALUES (?1, ?2, ?3, ?4, ?5)")
    for (index, arm) in arms.enumerated() where index >= before.count || before[index] != arm {
      try statement.run(
        .integer(Int64(index)), .integer(Int64(arm.experiment)), .integer(Int64(arm.point)),
        .integer(Int64(arm.slot)), .integer(Int64(arm.variant)))
    }
  }

  static func names(_ db: SQLConnection) throws -> LogNames {
    let vocabularies = Dictionary(
      uniqueKeysWithValues: ReadModel.vocabularies.map { ($0.name, $0) })
    let rows = try db.rows(
      "SELECT vocabulary, code, name FROM _bandolier_names ORDER BY vocabulary, code", columns: 3)
    let kept = rows.compactMap { row -> LogNames.Kept? in
      guard let vocabulary = row[0].string.flatMap({ vocabularies[$0] }),
        let code = row[1].integer.flatMap({ UInt32(exactly: $0) }), let name = row[2].content
      else { return nil }
      return LogNames.Kept(vocabulary, code, name)
    }
    guard kept.count == rows.count,
      let names = LogNames(kept: kept, of: Set(ReadModel.vocabularies))
    else { throw StateError("the list of names is damaged") }
    return names
  }

  /// Writes the names with codes after the stored ones.
  static func write(_ names: LogNames, _ db: SQLConnection) throws {
    let last = try SQLStatement(
      db, "SELECT max(code) FROM _bandolier_names WHERE vocabulary = ?1")
    let insert = try SQLStatement(db, "INSERT INTO _bandolier_names VALUES (?1, ?2, ?3)")
    for vocabulary in ReadModel.vocabularies {
      var next: UInt32 = 0
      try last.forEachRow(.text(vocabulary.name)) { row in
        next = row.value(0).integer.flatMap { UInt32(exactly: $0 &+ 1) } ?? 0
        return false
      }
      for code in next..<max(next, names.codeLimit(vocabulary)) {
        guard let name = names.bytes(code, in: vocabulary) else { continue }
        try insert.run(.text(vocabulary.name), .integer(Int64(code)), .text(Array(name)))
      }
    }
  }
}
