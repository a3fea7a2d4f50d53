import Glibc

/// A file that appears whole or not at all.
///
/// Bytes go to a temporary file in the same directory, which takes the name of the target only in
/// ``commit()``, after it is on disk; whatever happens before, the target stays what it was and the
/// temporary file is removed. Without `force` nothing is ever replaced, not even a file that
/// another program makes meanwhile. With `force` a symbolic link is followed and the permissions of
/// the replaced file are kept. What programs that were killed left of earlier attempts at the same target is removed.
///
/// What cannot be replaced (a named pipe, a terminal, `/dev/null`, `/dev/stdout`) is written
/// directly; a block device only with `force`. Opening a named pipe waits for its reader.
public final class AtomicFile: ByteSink {
  /// The path as it was given.
  public let path: String

  /// The file that takes the bytes until it is renamed; nil when the target is written directly.
  public let temporaryPath: String?

  private let destination: String
  private let force: Bool
  private var descriptor: Int32?

  /// Opens a file for output.
  ///
  /// - Throws: ``OutputError`` with ``OutputError/Code/exists`` when the file is there and `force`
  ///   is false, ``OutputError/Code/cannotCreate`` when it cannot be made.
  public init(path: String, force: Bool = false) throws(OutputError) {
    let target = try Target(path: path, force: force)
    self.path = path
    self.force = force
    destination = target.destination
    switch target.kind {
    case .direct(let descriptor):
      self.descriptor = descriptor
      temporaryPath = nil
    case .replaceable(let permissions):
      let (descriptor, temporary) = try target.openTemporary(permissions: permissions)
      self.descriptor = descriptor
      temporaryPath = temporary
    }
  }

  deinit { abandon() }

  /// Writes all the bytes. After an error the file is abandoned.
  ///
  /// - Throws: ``OutputError`` with ``OutputError/Code/ioError`` or
  ///   ``OutputError/Code/brokenPipe``.
  public func append(_ bytes: [UInt8]) throws(OutputError) {
    let descriptor = try openDescriptor()
    do throws(SystemError) {
      try FileCalls.writeAll(bytes, to: descriptor)
    } catch {
      abandon()
      throw .failed(path, error)
    }
  }

  /// Makes the file durable and gives it its name. After an error the file is abandoned, except
  /// when its directory cannot be made durable: then it is in its place, but may not survive a
  /// power cut.
  ///
  /// - Throws: ``OutputError`` with ``OutputError/Code/exists`` when a file of that name has come
  ///   up meanwhile and `force` is false, ``OutputError/Code/ioError`` for anything else.
  public func commit() throws(OutputError) {
    let descriptor = try openDescriptor()
    defer { abandon() }
    // Closing tells of errors; the lock of the temporary file must not end before it has its name.
    let lock = temporaryPath == nil ? nil : try? FileCalls.duplicate(descriptor)
    defer { if let lock { try? FileCalls.close(lock) } }
    do throws(SystemError) {
      if temporaryPath != nil { try FileCalls.sync(descriptor) }
      self.descriptor = nil
      try FileCalls.close(descriptor)
    } catch {
      removeTemporary()
      throw .failed(path, error)
    }
    guard let temporaryPath else { return }
    try rename(temporaryPath)
    do throws(SystemError) {
      try FileCalls.syncDirectory(Target.split(destination).directory)
    } catch {
      throw .failed(path, error)
    }
  }

  /// Gives up: closes and removes the temporary file. Does nothing after ``commit()``.
  public func abandon() {
    guard let descriptor else { return }
    self.descriptor = nil
    try? FileCalls.close(descriptor)
    removeTemporary()
  }

  /// Writes a whole file at once.
  ///
  /// - Throws: ``OutputError``; the target is then what it was.
  public static func write(
    _ bytes: [UInt8], to path: String, force: Bool = false
  ) throws(OutputError) {
    let file = try AtomicFile(path: path, force: force)
    try file.append(bytes)
    try file.commit()
  }

  private func rename(_ temporary: String) throws(OutputError) {
    do throws(SystemError) {
      if force {
        try FileCalls.rename(temporary, to: destination)
      } else {
        try FileCalls.renameIfFree(temporary, to: destination)
      }
    } catch {
      removeTemporary()
      if error.number == EEXIST { throw .exists(path) }
      throw .failed(path, error)
    }
  }

  private func removeTemporary() {
    if let temporaryPath { FileCalls.remove(temporaryPath) }
  }

  private func openDescriptor() throws(OutputError) -> Int32 {
    guard let descriptor else {
      let shown = TerminalText.escaped(path)
      throw OutputError(
        .ioError, "\(shown) is already committed or abandoned; open it again to write more")
    }
    return descriptor
  }
}
