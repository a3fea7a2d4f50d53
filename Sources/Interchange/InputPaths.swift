import EventLog
import Platform

/// The files and logs that the arguments of an import name: files, folders, logs and patterns.
package enum InputPaths {
  /// Returns the files in the order in which they are read.
  ///
  /// A folder stands for all files in it and in its folders, in bytewise order of their paths, except for those whose
  /// names begin with `.` or `_`, and for links to a folder around them; the folder of a log stands for the log. A
  /// pattern with `*`, `?` or `[` stands for the files and folders that match, in bytewise order, unless a file has
  /// exactly that name. `-` is standard input.
  ///
  /// - Throws: ``ImportError`` if a folder or a pattern has no files, or a folder cannot be read.
  package static func expanded(_ arguments: [String]) throws(ImportError) -> [String] {
    var paths: [String] = []
    for argument in arguments {
      for path in try matches(argument) {
        if path != "-", isFolder(path), !LogReader.isLog(path) {
          paths += try files(in: path)
        } else {
          paths.append(path)
        }
      }
    }
    return paths
  }

  private static func matches(_ argument: String) throws(ImportError) -> [String] {
    guard argument.contains(where: { "*?[".contains($0) }),
      status(argument) == nil
    else { return [argument] }
    let found = Glob.paths(argument)
    guard !found.isEmpty else {
      throw ImportError(.missingInput, "\(argument): no file matches; check the pattern")
    }
    return found
  }

  private static func isFolder(_ path: String) -> Bool {
    status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// Whether two paths lead to the same file, which is there.
  package static func areSame(_ path: String, _ other: String) -> Bool {
    guard path != "-", let a = status(path), let b = status(other) else { return false }
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    // Safety: status outlives the call, which writes nothing else; the path is a terminated copy.
    return unsafe stat(path, &status) == 0 ? status : nil
  }

  /// The identity of a folder, whatever links lead to it.
  private struct FolderID: Hashable {
    var device: dev_t
    var number: ino_t
  }

  private static func files(
    in folder: String, _ outer: Set<FolderID> = []
  ) throws(ImportError) -> [String] {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    var around = outer
    if let status = status(folder),
      !around.insert(FolderID(device: status.st_dev, number: status.st_ino)).inserted
    {
      return []
    }
    var found: [String] = []
    for name in try names(in: folder) where !name.hasPrefix(".") && !name.hasPrefix("_") {
      let path = prefix + name
      if isFolder(path), !LogReader.isLog(path) {
        found += try nested(path, around)
      } else {
        found.append(path)
      }
    }
    guard !found.isEmpty else {
      throw ImportError(.missingInput, "\(folder): the folder has no files to import")
    }
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func names(in folder: String) throws(ImportError) -> [String] {
    do throws(LogError) {
      return try SystemDisk(followsLinks: true).list(folder) ?? []
    } catch {
      throw ImportError(
        .cannotRead, "\(folder): cannot be read; check the permissions of the folder")
    }
  }

  /// Returns the files of a folder in a folder, which may have none.
  private static func nested(
    _ folder: String, _ around: Set<FolderID>
  ) throws(ImportError) -> [String] {
    do throws(ImportError) {
      return try files(in: folder, around)
    } catch {
      if error.code == .missingInput { return [] }
      throw error
    }
  }
}
