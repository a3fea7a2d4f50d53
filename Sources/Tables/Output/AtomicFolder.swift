import Platform

/// A folder that appears complete or not at all.
///
/// Files are written into a temporary folder beside the target, which ``commit()`` makes durable and renames. Until
/// then the target is unchanged; if anything fails, the temporary folder is removed. An empty folder at the target is
/// replaced. With `force` another one is replaced too, if the caller agrees to what is in it. Temporary folders that
/// killed programs left for the same target are removed.
package final class AtomicFolder {
  /// The path as given.
  package let path: String

  /// The path of the temporary folder, to write files into.
  package let temporaryPath: String

  private let destination: String
  private let isReplacing: Bool
  private var descriptor: Int32?

  /// Creates the temporary folder.
  ///
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - force: Whether a folder that is not empty is replaced.
  ///   - mayReplace: Throws an error if a folder must not be replaced, given its path, and the paths in it of all
  ///     files in it and in the folders below.
  /// - Throws: ``OutputError`` with ``OutputError/Code/exists`` if there is a file, or a folder that is not empty and
  ///   `force` is false, ``OutputError/Code/cannotCreate`` if it cannot be created; what the closure throws.
  package init(
    path: String, force: Bool = false,
    mayReplace: (_ path: String, _ files: [String]) throws -> Void = { _, _ in }
  ) throws {
    var destination = path
    while destination.utf8.count > 1, destination.hasSuffix("/") { destination.removeLast() }
    guard !path.isEmpty, !path.utf8.contains(0), !["/", ".", ".."].contains(destination) else {
      throw OutputError(
        .cannotCreate,
        "\"\(TerminalText.escaped(path))\" is not the name of a folder to create; give another")
    }
    self.path = path
    isReplacing = try Self.isReplaced(destination, path: path, force: force)
    if isReplacing { try mayReplace(destination, FileCalls.files(below: destination)) }
    self.destination = isReplacing ? FileCalls.resolved(destination) : destination
    do throws(SystemError) {
      let folders = TemporaryFolders(beside: self.destination)
      folders.removeAbandoned()
      (descriptor, temporaryPath) = try folders.make()
    } catch {
      throw OutputError.cannotCreate(path, error)
    }
  }

  deinit { abandon() }

  /// Returns whether there is a folder to be replaced.
  private static func isReplaced(
    _ destination: String, path: String, force: Bool
  ) throws(OutputError) -> Bool {
    let kind: FileCalls.Kind
    do throws(SystemError) {
      kind = try FileCalls.kind(of: destination)
    } catch {
      throw .cannotCreate(path, error)
    }
    switch kind {
    case .missing: return false
    case .directory where FileCalls.names(in: destination).allSatisfy { [".", ".."].contains($0) }:
      return false
    case .directory where force: return true
    case .directory:
      throw OutputError(
        .exists, "the folder \(TerminalText.escaped(path)) exists; give --force to replace it",
        systemError: EEXIST)
    default:
      throw OutputError(
        .exists, "\(TerminalText.escaped(path)) is a file; give the name of a folder",
        systemError: EEXIST)
    }
  }

  /// Writes a file of the folder.
  ///
  /// - Parameters:
  ///   - bytes: The contents.
  ///   - name: The path in the folder; the folders on the way are created.
  /// - Throws: ``OutputError``.
  package func write(_ bytes: [UInt8], to name: String) throws(OutputError) {
    do throws(SystemError) {
      for slash in name.indices where name[slash] == "/" {
        try FileCalls.makeFolder("\(temporaryPath)/\(name[..<slash])", isNew: false)
      }
      let file = try FileCalls.open(
        "\(temporaryPath)/\(name)", flags: O_WRONLY | O_CREAT | O_EXCL)
      defer { try? FileCalls.close(file) }
      try FileCalls.writeAll(bytes[...], to: file)
      try FileCalls.sync(file)
    } catch {
      throw .failed("\(path)/\(name)", error)
    }
  }

  /// Makes the folder durable and renames it to its target.
  ///
  /// - Throws: ``OutputError`` with ``OutputError/Code/exists`` if another program has created one of that name
  ///   meanwhile, ``OutputError/Code/ioError`` for anything else.
  package func commit() throws(OutputError) {
    guard let descriptor else {
      throw OutputError(
        .ioError, "\(TerminalText.escaped(path)) is already committed or abandoned")
    }
    defer { abandon() }
    do throws(SystemError) {
      try FileCalls.sync(descriptor)
      if isReplacing {
        let replaced = TemporaryFolders(beside: destination).replaced
        try FileCalls.replace(destination, by: temporaryPath, keeping: replaced)
        FileCalls.removeFolder(replaced)
      } else {
        try FileCalls.rename(temporaryPath, to: destination)
      }
      try FileCalls.syncDirectory(AtomicFile.Target.split(destination).directory)
    } catch {
      if [ENOTEMPTY, EEXIST, ENOTDIR].contains(error.number) { throw .exists(path) }
      throw .failed(path, error)
    }
  }

  /// Removes the temporary folder. Has no effect after ``commit()``.
  package func abandon() {
    guard let descriptor else { return }
    self.descriptor = nil
    FileCalls.removeFolder(temporaryPath)
    try? FileCalls.close(descriptor)
  }
}
