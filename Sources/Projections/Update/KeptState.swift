internal import Specifications

/// The stored state of a projection.
struct KeptState {
  static let schema = """
    CREATE TABLE _bandolier_projections (
      name TEXT PRIMARY KEY, version INTEGER NOT NULL, parameters TEXT NOT NULL,
      state BLOB NOT NULL) STRICT;
    """

  var name: String
  var version: Int64
  var parameters: String
  var state: [UInt8]

  static func all(_ db: SQLConnection) throws -> [KeptState] {
    try db.rows("SELECT name, version, parameters, state FROM _bandolier_projections ORDER BY name", columns: 4)
      .map { row in
        guard let name = row[0].string, let version = row[1].integer, let parameters = row[2].string,
          let state = row[3].content
        else { throw StateError("the list of projections is damaged") }
        return KeptState(name: name, version: version, parameters: parameters, state: state)
      }
  }

  static func find(_ name: String, _ db: SQLConnection) throws -> KeptState? {
    try all(db).first { $0.name == name }
  }

  static func write(_ projection: any KeptProjection, _ state: [UInt8], _ db: SQLConnection) throws {
    try db.run(
      "INSERT OR REPLACE INTO _bandolier_projections VALUES (?1, ?2, ?3, ?4)",
      .text(projection.name), .integer(projection.version), .text(projection.parameters),
      .bytes(state))
  }

  /// Whether a projection can continue from the state.
  func isCurrent(for projection: any KeptProjection) -> Bool {
    (name, version, parameters) == (projection.name, projection.version, projection.parameters)
  }

  /// Throws an error for a state of a newer version, which this one cannot update.
  func refuseNewer(than known: Int64?, path: String) throws {
    if let known, version <= known { return }
    throw ProjectionError(
      .newerVersion,
      "its projection \(name) is of version \(version), "
        + (known.map { "and this bandolier knows up to \($0)" }
          ?? "which this bandolier does not have")
        + "; use a newer one, or rebuild it with this one (--force)", path: path)
  }
}
