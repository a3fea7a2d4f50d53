import Platform

/// The system calls that output needs, with error numbers as typed errors and interrupted calls repeated.
package enum FileCalls {
  /// The kind of file that a path leads to.
  enum Kind: Equatable {
    case missing
    case danglingLink
    case regular(permissions: mode_t)
    case directory
    case blockDevice
    /// A pipe, a terminal, a socket, `/dev/null`: accepts bytes but cannot be replaced.
    case stream
  }

  static func kind(of path: String) throws(SystemError) -> Kind {
    var info = stat()
    // Safety: the path is a terminated copy for the call; info outlives it.
    if unsafe stat(path, &info) != 0 {
      let number = errno
      guard number == ENOENT else { throw SystemError(number: number) }
      // Safety: as above.
      return unsafe lstat(path, &info) == 0 ? .danglingLink : .missing
    }
    switch info.st_mode & S_IFMT {
    case S_IFREG: return .regular(permissions: info.st_mode & 0o777)
    case S_IFDIR: return .directory
    case S_IFBLK: return .blockDevice
    default: return .stream
    }
  }

  static func open(_ path: String, flags: Int32) throws(SystemError) -> Int32 {
    while true {
      // Safety: the path is a terminated copy for the call. 0666 is narrowed by the umask.
      let descriptor = unsafe Platform.open(path, flags | O_CLOEXEC | O_NOCTTY, 0o666)
      if descriptor >= 0 { return descriptor }
      let number = errno
      if number != EINTR { throw SystemError(number: number) }
    }
  }

  static func duplicate(_ descriptor: Int32) throws(SystemError) -> Int32 {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    if copy < 0 { throw SystemError(number: errno) }
    return copy
  }

  /// Sets the permissions of an open file unless it has them already.
  static func setPermissions(_ permissions: mode_t, of descriptor: Int32) throws(SystemError) {
    var info = stat()
    // Safety: info outlives the call.
    guard unsafe fstat(descriptor, &info) == 0 else { throw SystemError(number: errno) }
    // Skipped if it changes nothing, as some file systems refuse the call.
    if info.st_mode & 0o777 == permissions { return }
    guard fchmod(descriptor, permissions) == 0 else { throw SystemError(number: errno) }
  }

  /// Writes all bytes, repeating partial writes.
  package static func writeAll(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32
  ) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      // Safety: the pointer is used within the closure, for bytes that lie in the buffer.
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Platform.write(
          descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
      }
      let number = errno
      if count >= 0 {
        written += count
      } else if number == EAGAIN {
        waitUntilWritable(descriptor)
      } else if number != EINTR {
        throw SystemError(number: number)
      }
    }
  }

  /// Waits until a non-blocking terminal or pipe can be written.
  private static func waitUntilWritable(_ descriptor: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    // Safety: one request is passed and one is counted.
    _ = unsafe poll(&request, 1, -1)
  }

  static func sync(_ descriptor: Int32) throws(SystemError) {
    while fsync(descriptor) != 0 {
      let number = errno
      if number != EINTR { throw SystemError(number: number) }
    }
  }

  static func close(_ descriptor: Int32) throws(SystemError) {
    // Never repeated: after EINTR the descriptor is closed and its number may have been reused.
    if Platform.close(descriptor) != 0, errno != EINTR { throw SystemError(number: errno) }
  }

  static func remove(_ path: String) {
    // Safety: the path is a terminated copy for the call.
    _ = unsafe unlink(path)
  }

  /// Creates the entries of a directory durable, as far as its file system supports it.
  static func syncDirectory(_ path: String) throws(SystemError) {
    // A directory with write but no read permission cannot be opened; the file is complete anyway.
    guard let descriptor = try? open(path, flags: O_RDONLY | O_DIRECTORY) else { return }
    defer { _ = Platform.close(descriptor) }
    do throws(SystemError) {
      try sync(descriptor)
    } catch {
      // Some file systems do not support this and say so; they keep their entries durable in other ways.
      if error.number != EINVAL { throw error }
    }
  }

  /// Returns the path with its symbolic links followed, or the path itself if it cannot be resolved.
  static func resolved(_ path: String) -> String {
    // Safety: the call returns a terminated text that is ours to free, or null.
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// Renames a file, replacing any existing one.
  static func rename(_ from: String, to: String) throws(SystemError) {
    // Safety: both paths are terminated copies for the call.
    if unsafe Platform.rename(from, to) != 0 { throw SystemError(number: errno) }
  }

  /// Renames a file unless the new name exists; then, or in a race, fails with EEXIST.
  static func renameIfFree(_ from: String, to: String) throws(SystemError) {
    // A hard link never replaces anything.
    // Safety: both paths are terminated copies for the call.
    if unsafe link(from, to) == 0 { return remove(from) }
    let number = errno
    switch number {
    case EPERM, EOPNOTSUPP, ENOSYS, EMLINK: try claimAndRename(from, to: to)
    default: throw SystemError(number: number)
    }
  }

  /// Renames a file where the file system has no hard links: an empty file claims the name, and only that file is
  /// replaced.
  static func claimAndRename(_ from: String, to: String) throws(SystemError) {
    try close(try open(to, flags: O_WRONLY | O_CREAT | O_EXCL))
    do throws(SystemError) {
      try rename(from, to: to)
    } catch {
      remove(to)
      throw error
    }
  }
}
