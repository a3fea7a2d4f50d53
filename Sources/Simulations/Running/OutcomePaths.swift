internal import Glibc

/// The files of outcomes that the arguments of a merge name: files, and folders of files.
enum OutcomePaths {
  /// Returns the files. A folder stands for the files of outcomes in it, in bytewise order of their names; other files,
  /// and those whose names begin with `.` or `_`, are left out.
  ///
  /// - Throws: ``OutcomeFileError`` `notFound` if a folder has no file of outcomes, or `inputOutput` if it cannot be
  ///   read.
  static func expanded(_ paths: [String]) throws(OutcomeFileError) -> [String] {
    var files: [String] = []
    for path in paths { files += try names(in: path) ?? [path] }
    return files
  }

  /// Returns the paths of the files of outcomes in a folder; nil if the path is not one of a folder.
  private static func names(in folder: String) throws(OutcomeFileError) -> [String]? {
    // Safety: the path is a terminated copy for the call; the stream is closed below, and each entry is read before
    // the next call, as readdir requires.
    guard let stream = unsafe opendir(folder) else {
      if errno == ENOTDIR || errno == ENOENT { return nil }
      throw .system(folder, "cannot be read", errno)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix("."), !name.hasPrefix("_") { names.append(name) }
    }
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    let files = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { prefix + $0 }
      .filter(OutcomeFile.beginsAsOutcomes)
    guard !files.isEmpty else {
      throw OutcomeFileError(
        .notFound, "\(folder): the folder has no files of `simulate --checkpoint`; check the path")
    }
    return files
  }
}
