internal import Glibc

/// Who may do what with a file, to make another like it.
struct FileRights {
  private let mode: mode_t
  private let owner: uid_t
  private let group: gid_t
  private let isFolder: Bool

  /// The rights of what is at a path; nil when nothing is.
  init?(of path: String) {
    var status = stat()
    // Safety: stat reads the path up to its end, and writes the status.
    guard unsafe stat(path, &status) == 0 else { return nil }
    (owner, group) = (status.st_uid, status.st_gid)
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    mode = status.st_mode & (isFolder ? 0o7777 : 0o777)
  }

  /// What a file is made with: nobody else may read it before it has its rights. In a folder a file may do what the
  /// folder and the process's mask allow.
  var modeWhenMade: mode_t { isFolder ? mode & 0o666 | 0o600 : 0o600 }

  /// Gives the rights to a file or folder that was made. What the system does not allow is left out: the owner is
  /// changed by root alone, and where the group cannot be, the new one gets no rights.
  func apply(to descriptor: Int32, toFolder: Bool = false) {
    var own = stat()
    // Safety: fstat writes the status.
    guard unsafe fstat(descriptor, &own) == 0 else { return }
    if own.st_uid != owner, geteuid() == 0 { _ = fchown(descriptor, owner, gid_t.max) }
    // A folder's group is not that of the files in it, unless root makes them for somebody.
    let takesGroup = !isFolder || toFolder || geteuid() == 0
    var hasGroup = own.st_gid == group
    if !hasGroup, takesGroup { hasGroup = fchown(descriptor, uid_t.max, group) == 0 }
    guard !isFolder || toFolder else { return }
    _ = fchmod(descriptor, hasGroup ? mode : mode & 0o707)
  }
}
