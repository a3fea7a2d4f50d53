internal import Platform

/// Tells versions of a file apart.
struct FileStamp: Sendable, Hashable {
  private let device: UInt64
  private let number: UInt64
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int
  // The time of the last change of its permissions too.
  private let changeSeconds: Int
  private let changeNanoseconds: Int

  fileprivate init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    size = Int64(status.st_size)
    seconds = status.modificationTime.tv_sec
    nanoseconds = status.modificationTime.tv_nsec
    changeSeconds = status.changeTime.tv_sec
    changeNanoseconds = status.changeTime.tv_nsec
  }

  /// The stamp of the file at a path; nil if there is none.
  init?(_ path: String) {
    var status = stat()
    // Safety: the call fills the value and keeps no pointer.
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

/// A small file that only its owner can read.
enum PrivateFile {
  /// The maximum size of a file.
  private static let sizeLimit = 1 << 20

  /// Reads a file.
  static func read(_ path: String) throws(KeyFileError) -> (bytes: [UInt8], stamp: FileStamp) {
    // Safety: the path outlives the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("cannot be opened", path) }
    defer { close(descriptor) }
    var status = stat()
    // Safety: the call fills the value and keeps no pointer.
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure("cannot be read", path) }
    guard status.st_mode & 0o077 == 0 else {
      throw KeyFileError(
        "others than its owner have access to it; run chmod 600 on it", path: path)
    }
    guard status.st_size <= sizeLimit else {
      throw KeyFileError("it is larger than \(sizeLimit) bytes", path: path)
    }
    return (try bytes(of: descriptor, path), FileStamp(status))
  }

  private static func bytes(of descriptor: Int32, _ path: String) throws(KeyFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4_096)
    while bytes.count <= sizeLimit {
      // Safety: no more is read than the block holds.
      let count = unsafe Platform.read(descriptor, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw failure("cannot be read", path) }
      if count == 0 { break }
      bytes += block[..<count]
    }
    return bytes
  }

  /// Replaces a file by what the closure returns, completely or not at all, durably.
  ///
  /// Two callers do not overwrite each other's changes: the second one is refused. The closure is told whether the file
  /// exists.
  static func replace(
    _ path: String, _ body: (_ exists: Bool) throws(KeyFileError) -> [UInt8]
  ) throws(KeyFileError) {
    let temporary = path + ".new"
    // Safety: the path outlives the call.
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      guard errno == EEXIST else { throw failure("cannot be created", temporary) }
      throw KeyFileError(
        .inputOutput,
        "it is being changed by another call; if there is none, remove \(temporary)", path: path)
    }
    do throws(KeyFileError) {
      try write(try body(FileStamp(path) != nil), to: descriptor, temporary)
      close(descriptor)
    } catch {
      close(descriptor)
      // Safety: the path outlives the call.
      _ = unsafe unlink(temporary)
      throw error
    }
    // Safety: the paths outlive the call.
    guard unsafe rename(temporary, path) == 0 else {
      let error = failure("cannot be replaced", path)
      _ = unsafe unlink(temporary)
      throw error
    }
    syncFolder(of: path)
  }

  private static func write(
    _ bytes: [UInt8], to descriptor: Int32, _ path: String
  ) throws(KeyFileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // Safety: no more is written than the slice has.
      let count = unsafe rest.withUnsafeBytes {
        unsafe Platform.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw failure("cannot be written", path) }
      rest = rest.dropFirst(count)
    }
    guard fsync(descriptor) == 0 else { throw failure("cannot be written", path) }
  }

  /// Makes the new name durable; where the file system cannot, the name is as durable as it allows.
  private static func syncFolder(of path: String) {
    let end = path.lastIndex(of: "/")
    let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    // Safety: the path outlives the call.
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }

  private static func failure(_ what: String, _ path: String) -> KeyFileError {
    let number = errno
    let reason = systemMessage(number)
    return KeyFileError(
      number == ENOENT ? .missing : .inputOutput, "it \(what): \(reason)", path: path)
  }
}
