/// The file system operations that the log needs. Every file access of the log goes through this protocol, so that
/// tests can run the log on a failing disk.
///
/// Paths are used as given by the caller. Errors carry the system's message and the path.
package protocol Disk: Sendable {
  /// Opens an existing file for reading, or for reading and writing.
  func open(_ path: String, writable: Bool) throws(LogError) -> any DiskFile

  /// Creates a file that must not exist yet, open for reading and writing.
  func create(_ path: String) throws(LogError) -> any DiskFile

  /// Creates a file that must not exist yet, with the permissions of another: whoever may read that one may read the
  /// new one, and nobody else.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - models: The first of these files that exists provides the permissions; a folder provides those of files
  ///     created in it.
  /// - Returns: The file, open for reading and writing.
  /// - Throws: ``LogError`` if it exists already, or cannot be created.
  func create(_ path: String, like models: [String]) throws(LogError) -> any DiskFile

  /// Creates a folder, unless it exists.
  func createFolder(_ path: String) throws(LogError)

  /// Creates a folder with the permissions of another, unless it exists.
  func createFolder(_ path: String, like model: String) throws(LogError)

  /// Returns the names in a folder, in ascending order of their bytes; nil if there is no such folder.
  func list(_ path: String) throws(LogError) -> [String]?

  /// Removes a file.
  func remove(_ path: String) throws(LogError)

  /// Renames a file within its folder, replacing any file of the new name.
  func rename(_ path: String, to newPath: String) throws(LogError)

  /// Makes the entries of a folder durable.
  func syncFolder(_ path: String) throws(LogError)

  /// Acquires the lock at the path for this process, and writes the holder's description into the file.
  ///
  /// - Throws: ``LogError/Code/locked`` with the holder's description if it is held already.
  func lock(_ path: String, holder: String) throws(LogError) -> any DiskLock

  /// Returns this disk with a folder held open: paths of files in it lead to this folder, also when it was moved and
  /// another is at its path.
  ///
  /// - Throws: ``LogError`` if it cannot be opened.
  func holding(_ folder: String) throws(LogError) -> any Disk

  /// This disk without a folder that is held open.
  var unheld: any Disk { get }
}

extension Disk {
  // Only folders of a real disk are moved by others.
  package func holding(_ folder: String) throws(LogError) -> any Disk { self }

  package var unheld: any Disk { self }

  // Only a real disk has permissions.
  package func create(
    _ path: String, like models: [String]
  ) throws(LogError) -> any DiskFile {
    try create(path)
  }

  package func createFolder(_ path: String, like model: String) throws(LogError) {
    try createFolder(path)
  }
}

extension Disk {
  /// Replaces a file in a folder, or creates it, atomically and durably.
  ///
  /// - Parameters:
  ///   - name: The name of the file. The new one is written beside it, with the suffix `.new`.
  ///   - folder: The folder.
  ///   - bytes: The contents of the new file.
  ///   - models: The files of which the first that exists provides the permissions, if there is no file of the name.
  /// - Throws: ``LogError`` if it cannot be written; the file is then unchanged.
  func replace(
    _ name: String, in folder: String, by bytes: [UInt8], like models: [String]
  ) throws(LogError) {
    let path = folder + "/" + name
    let new = path + SegmentRewriter.suffix
    if try (list(folder) ?? []).contains(name + SegmentRewriter.suffix) { try remove(new) }
    let file = try create(new, like: [path] + models)
    do throws(LogError) {
      try file.write(bytes, at: 0)
      try file.sync()
      try rename(new, to: path)
    } catch {
      try? remove(new)
      throw error
    }
    try syncFolder(folder)
  }
}

/// An open file of a ``Disk``. It is closed when the last reference is released.
package protocol DiskFile: AnyObject, Sendable {
  /// The path with which it was opened.
  var path: String { get }

  /// Returns the current size of the file in bytes.
  func size() throws(LogError) -> UInt64

  /// Reads up to `count` bytes at an offset.
  func read(at offset: UInt64, count: Int) throws(LogError) -> [UInt8]

  /// Reads up to `count` bytes at an offset into the front of a buffer, which grows if it is too short.
  ///
  /// - Returns: The number of bytes read.
  func read(
    at offset: UInt64, count: Int, into buffer: inout [UInt8]
  ) throws(LogError) -> Int

  /// Writes all bytes at an offset.
  func write(_ bytes: [UInt8], at offset: UInt64) throws(LogError)

  /// Truncates the file to a number of bytes.
  func truncate(to size: UInt64) throws(LogError)

  /// Flushes the file, and returns once everything written to it is durable.
  func sync() throws(LogError)

  /// - Throws: ``LogError/Code/inputOutput`` if its path no longer names this file: it was deleted, moved or replaced.
  func checkPath() throws(LogError)
}

extension DiskFile {
  // Only files of a real disk are changed by others.
  package func checkPath() throws(LogError) {}

  package func read(
    at offset: UInt64, count: Int, into buffer: inout [UInt8]
  ) throws(LogError) -> Int {
    buffer = try read(at: offset, count: count)
    return buffer.count
  }
}

/// A lock that is held as long as it is referenced.
package protocol DiskLock: AnyObject, Sendable {
  /// - Throws: ``LogError/Code/locked`` if the path no longer names the file that is locked, so that another process
  ///   may hold a lock of its own: the file was deleted or replaced, or its folder moved.
  func check() throws(LogError)
}

extension DiskLock {
  // Only files of a real disk are changed by others.
  package func check() throws(LogError) {}
}
