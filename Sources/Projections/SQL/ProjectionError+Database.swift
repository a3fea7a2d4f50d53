internal import CSQLite
internal import Specifications

extension ProjectionError {
  /// Creates an error from an SQLite error of a replay or a report.
  init(_ error: SQLError, path: String, isWriting: Bool) {
    let reason = error.message
    switch error.code {
    case SQLITE_NOTADB:
      self.init(
        .notADatabase,
        "not an SQLite database; name another file, or let this one be replaced (--force)",
        path: path)
    case SQLITE_CORRUPT, SQLITE_MISMATCH, SQLITE_CONSTRAINT, SQLITE_ERROR:
      self = .damaged("not as `bandolier replay` left it (\(reason))", path: path)
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(
        .busy, "another program is using it (\(reason)); try again when it is done", path: path)
    case SQLITE_READONLY where !isWriting, SQLITE_CANTOPEN where !isWriting:
      self.init(
        .inputOutput,
        "cannot be read (\(reason)); check its permissions. If a replay was interrupted, run `bandolier replay` "
          + "again, or copy the database with the files -journal and -wal beside it to a folder that you may write to",
        path: path)
    case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
      self.init(
        .cannotCreate,
        "cannot be written (\(reason)); choose another place or change its permissions", path: path)
    case SQLITE_FULL:
      self.init(
        .inputOutput,
        "the disk is full (\(reason)); free some space and run it again: the database is as it was before",
        path: path)
    default:
      self.init(
        .inputOutput,
        "\(reason); check the disk and run it again: the database is as it was before",
        path: path)
    }
  }

  /// Creates an error that occurred after the commit: nothing is lost, and the next replay finishes the work.
  init(unfinished error: SQLError, path: String) {
    self.init(
      .inputOutput,
      "it is up to date, but a part of it is still in \(path)-wal, which belongs to it (\(error.message)); free some "
        + "space or check the disk, and run it again to leave one file", path: path)
  }

  /// Calls the closure and converts its errors.
  static func wrapping<Answer>(
    _ path: String, isWriting: Bool, _ body: () throws -> Answer
  ) throws -> Answer {
    do {
      return try body()
    } catch let error as SQLError {
      throw ProjectionError(error, path: path, isWriting: isWriting)
    } catch let error as StateError {
      throw ProjectionError.damaged(error.description, path: path)
    }
  }
}
