internal import Platform

/// A folder that is held open: names in it are those of this folder, wherever it is moved and whatever replaces it at
/// its path.
final class OpenFolder: Sendable {
  private let path: String
  private let descriptor: Int32

  /// Takes over the descriptor of the folder at a path.
  init(path: String, descriptor: Int32) {
    (self.path, self.descriptor) = (path, descriptor)
  }

  deinit {
    close(descriptor)
  }

  /// Returns where the path of this folder, or of a file in it, leads; nil for any other path.
  func place(_ path: String) -> FilePlace? {
    guard path.utf8.starts(with: self.path.utf8) else { return nil }
    let rest = path.utf8.dropFirst(self.path.utf8.count)
    guard rest.first == nil || rest.first == UInt8(ascii: "/") else { return nil }
    let name = String(Substring(rest.drop { $0 == UInt8(ascii: "/") }))
    return FilePlace(folder: descriptor, name: name.isEmpty ? "." : name)
  }
}

/// A path from an open folder.
struct FilePlace {
  /// The descriptor of the folder.
  var folder = AT_FDCWD
  /// The path, which may be absolute.
  var name: String
}

/// The kind of file at a path. Only files and folders belong into a log's folder.
enum FileKind: String {
  case file = "file"
  case folder = "folder"
  case link = "symbolic link"
  case pipe = "pipe"
  case socket = "socket"
  case device = "device"

  /// Reads the kind from the mode of a file; nil if it is unknown.
  init?(_ mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .link
    case S_IFIFO: self = .pipe
    case S_IFSOCK: self = .socket
    case S_IFCHR, S_IFBLK: self = .device
    default: return nil
    }
  }

  /// Reads the kind of what is at a place, without following a link; nil if there is nothing.
  init?(of place: FilePlace) {
    var status = stat()
    // Safety: fstatat reads the path up to its terminator, and writes the status.
    guard unsafe fstatat(place.folder, place.name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return nil
    }
    self.init(status.st_mode)
  }

  /// Returns the error of finding this where a log has files.
  func error(_ path: String) -> LogError {
    let remedy =
      self == .link ? "replace it by the file that it leads to, or remove it" : "move it elsewhere"
    return LogError(
      .notALog, "it is a \(rawValue), which a log's folder cannot have; \(remedy)", path: path)
  }
}
