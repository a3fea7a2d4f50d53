internal import Platform
internal import Tables

/// Copies database files.
enum FileCopy {
  /// Copies a file to a path that does not exist, readable by the current user only.
  ///
  /// - Returns: Whether all of it was copied.
  static func make(of path: String, at target: String) -> Bool {
    // Safety: the paths are terminated copies for the calls.
    let from = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard from >= 0 else { return false }
    defer { close(from) }
    let to = unsafe open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard to >= 0 else { return false }
    let isCopied = copy(from, to)
    return close(to) == 0 && isCopied
  }

  private static func copy(_ from: Int32, _ to: Int32) -> Bool {
    var block = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      // Safety: as many bytes are asked for as there is room for.
      let count = unsafe read(from, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 }
      guard (try? FileCalls.writeAll(block[..<count], to: to)) != nil else { return false }
    }
  }
}

/// The attributes by which a change of a file is detected.
struct FileStamp: Equatable {
  private let size: Int
  private let inode: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  /// Reads the stamp of a file; nil if there is none.
  init?(_ path: String) {
    var info = stat()
    // Safety: the path is a terminated copy for the call; info outlives it.
    guard unsafe stat(path, &info) == 0 else { return nil }
    (size, inode) = (Int(info.st_size), UInt64(info.st_ino))
    (seconds, nanoseconds) = (info.modificationTime.tv_sec, info.modificationTime.tv_nsec)
  }
}
