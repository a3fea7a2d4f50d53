package import Specifications

/// An error of opening, updating or reading a database of read models.
public struct ProjectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error. More may be added.
  public enum Code: String, Sendable, CaseIterable {
    /// There is no database at the path.
    case notFound
    /// The file at the path is not an SQLite database.
    case notADatabase
    /// The file at the path is an SQLite database of another program.
    case foreignDatabase
    /// The database belongs to another log.
    case otherLog
    /// A newer version wrote the database.
    case newerVersion
    /// The database lacks what was requested, because an older version wrote it.
    case olderVersion
    /// The file is damaged.
    case damaged
    /// Another program is using the database.
    case busy
    /// The file cannot be created, or not opened for writing.
    case cannotCreate
    /// Reading or writing failed.
    case inputOutput
  }

  /// The kind of error.
  public var code: Code
  /// The fault and its remedy.
  public var message: String
  /// The path of the database.
  public var path: String

  /// Creates an error.
  init(_ code: Code, _ message: String, path: String) {
    self.code = code
    self.message = message
    self.path = path
  }

  /// The message, prefixed with the path.
  public var description: String { "\(path): \(message)" }

  static func damaged(_ reason: String, path: String) -> ProjectionError {
    ProjectionError(
      .damaged,
      "\(reason); remove it and run `bandolier replay` again, or rebuild it (--force): "
        + "everything in it comes from the log", path: path)
  }
}

extension ProjectionError: ExitCoded {
  package var exitCode: ExitCode {
    switch code {
    case .notFound: .inputMissing
    case .notADatabase, .foreignDatabase, .otherLog, .newerVersion, .olderVersion, .damaged:
      .badData
    case .busy: .locked
    case .cannotCreate: .cannotCreate
    case .inputOutput: .inputOutput
    }
  }
}
