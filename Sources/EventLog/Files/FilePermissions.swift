internal import Platform

/// The permissions and ownership of a file, for creating another like it.
struct FilePermissions {
  private let mode: mode_t
  private let owner: uid_t
  private let group: gid_t
  private let isFolder: Bool

  /// Reads the permissions of the file at a place; nil if there is none.
  init?(of place: FilePlace) {
    var status = stat()
    // Safety: fstatat reads the path up to its end, and writes the status.
    guard unsafe fstatat(place.folder, place.name, &status, 0) == 0 else { return nil }
    (owner, group) = (status.st_uid, status.st_gid)
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    mode = status.st_mode & (isFolder ? 0o7777 : 0o777)
  }

  /// The mode with which a file is created, so that nobody else may read it before its permissions are set. In a
  /// folder it is what the folder and the process's umask allow.
  var modeWhenMade: mode_t { isFolder ? mode & 0o666 | 0o600 : 0o600 }

  /// Applies the permissions to a created file or folder. Changes that the system does not allow are skipped: only
  /// root changes the owner, and if the group cannot be set, the new group gets no permissions.
  func apply(to descriptor: Int32, toFolder: Bool = false) {
    var own = stat()
    // Safety: fstat writes the status.
    guard unsafe fstat(descriptor, &own) == 0 else { return }
    if own.st_uid != owner, geteuid() == 0 { _ = fchown(descriptor, owner, gid_t.max) }
    // A folder's group is not that of the files in it, unless root creates them for another user.
    let takesGroup = !isFolder || toFolder || geteuid() == 0
    var hasGroup = own.st_gid == group
    if !hasGroup, takesGroup { hasGroup = fchown(descriptor, uid_t.max, group) == 0 }
    guard !isFolder || toFolder else { return }
    _ = fchmod(descriptor, hasGroup ? mode : mode & 0o707)
  }
}
