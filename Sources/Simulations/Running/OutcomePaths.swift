internal import Tables

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
    let all: [String]?
    do { all = try FolderFiles.paths(in: folder) } catch {
      throw .system(folder, "cannot be read", error.number)
    }
    guard let files = all?.filter(OutcomeFile.beginsAsOutcomes) else { return nil }
    guard !files.isEmpty else {
      throw OutcomeFileError(
        .notFound, "\(folder): the folder has no files of `simulate --checkpoint`; check the path")
    }
    return files
  }
}
