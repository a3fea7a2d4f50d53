internal import Platform

/// A file that may still contain erased events, because erasing does not affect it.
package struct ErasureRemains: Hashable, Sendable, CustomStringConvertible {
  /// The reason why erasing does not affect a file.
  package enum Kind: Hashable, Sendable {
    /// A file of the log has other hard links: erasing replaces one of them.
    case hardLinks
    /// An SQLite database.
    case database
    /// Another file in the folder of the log.
    case other
  }

  /// The path of the file.
  package var path: String
  /// The reason why erasing does not affect it.
  package var kind: Kind

  /// `FILE (WHY)`.
  package var description: String {
    switch kind {
    case .hardLinks: "\(path) (it has other names too, under which it stays)"
    case .database: "\(path) (a database)"
    case .other: "\(path) (not a file of the log)"
    }
  }

  /// Returns such files in the folder of a log, and databases beside it, sorted by path. Backups, exports and
  /// databases elsewhere cannot be found.
  ///
  /// Call it before erasing: afterwards hard links have been replaced.
  ///
  /// - Parameter log: The folder of the log.
  /// - Returns: The files; empty if none are found.
  /// - Throws: ``LogError`` if the folder of the log cannot be read, or has a symbolic link, pipe, socket or device.
  package static func find(around log: String) throws(LogError) -> [ErasureRemains] {
    var found: [ErasureRemains] = []
    for name in try SystemDisk().list(log) ?? [] {
      let path = log + "/" + name
      if let kind = kind(ofFileInLog: path, name) {
        found.append(ErasureRemains(path: path, kind: kind))
      }
    }
    var trimmed = log[...]
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    let folder = trimmed.lastIndex(of: "/").map { String(trimmed[...$0]) } ?? "./"
    // The parent folder may not be accessible: then nothing can be found there.
    let beside = (try? SystemDisk(followsLinks: true).list(folder)) ?? []
    for name in beside where isDatabase(folder + name) {
      let path = folder == "./" ? name : folder + name
      found.append(ErasureRemains(path: path, kind: .database))
    }
    return found.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  private static func kind(ofFileInLog path: String, _ name: String) -> Kind? {
    var status = stat()
    // Safety: lstat reads the path up to its terminator, and writes the status.
    guard unsafe lstat(path, &status) == 0 else { return nil }
    if LogDirectory.isOfLog(name) {
      return status.st_mode & S_IFMT == S_IFREG && status.st_nlink > 1 ? .hardLinks : nil
    }
    return isDatabase(path) ? .database : .other
  }

  private static let databaseMagic = Array("SQLite format 3\0".utf8)

  private static func isDatabase(_ path: String) -> Bool {
    var status = stat()
    // Safety: stat reads the path up to its terminator, and writes the status. Opening a pipe would block.
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    let file = try? SystemDisk(followsLinks: true).open(path, writable: false)
    return (try? file?.read(at: 0, count: databaseMagic.count)) == databaseMagic
  }
}
