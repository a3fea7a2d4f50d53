internal import Platform

/// Replaces an unusable database atomically, once the new one is complete.
struct ModelReplacement {
  /// The path as given by the user, for messages.
  private let path: String
  /// The path of the database to replace.
  private let target: String
  /// The temporary path of the new database.
  private let temporary: String

  init(_ path: String) {
    self.path = path
    target = ModelFile.resolved(path)
    temporary = target + "-new"
  }

  /// Creates the database with the permissions of the old one, and renames it.
  ///
  /// - Parameter body: Creates a database at a path.
  /// - Returns: The result of the closure.
  /// - Throws: Errors of the closure; ``ProjectionError``. The old database is then unchanged.
  func make<Answer>(_ body: (String) throws -> Answer) throws -> Answer {
    // Safety: the path is a terminated copy for the call.
    let old = unsafe open(target, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard old >= 0 else { throw failure(.cannotCreate, "cannot be replaced", errno) }
    defer { close(old) }
    guard flock(old, LOCK_EX | LOCK_NB) == 0 else {
      throw ProjectionError(
        .busy, "another program is replacing it; try again when it is done", path: path)
    }
    // The rest of a replay that was killed at this point.
    Self.remove(temporary)
    do {
      try create(like: old)
      let answer = try body(temporary)
      try rename()
      return answer
    } catch {
      Self.remove(temporary)
      throw error
    }
  }

  /// Creates an empty file, which SQLite treats as a database without tables.
  private func create(like old: Int32) throws {
    var info = stat()
    // Safety: info outlives the call.
    guard unsafe fstat(old, &info) == 0 else {
      throw failure(.cannotCreate, "cannot be read", errno)
    }
    // Safety: the path is a terminated copy for the call.
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(.cannotCreate, "cannot be replaced", errno) }
    defer { close(descriptor) }
    guard fchmod(descriptor, info.st_mode & 0o777) == 0 else {
      throw failure(.cannotCreate, "cannot be given its permissions", errno)
    }
  }

  private func rename() throws {
    // The journal, which would be played back into the next file of that name, goes first.
    // Safety: the path is a terminated copy for each call.
    for suffix in ["-wal", "-journal", "-shm"] { _ = unsafe unlink(target + suffix) }
    // Safety: both paths are terminated copies for the call.
    guard unsafe Platform.rename(temporary, target) == 0 else {
      throw failure(.inputOutput, "cannot be replaced", errno)
    }
    let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? "."
    // Safety: as above. A folder that cannot be opened has the file all the same.
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw failure(.inputOutput, "is new, but may not survive a power cut", errno)
    }
  }

  private func failure(
    _ code: ProjectionError.Code, _ what: String, _ number: Int32
  ) -> ProjectionError {
    let reason = systemMessage(number)
    return ProjectionError(
      code, "\(what) (\(reason)); check the disk and the permissions, and run it again", path: path)
  }

  private static func remove(_ path: String) {
    // Safety: the paths are terminated copies for the calls.
    for suffix in ["-wal", "-journal", "-shm", ""] { _ = unsafe unlink(path + suffix) }
  }
}
