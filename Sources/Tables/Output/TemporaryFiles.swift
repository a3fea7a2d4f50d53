import Glibc

/// The temporary files of one destination: `.NAME.PID.ATTEMPT.tmp` beside it.
///
/// Each is locked by whoever writes it, and the lock ends with its process. So a file of that name that can be locked was
/// left by a program that was killed, on whatever machine or in whatever container that program ran; a process number
/// would not say so. Where the file system knows no locks, nothing is ever removed.
struct TemporaryFiles {
  private let directory: String
  private let stem: String

  init(beside destination: String) {
    let (directory, name) = AtomicFile.Target.split(destination)
    self.directory = directory
    // Short enough for any file system that takes the name itself.
    stem = ".\(Self.prefix(name, bytes: 200))."
  }

  /// Makes a file that is locked, and so nobody else's to remove, before anyone can tell it from an abandoned one.
  func make() throws(SystemError) -> (descriptor: Int32, path: String) {
    for attempt in 0..<1_000 {
      let path = "\(directory)/\(stem)\(getpid()).\(attempt).tmp"
      do throws(SystemError) {
        let descriptor = try FileCalls.open(path, flags: O_WRONLY | O_CREAT | O_EXCL)
        FileCalls.lock(descriptor)
        // Between the two calls another program may have taken it for abandoned.
        if FileCalls.isFile(descriptor, at: path) { return (descriptor, path) }
        try? FileCalls.close(descriptor)
      } catch  where error.number == EEXIST {
        // Another file that is being written at this moment, or one that may not be removed.
        continue
      }
    }
    throw SystemError(number: EEXIST)
  }

  /// Removes the files of this destination that no process holds any more.
  func removeAbandoned() {
    for name in FileCalls.names(in: directory) where isOurs(name) {
      let path = "\(directory)/\(name)"
      guard let descriptor = FileCalls.openOwn(path) else { continue }
      defer { try? FileCalls.close(descriptor) }
      // What its writer has renamed meanwhile is not at the path any more.
      if FileCalls.lockIfFree(descriptor), FileCalls.isFile(descriptor, at: path) {
        FileCalls.remove(path)
      }
    }
  }

  /// Whether a name is one that ``make()`` gives.
  private func isOurs(_ name: String) -> Bool {
    guard name.hasPrefix(stem), name.hasSuffix(".tmp") else { return false }
    let numbers = name.dropFirst(stem.count).dropLast(4)
      .split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 2
      && numbers.allSatisfy { number in
        !number.isEmpty && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
  }

  private static func prefix(_ name: String, bytes: Int) -> String {
    var room = bytes
    return String(
      name.prefix {
        room -= $0.utf8.count
        return room >= 0
      })
  }
}

extension FileCalls {
  /// Waits for the lock of a file and takes it. Where the file system knows no locks there is none.
  static func lock(_ descriptor: Int32) {
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  /// Takes the lock of a file if nobody has it.
  static func lockIfFree(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// Whether a path leads to the open file.
  static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var (open, found) = (stat(), stat())
    // Safety: both outlive the calls; the path is a terminated copy for its call.
    guard unsafe fstat(descriptor, &open) == 0, unsafe lstat(path, &found) == 0 else {
      return false
    }
    return open.st_dev == found.st_dev && open.st_ino == found.st_ino
  }

  /// The names in a directory, as far as they can be read.
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

  /// Opens a regular file of this user's, to be locked; nil for anything else.
  static func openOwn(_ path: String) -> Int32? {
    let flags = O_NOFOLLOW | O_NONBLOCK
    // Some network file systems lock only what is open for writing.
    guard
      let descriptor = (try? open(path, flags: O_WRONLY | flags))
        ?? (try? open(path, flags: O_RDONLY | flags))
    else { return nil }
    var info = stat()
    // Safety: info outlives the call.
    if unsafe fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG,
      info.st_uid == geteuid()
    {
      return descriptor
    }
    try? close(descriptor)
    return nil
  }
}
