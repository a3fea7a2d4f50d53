internal import Platform

/// The files of a folder.
package enum FolderFiles {
  /// Returns the paths of what is in a folder, in bytewise order of the names, without names that begin with `.` or
  /// `_`; nil if the path is not one of a folder.
  ///
  /// - Throws: `SystemError` if the folder cannot be read.
  package static func paths(in folder: String) throws(SystemError) -> [String]? {
    // Safety: the path is a terminated copy for the call; the stream is closed at once.
    guard let stream = unsafe opendir(folder) else {
      if errno == ENOTDIR || errno == ENOENT { return nil }
      throw SystemError(number: errno)
    }
    unsafe closedir(stream)
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return FileCalls.names(in: folder).filter { !$0.hasPrefix(".") && !$0.hasPrefix("_") }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { prefix + $0 }
  }
}
