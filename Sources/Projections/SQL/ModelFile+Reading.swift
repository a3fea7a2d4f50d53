internal import CSQLite
internal import EventLog
internal import Platform

extension ModelFile {
  /// Opens a database for reading, even one whose replay was killed: uncommitted changes are rolled back, committed
  /// ones are kept.
  ///
  /// SQLite has to write for that. Without permission, a copy in the temporary directory is read, which is unlinked
  /// before this method returns.
  static func forReading(_ path: String) throws -> ModelFile {
    do {
      return try ModelFile(path, readonly: true)
    } catch {
      guard isUnfinished(error), hasRest(resolved(path)) else { throw error }
      return try (try? recovered(path)) ?? copied(resolved(path), because: error)
    }
  }

  /// Returns whether an error means that SQLite has to write before anything can be read.
  private static func isUnfinished(_ error: SQLError) -> Bool {
    [SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_PERM].contains(error.code)
  }

  /// The suffixes of SQLite's files beside a database during writes and after a crash.
  private static let rests = ["-journal", "-wal"]

  private static func hasRest(_ path: String) -> Bool {
    rests.contains { FileStamp(path + $0) != nil }
  }

  /// Opens the database for writing to roll it back to its last commit, if permitted.
  private static func recovered(_ path: String) throws -> ModelFile {
    guard FileStamp(path) != nil else { throw SQLError(SQLITE_CANTOPEN) }
    try ModelFile(path, readonly: false).db.close()
    return try ModelFile(path, readonly: true)
  }

  // MARK: Where nothing may be written

  private static func copied(_ path: String, because error: SQLError) throws -> ModelFile {
    // Safety: the call fills in the name in the array, which is terminated.
    var name = Array((TemporaryFile.folder + "/bandolier-XXXXXX").utf8CString)
    guard unsafe mkdtemp(&name) != nil else { throw error }
    let folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let copy = folder + "/model"
    defer {
      for suffix in ["", "-shm"] + rests { _ = unsafe unlink(copy + suffix) }
      _ = unsafe rmdir(folder)
    }
    let suffixes = [""] + rests
    let before = suffixes.map { FileStamp(path + $0) }
    for suffix in suffixes where FileStamp(path + suffix) != nil {
      guard FileCopy.make(of: path + suffix, at: copy + suffix) else { throw error }
    }
    guard before == suffixes.map({ FileStamp(path + $0) }) else {
      throw SQLError(SQLITE_BUSY, message: "it is being written at this moment")
    }
    let file = try ModelFile(copy, readonly: false)
    // One file, whose name is no longer needed.
    _ = try file.db.value("PRAGMA journal_mode = DELETE")
    return file
  }

  /// Returns the path with its symbolic links followed, beside which SQLite keeps its files.
  static func resolved(_ path: String) -> String {
    // Safety: the call returns a terminated text that is ours to free, or null.
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
