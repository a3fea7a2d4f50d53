import Platform

/// The temporary folders of one destination, named and locked like ``TemporaryFiles``.
struct TemporaryFolders {
  private let names: TemporaryNames

  init(beside destination: String) { names = TemporaryNames(beside: destination) }

  /// Creates a folder and locks it.
  func make() throws(SystemError) -> (descriptor: Int32, path: String) {
    try names.make { (path) throws(SystemError) in
      try FileCalls.makeFolder(path, isNew: true)
      return try FileCalls.open(path, flags: Self.flags)
    }
  }

  /// The name that a replaced folder has until it is removed.
  var replaced: String { names.path(1_000) }

  /// Removes the folders of this destination that no process has locked.
  func removeAbandoned() {
    names.removeAbandoned {
      FileCalls.openOwn($0, flags: Self.flags, S_IFDIR)
    } _: {
      FileCalls.removeFolder($0)
    }
  }

  private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
}

extension FileCalls {
  /// Creates a folder.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - isNew: Whether it is an error if there is one already.
  /// - Throws: ``SystemError`` if the system refuses.
  static func makeFolder(_ path: String, isNew: Bool) throws(SystemError) {
    // Safety: the path is a terminated copy for the call. 0777 is narrowed by the umask.
    guard unsafe mkdir(path, 0o777) != 0 else { return }
    let number = errno
    if number != EEXIST || isNew { throw SystemError(number: number) }
  }

  /// Puts a folder in the place of another one, which moves to a third name. Between two calls of the system there is
  /// none at the second name.
  static func replace(
    _ second: String, by first: String, keeping third: String
  ) throws(SystemError) {
    try rename(second, to: third)
    do throws(SystemError) {
      try rename(first, to: second)
    } catch {
      try? rename(third, to: second)
      throw error
    }
  }

  /// Returns what is in a folder, and whether it is a folder itself; symbolic links are not.
  private static func entries(in folder: String) -> [(name: String, isFolder: Bool)] {
    names(in: folder).filter { $0 != "." && $0 != ".." }.map { name in
      var info = stat()
      // Safety: the path is a terminated copy for the call; info outlives it.
      let isKnown = unsafe lstat("\(folder)/\(name)", &info) == 0
      return (name, isKnown && info.st_mode & S_IFMT == S_IFDIR)
    }
  }

  /// Returns the paths of all files in a folder and in those below, as seen from the folder.
  static func files(below folder: String) -> [String] {
    entries(in: folder).flatMap { name, isFolder in
      isFolder ? files(below: "\(folder)/\(name)").map { "\(name)/\($0)" } : [name]
    }
  }

  /// Removes a folder and what is in it; symbolic links in it are removed, not followed.
  static func removeFolder(_ path: String) {
    for (name, isFolder) in entries(in: path) {
      if isFolder { removeFolder("\(path)/\(name)") } else { remove("\(path)/\(name)") }
    }
    // Safety: the path is a terminated copy for the call.
    _ = unsafe rmdir(path)
  }
}
