/// Why a database of read models could not be opened, brought up to date or read.
public struct ProjectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What sort of trouble it is. More may be added.
  public enum Code: String, Sendable, CaseIterable {
    /// There is no database at the path.
    case notFound
    /// What is at the path is not an SQLite database.
    case notADatabase
    /// What is at the path is an SQLite database of somebody else.
    case foreignDatabase
    /// The database is of another log.
    case otherLog
    /// A newer version wrote the database.
    case newerVersion
    /// The database does not have what is asked for, because an older version wrote it.
    case olderVersion
    /// The file is not what was written.
    case damaged
    /// Another program is at the database.
    case busy
    /// The file cannot be made, or not be opened for writing.
    case cannotCreate
    /// Reading or writing failed.
    case inputOutput
  }

  /// What sort of trouble it is.
  public var code: Code
  /// What went wrong, and how to mend it.
  public var message: String
  /// The database.
  public var path: String

  /// Makes an error.
  init(_ code: Code, _ message: String, path: String) {
    self.code = code
    self.message = message
    self.path = path
  }

  /// The message with the path in front.
  public var description: String { "\(path): \(message)" }

  static func damaged(_ reason: String, path: String) -> ProjectionError {
    ProjectionError(
      .damaged,
      "\(reason); remove it and run `bandolier replay` again, or let it be made anew (--force): "
        + "everything in it comes from the log", path: path)
  }
}
