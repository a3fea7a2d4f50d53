internal import GRDB
internal import Statistics

extension ProjectionError {
  /// What an error of SQLite means for whoever ran a replay or a report.
  init(_ error: DatabaseError, path: String, isWriting: Bool) {
    let reason = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_NOTADB:
      self.init(
        .notADatabase,
        "not an SQLite database; name another file, or let this one be replaced (--force)",
        path: path)
    case .SQLITE_CORRUPT, .SQLITE_MISMATCH, .SQLITE_CONSTRAINT, .SQLITE_ERROR:
      self = .damaged("not as `bandolier replay` left it (\(reason))", path: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(
        .busy, "another program is at it (\(reason)); try again when it is done", path: path)
    case .SQLITE_READONLY where !isWriting, .SQLITE_CANTOPEN where !isWriting:
      self.init(
        .inputOutput,
        "cannot be read (\(reason)): a replay that was interrupted is rolled back by the next one that may write here",
        path: path)
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
      self.init(
        .cannotCreate,
        "cannot be written (\(reason)); choose another place or change its permissions", path: path)
    case .SQLITE_FULL:
      self.init(
        .inputOutput,
        "the disk is full (\(reason)); make room and run it again: the database is as it was before",
        path: path)
    default:
      self.init(
        .inputOutput,
        "\(reason); check the disk and run it again: the database is as it was before",
        path: path)
    }
  }

  /// Does something, and says what its errors mean.
  static func wrapping<Answer>(
    _ path: String, isWriting: Bool, _ body: () throws -> Answer
  ) throws -> Answer {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw ProjectionError(error, path: path, isWriting: isWriting)
    } catch let error as StateError {
      throw ProjectionError.damaged(error.description, path: path)
    }
  }
}
