import Platform

/// The temporary files of one destination: `.NAME.PID.ATTEMPT.tmp` beside it.
///
/// The writer of a file holds a lock on it, which ends with its process. A file of that name that can be locked was
/// therefore left by a killed program, on whatever machine or in whatever container it ran; a process number would
/// not tell. Where the file system has no locks, no file is removed.
struct TemporaryFiles {
  private let names: TemporaryNames

  init(beside destination: String) { names = TemporaryNames(beside: destination) }

  /// Creates a file and locks it.
  func make() throws(SystemError) -> (descriptor: Int32, path: String) {
    try names.make { (path) throws(SystemError) in
      try FileCalls.open(path, flags: O_WRONLY | O_CREAT | O_EXCL)
    }
  }

  /// Removes the files of this destination that no process has locked.
  func removeAbandoned() { names.removeAbandoned(FileCalls.openOwn) { FileCalls.remove($0) } }
}

extension FileCalls {
  /// Waits for the lock of a file and takes it; does nothing where the file system has no locks.
  static func lock(_ descriptor: Int32) {
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  /// Takes the lock of a file if it is free.
  static func lockIfFree(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// Returns whether a path leads to the open file.
  static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var (open, found) = (stat(), stat())
    // Safety: both outlive the calls; the path is a terminated copy for its call.
    guard unsafe fstat(descriptor, &open) == 0, unsafe lstat(path, &found) == 0 else {
      return false
    }
    return open.st_dev == found.st_dev && open.st_ino == found.st_ino
  }

  /// Returns the names in a directory, as far as they can be read.
  static func names(in directory: String) -> [String] {
    // Safety: the stream is used only here and closed at the end; each entry is read before the next call.
    guard let stream = unsafe opendir(directory) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      names.append(
        unsafe withUnsafePointer(to: &entry.pointee.d_name) {
          unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        })
    }
    return names
  }

  /// Opens a regular file of the current user for locking; nil for anything else.
  static func openOwn(_ path: String) -> Int32? {
    let flags = O_NOFOLLOW | O_NONBLOCK
    // Some network file systems lock only files that are open for writing.
    return openOwn(path, flags: O_WRONLY | flags, S_IFREG)
      ?? openOwn(path, flags: O_RDONLY | flags, S_IFREG)
  }

  /// Opens a file or folder of the current user; nil for anything else.
  static func openOwn(_ path: String, flags: Int32, _ type: mode_t) -> Int32? {
    guard let descriptor = try? open(path, flags: flags) else { return nil }
    var info = stat()
    // Safety: info outlives the call.
    if unsafe fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == type,
      info.st_uid == geteuid()
    {
      return descriptor
    }
    try? close(descriptor)
    return nil
  }
}
