internal import Platform

/// A file of the real file system.
final class SystemFile: DiskFile {
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
      throw (FileKind(status.st_mode) ?? .device).error(path)
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
    guard synchronizeContent(descriptor) == 0 else {
      throw systemError(.inputOutput, "cannot make it durable", path)
    }
  }
}

final class SystemLock: DiskLock {
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
