internal import Glibc

/// The real file system.
package struct SystemDisk: Disk {
  /// Whether a path may be a symbolic link. A log's files may not: a link would let others be written to.
  private let followsLinks: Bool

  /// Creates a disk for the file system of this machine.
  package init(followsLinks: Bool = false) { self.followsLinks = followsLinks }

  package func open(_ path: String, writable: Bool) throws(LogError) -> any DiskFile {
    // Without waiting for the other end of a pipe.
    let flags = O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW) | (writable ? O_RDWR : O_RDONLY)
    let descriptor = openDescriptor(path, flags)
    guard descriptor >= 0 else {
      guard errno != ELOOP else { throw linkError(path) }
      let isMissing = errno == ENOENT || errno == ENOTDIR
      throw systemError(isMissing ? .notFound : .inputOutput, "cannot open it", path)
    }
    return try SystemFile(regular: descriptor, path)
  }

  package func create(_ path: String) throws(LogError) -> any DiskFile {
    let descriptor = openDescriptor(path, O_RDWR | O_CREAT | O_EXCL)
    guard descriptor >= 0 else { throw systemError(.cannotCreate, "cannot create it", path) }
    return SystemFile(path: path, descriptor: descriptor)
  }

  package func create(
    _ path: String, like models: [String]
  ) throws(LogError) -> any DiskFile {
    guard let rights = models.lazy.compactMap({ FilePermissions(of: $0) }).first else {
      return try create(path)
    }
    let descriptor = openDescriptor(path, O_RDWR | O_CREAT | O_EXCL, mode: rights.modeWhenMade)
    guard descriptor >= 0 else { throw systemError(.cannotCreate, "cannot create it", path) }
    rights.apply(to: descriptor)
    return SystemFile(path: path, descriptor: descriptor)
  }

  package func createFolder(_ path: String, like model: String) throws(LogError) {
    let isThere = FilePermissions(of: path) != nil
    guard !isLink(path) else { throw linkError(path) }
    try createFolder(path)
    guard !isThere, let rights = FilePermissions(of: model) else { return }
    let descriptor = openDescriptor(path, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    rights.apply(to: descriptor, toFolder: true)
  }

  package func createFolder(_ path: String) throws(LogError) {
    // Safety: the C functions here and below read the path up to its terminator and keep no pointer.
    guard unsafe mkdir(path, 0o755) != 0, errno != EEXIST else { return }
    throw systemError(.cannotCreate, "cannot create the folder", path)
  }

  package func list(_ path: String) throws(LogError) -> [String]? {
    // Safety: the stream is used only here and closed on every path; each entry is read before the next call, as
    // readdir requires.
    guard let stream = unsafe opendir(path) else {
      if errno == ENOENT { return nil }
      throw systemError(errno == ENOTDIR ? .notALog : .inputOutput, "cannot list it", path)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    // The end and a failure differ only in the error number.
    guard errno == 0 else { throw systemError(.inputOutput, "cannot list it", path) }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  package func remove(_ path: String) throws(LogError) {
    // Safety: the path is a terminated copy for the call.
    guard unsafe unlink(path) == 0 else {
      throw systemError(.inputOutput, "cannot remove it", path)
    }
  }

  package func rename(_ path: String, to newPath: String) throws(LogError) {
    // Safety: both paths are terminated copies for the call.
    guard unsafe Glibc.rename(path, newPath) == 0 else {
      throw systemError(.inputOutput, "cannot rename it to \(newPath)", path)
    }
  }

  package func syncFolder(_ path: String) throws(LogError) {
    let descriptor = openDescriptor(path, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { throw systemError(.inputOutput, "cannot open it", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw systemError(.inputOutput, "cannot make its file names durable", path)
    }
  }

  package func lock(_ path: String, holder: String) throws(LogError) -> any DiskLock {
    let descriptor = openLock(path)
    guard descriptor >= 0 else {
      throw errno == ELOOP ? linkError(path) : systemError(.cannotCreate, "cannot create it", path)
    }
    let file = try SystemFile(regular: descriptor, path)
    guard retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
      guard errno == EWOULDBLOCK else { throw systemError(.inputOutput, "cannot lock it", path) }
      let words = String(decoding: try file.read(at: 0, count: 256), as: UTF8.self)
      throw LogError(
        .locked,
        "another writer holds the log (\(words.isEmpty ? "it left no name" : words)); "
          + "wait for it to end, then try again", path: path)
    }
    let lock = SystemLock(file: file)
    try lock.check()
    // The lock is what matters. On a full disk the holder's description is missing, but the lock is held.
    try? file.truncate(to: 0)
    try? file.write(Array(holder.utf8), at: 0)
    return lock
  }
}

extension SystemDisk {
  /// Opens a lock file, or creates it with the permissions of files in its folder.
  private func openLock(_ path: String) -> Int32 {
    let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK
    let existing = openDescriptor(path, flags)
    guard existing < 0, errno == ENOENT else { return existing }
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    guard let rights = FilePermissions(of: folder.joined(separator: "/") + "/") else {
      return openDescriptor(path, flags | O_CREAT)
    }
    let made = openDescriptor(path, O_RDWR | O_CREAT | O_EXCL, mode: rights.modeWhenMade)
    // Another process may have created it in between.
    guard made >= 0 else { return errno == EEXIST ? openDescriptor(path, flags) : made }
    rights.apply(to: made)
    return made
  }

  /// Returns whether the lock at the path is held.
  static func isLocked(_ path: String) -> Bool {
    let descriptor = openDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}

/// A file of the real file system.
private final class SystemFile: DiskFile {
  let path: String
  private let descriptor: Int32

  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Takes over a descriptor of a regular file.
  ///
  /// - Throws: ``LogError/Code/notALog`` if it is of anything else, and closes it.
  convenience init(regular descriptor: Int32, _ path: String) throws(LogError) {
    var status = stat()
    // Safety: fstat writes the status.
    let isRegular = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    self.init(path: path, descriptor: descriptor)
    guard isRegular else {
      throw LogError(
        .notALog, "it is not a regular file but a folder, pipe or device; move it elsewhere",
        path: path)
    }
  }

  /// Whether the path still names this file.
  var isInPlace: Bool {
    var (own, named) = (stat(), stat())
    // Safety: both calls write the status, and read the path up to its terminator.
    return unsafe fstat(descriptor, &own) == 0 && lstat(path, &named) == 0
      && own.st_ino == named.st_ino && own.st_dev == named.st_dev
  }

  func checkPath() throws(LogError) {
    guard isInPlace else {
      throw LogError(
        .inputOutput,
        "it was deleted, moved or replaced while it was being written; put it back and open the log again",
        path: path)
    }
  }

  /// Releases a lock on the file, whoever has a copy of its descriptor.
  func unlock() { _ = flock(descriptor, LOCK_UN) }

  deinit {
    close(descriptor)
  }

  func size() throws(LogError) -> UInt64 {
    var status = stat()
    // Safety: status outlives the call, which writes nothing else.
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw systemError(.inputOutput, "cannot read its size", path)
    }
    return UInt64(status.st_size)
  }

  func read(at offset: UInt64, count: Int) throws(LogError) -> [UInt8] {
    var failure: Int32 = 0
    // Safety: the buffer has room for `count` bytes.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      unsafe done = fill(UnsafeMutableRawBufferPointer(buffer), count, at: offset, &failure)
    }
    try check(failure, offset, count)
    return bytes
  }

  func read(
    at offset: UInt64, count: Int, into buffer: inout [UInt8]
  ) throws(LogError) -> Int {
    if buffer.count < count { buffer.resize(to: count) }
    var failure: Int32 = 0
    // Safety: the buffer has at least `count` bytes.
    let done = unsafe buffer.withUnsafeMutableBytes {
      unsafe fill($0, count, at: offset, &failure)
    }
    try check(failure, offset, count)
    return done
  }

  private func fill(
    _ buffer: UnsafeMutableRawBufferPointer, _ count: Int, at offset: UInt64,
    _ failure: inout Int32
  ) -> Int {
    var done = 0
    while done < count, let base = buffer.baseAddress {
      // Safety: pread writes at most `count - done` bytes after `done`, within the buffer.
      let got = unsafe pread(descriptor, base + done, count - done, off_t(offset) + done)
      if got < 0, errno == EINTR { continue }
      if got < 0 { failure = errno }
      if got <= 0 { break }
      done += got
    }
    return done
  }

  private func check(_ failure: Int32, _ offset: UInt64, _ count: Int) throws(LogError) {
    guard failure == 0 else {
      errno = failure
      throw systemError(.inputOutput, "cannot read \(count) bytes at byte \(offset)", path)
    }
  }

  func write(_ bytes: [UInt8], at offset: UInt64) throws(LogError) {
    // Safety: pwrite reads at most `count - done` bytes after `done`, within the buffer.
    let failure = unsafe bytes.withUnsafeBytes { buffer -> Int32 in
      var done = 0
      while done < buffer.count, let base = buffer.baseAddress {
        let put = unsafe pwrite(descriptor, base + done, buffer.count - done, off_t(offset) + done)
        if put < 0, errno == EINTR { continue }
        if put < 0 { return errno }
        done += put
      }
      return 0
    }
    guard failure == 0 else {
      errno = failure
      throw systemError(.inputOutput, "cannot write \(bytes.count) bytes at byte \(offset)", path)
    }
  }

  func truncate(to size: UInt64) throws(LogError) {
    guard retrying({ ftruncate(descriptor, off_t(size)) }) == 0 else {
      throw systemError(.inputOutput, "cannot cut it to \(size) bytes", path)
    }
  }

  func sync() throws(LogError) {
    // A failed sync is never retried: the kernel may have dropped the pages, and a second call that succeeds would say
    // nothing about them (A. Rebello et al., "Can Applications Recover from fsync Failures?", USENIX ATC 2020).
    guard fdatasync(descriptor) == 0 else {
      throw systemError(.inputOutput, "cannot make it durable", path)
    }
  }
}

private final class SystemLock: DiskLock {
  private let file: SystemFile

  init(file: SystemFile) {
    self.file = file
  }

  func check() throws(LogError) {
    guard file.isInPlace else {
      throw LogError(
        .locked,
        "the lock was deleted or replaced, or the log's folder moved, so another writer may have the log; open the "
          + "log again, at the place where it is now", path: file.path)
    }
  }

  /// Clears the holder's description and releases the lock. Closing the file would not release it while a process that
  /// is just being started has a copy of its descriptor.
  deinit {
    try? file.truncate(to: 0)
    file.unlock()
  }
}

private func openDescriptor(_ path: String, _ flags: Int32, mode: mode_t = 0o644) -> Int32 {
  // Safety: open reads the path up to its terminator and keeps no pointer.
  retrying { unsafe open(path, flags | O_CLOEXEC, mode) }
}

/// Returns whether a path names a symbolic link.
private func isLink(_ path: String) -> Bool {
  var status = stat()
  // Safety: lstat reads the path up to its end, and writes the status.
  return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}

private func linkError(_ path: String) -> LogError {
  LogError(
    .notALog, "it is a symbolic link, which a log's files cannot be; replace it by the file itself",
    path: path)
}

private func retrying(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

private func systemError(_ code: LogError.Code, _ doing: String, _ path: String) -> LogError {
  let number = errno
  // Safety: strerror returns a text that lives until the next call on this thread; it is copied here.
  let words = unsafe String(cString: strerror(number))
  let remedy =
    switch number {
    case ENOSPC, EDQUOT: "; free some space and try again"
    case EACCES, EPERM, EROFS: "; check who may write there"
    case EFBIG: "; the limit on the size of files is too low: raise it (ulimit -f)"
    case ENOENT where code == .cannotCreate: "; make the folder above it first (mkdir -p)"
    case ENOTDIR: "; name the folder of a log"
    case EMFILE, ENFILE: "; raise the limit on open files (ulimit -n)"
    case EIO: "; check the device"
    default: ""
    }
  return LogError(code, "\(doing): \(words)\(remedy)", path: path)
}
