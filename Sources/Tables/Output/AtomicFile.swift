import Platform

/// A file that is written completely or not at all.
///
/// Bytes are written to a temporary file in the same directory, which ``commit()`` makes durable and renames to the
/// target. Until then the target is unchanged; if anything fails, the temporary file is removed. Without `force` an
/// existing file is never replaced, not even one that another program creates meanwhile. With `force` symbolic links
/// are followed and the permissions of the replaced file are kept. Temporary files that killed programs left for the
/// same target are removed.
///
/// Targets that cannot be replaced (a named pipe, a terminal, `/dev/null`, `/dev/stdout`) are written directly; a
/// block device only with `force`. Opening a named pipe waits for its reader.
public final class AtomicFile: ByteSink {
  /// The path as given.
  public let path: String

  /// The path of the temporary file; nil if the target is written directly.
  public let temporaryPath: String?

  private let destination: String
  private let force: Bool
  private var descriptor: Int32?

  /// Opens a file for output.
  ///
  /// - Throws: ``OutputError`` with ``OutputError/Code/exists`` if the file exists and `force` is false,
  ///   ``OutputError/Code/cannotCreate`` if it cannot be created.
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

  /// Writes all bytes. After an error the file is abandoned.
  ///
  /// - Throws: ``OutputError`` with ``OutputError/Code/ioError`` or
  ///   ``OutputError/Code/brokenPipe``.
  public func append(_ bytes: [UInt8]) throws(OutputError) {
    let descriptor = try openDescriptor()
    do throws(SystemError) {
      try FileCalls.writeAll(bytes[...], to: descriptor)
    } catch {
      abandon()
      throw .failed(path, error)
    }
  }

  /// Creates the file durable and renames it to its target. After an error the file is abandoned, unless only its
  /// directory could not be made durable: then the file is in place, but may not survive a power cut.
  ///
  /// - Throws: ``OutputError`` with ``OutputError/Code/exists`` if another program has created a file of that name
  ///   and `force` is false, ``OutputError/Code/ioError`` for anything else.
  public func commit() throws(OutputError) {
    let descriptor = try openDescriptor()
    defer { abandon() }
    // close reports errors; the lock of the temporary file must be held until it is renamed.
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

  /// Closes and removes the temporary file. Has no effect after ``commit()``.
  public func abandon() {
    guard let descriptor else { return }
    self.descriptor = nil
    try? FileCalls.close(descriptor)
    removeTemporary()
  }

  /// Writes a whole file at once.
  ///
  /// - Throws: ``OutputError``; the target is then unchanged.
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
