/// What the log needs of a file system. Everything that the log does to files goes through it, so that
/// tests can run the log on a disk that fails.
///
/// Paths are as the caller gave them. Errors have the system's own words and the path.
package protocol Disk: Sendable {
  /// Opens a file that is there for reading, or for reading and writing.
  func open(_ path: String, writable: Bool) throws(LogError) -> any DiskFile

  /// Makes a file that must not be there yet, open for reading and writing.
  func create(_ path: String) throws(LogError) -> any DiskFile

  /// Makes a file that must not be there yet, with the rights of another: whoever may read it may read the new one,
  /// and nobody else.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - models: The first of these files that is there has the rights; a folder has those of files that are made
  ///     in it.
  /// - Returns: The file, open for reading and writing.
  /// - Throws: ``LogError`` when it is there already, or cannot be made.
  func create(_ path: String, like models: [String]) throws(LogError) -> any DiskFile

  /// Makes a folder, if it is not there yet.
  func createFolder(_ path: String) throws(LogError)

  /// Makes a folder with the rights of another, if it is not there yet.
  func createFolder(_ path: String, like model: String) throws(LogError)

  /// The names in a folder, in ascending order of their bytes; nil when there is no such folder.
  func list(_ path: String) throws(LogError) -> [String]?

  /// Removes a file.
  func remove(_ path: String) throws(LogError)

  /// Gives a file another name in the same folder, replacing what had that name.
  func rename(_ path: String, to newPath: String) throws(LogError)

  /// Makes the names in a folder durable.
  func syncFolder(_ path: String) throws(LogError)

  /// Takes the lock at the path for this process, and writes who holds it into the file.
  ///
  /// - Throws: ``LogError/Code/locked`` with the holder's words when somebody else has it.
  func lock(_ path: String, holder: String) throws(LogError) -> any DiskLock
}

extension Disk {
  // Only a real disk has rights.
  package func create(
    _ path: String, like models: [String]
  ) throws(LogError) -> any DiskFile {
    try create(path)
  }

  package func createFolder(_ path: String, like model: String) throws(LogError) {
    try createFolder(path)
  }
}

/// An open file of a ``Disk``. It is closed when the last reference is gone.
package protocol DiskFile: AnyObject, Sendable {
  /// The path it was opened with.
  var path: String { get }

  /// How many bytes the file has now.
  func size() throws(LogError) -> UInt64

  /// Reads `count` bytes from an offset on, or as many as there are.
  func read(at offset: UInt64, count: Int) throws(LogError) -> [UInt8]

  /// Reads `count` bytes from an offset on, or as many as there are, to the front of a buffer, which is
  /// made longer when it is too short.
  ///
  /// - Returns: How many bytes were read.
  func read(
    at offset: UInt64, count: Int, into buffer: inout [UInt8]
  ) throws(LogError) -> Int

  /// Writes all bytes from an offset on.
  func write(_ bytes: [UInt8], at offset: UInt64) throws(LogError)

  /// Cuts the file to a number of bytes.
  func truncate(to size: UInt64) throws(LogError)

  /// Returns when everything written to the file is durable.
  func sync() throws(LogError)
}

extension DiskFile {
  package func read(
    at offset: UInt64, count: Int, into buffer: inout [UInt8]
  ) throws(LogError) -> Int {
    buffer = try read(at: offset, count: count)
    return buffer.count
  }
}

/// A lock that is held as long as there is a reference to it.
package protocol DiskLock: AnyObject, Sendable {}
