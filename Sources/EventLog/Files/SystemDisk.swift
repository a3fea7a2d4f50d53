internal import Platform

/// The real file system.
package struct SystemDisk: Disk {
  /// Whether paths may be symbolic links, and folders contain links, pipes, sockets and devices. A log's may not:
  /// through a link others would be written to, and a pipe would be waited for.
  private let followsLinks: Bool
  /// The folder that is held open; see ``holding(_:)``.
  private let held: OpenFolder?

  /// Creates a disk for the file system of this machine.
  package init(followsLinks: Bool = false) { self.init(followsLinks, nil) }

  private init(_ followsLinks: Bool, _ held: OpenFolder?) {
    (self.followsLinks, self.held) = (followsLinks, held)
  }

  package func holding(_ folder: String) throws(LogError) -> any Disk {
    let descriptor = openDescriptor(FilePlace(name: folder), O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { throw systemError(.inputOutput, "cannot open it", folder) }
    return SystemDisk(followsLinks, OpenFolder(path: folder, descriptor: descriptor))
  }

  package var unheld: any Disk { SystemDisk(followsLinks, nil) }

  /// Returns where a path leads: into the folder that is held, wherever it is now, or from the current folder.
  private func place(_ path: String) -> FilePlace { held?.place(path) ?? FilePlace(name: path) }

  package func open(_ path: String, writable: Bool) throws(LogError) -> any DiskFile {
    // Without waiting for the other end of a pipe.
    let flags = O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW) | (writable ? O_RDWR : O_RDONLY)
    let descriptor = openDescriptor(place(path), flags)
    guard descriptor >= 0 else {
      guard errno != ELOOP else { throw FileKind.link.error(path) }
      // A socket cannot be opened.
      guard errno != ENXIO else { throw FileKind.socket.error(path) }
      let isMissing = errno == ENOENT || errno == ENOTDIR
      throw systemError(isMissing ? .notFound : .inputOutput, "cannot open it", path)
    }
    return try SystemFile(regular: descriptor, path)
  }

  package func create(_ path: String) throws(LogError) -> any DiskFile {
    let descriptor = openDescriptor(place(path), O_RDWR | O_CREAT | O_EXCL)
    guard descriptor >= 0 else { throw systemError(.cannotCreate, "cannot create it", path) }
    return SystemFile(path: path, descriptor: descriptor)
  }

  package func create(
    _ path: String, like models: [String]
  ) throws(LogError) -> any DiskFile {
    guard let rights = models.lazy.compactMap({ FilePermissions(of: place($0)) }).first else {
      return try create(path)
    }
    let descriptor = openDescriptor(
      place(path), O_RDWR | O_CREAT | O_EXCL, mode: rights.modeWhenMade)
    guard descriptor >= 0 else { throw systemError(.cannotCreate, "cannot create it", path) }
    rights.apply(to: descriptor)
    return SystemFile(path: path, descriptor: descriptor)
  }

  package func createFolder(_ path: String, like model: String) throws(LogError) {
    let place = place(path)
    let existing = FileKind(of: place)
    guard existing != .link else { throw FileKind.link.error(path) }
    try createFolder(path)
    guard existing == nil, let rights = FilePermissions(of: self.place(model)) else { return }
    let descriptor = openDescriptor(place, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    rights.apply(to: descriptor, toFolder: true)
  }

  package func createFolder(_ path: String) throws(LogError) {
    let place = place(path)
    // Safety: the C functions here and below read the path up to its terminator and keep no pointer.
    guard unsafe mkdirat(place.folder, place.name, 0o755) != 0, errno != EEXIST else { return }
    throw systemError(.cannotCreate, "cannot create the folder", path)
  }

  package func list(_ path: String) throws(LogError) -> [String]? {
    let descriptor = openDescriptor(place(path), O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw systemError(errno == ENOTDIR ? .notALog : .inputOutput, "cannot list it", path)
    }
    // Safety: the stream takes over the descriptor, is used only here and closed on every path; each entry is read
    // before the next call, as readdir requires.
    guard let stream = unsafe fdopendir(descriptor) else {
      close(descriptor)
      throw systemError(.inputOutput, "cannot list it", path)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    // The end and a failure differ only in the error number.
    guard errno == 0 else { throw systemError(.inputOutput, "cannot list it", path) }
    names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    if !followsLinks {
      for name in names {
        let kind = FileKind(of: FilePlace(folder: descriptor, name: name))
        if let kind, kind != .file, kind != .folder { throw kind.error(path + "/" + name) }
      }
    }
    return names
  }

  package func remove(_ path: String) throws(LogError) {
    let place = place(path)
    // Safety: the path is a terminated copy for the call.
    guard unsafe unlinkat(place.folder, place.name, 0) == 0 else {
      throw systemError(.inputOutput, "cannot remove it", path)
    }
  }

  package func rename(_ path: String, to newPath: String) throws(LogError) {
    let (old, new) = (place(path), place(newPath))
    // Safety: both paths are terminated copies for the call.
    guard unsafe renameat(old.folder, old.name, new.folder, new.name) == 0 else {
      throw systemError(.inputOutput, "cannot rename it to \(newPath)", path)
    }
  }

  package func syncFolder(_ path: String) throws(LogError) {
    let descriptor = openDescriptor(place(path), O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { throw systemError(.inputOutput, "cannot open it", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw systemError(.inputOutput, "cannot make its file names durable", path)
    }
  }

  package func lock(_ path: String, holder: String) throws(LogError) -> any DiskLock {
    let descriptor = openLock(path)
    guard descriptor >= 0 else {
      switch errno {
      case ELOOP: throw FileKind.link.error(path)
      case ENXIO: throw FileKind.socket.error(path)
      default: throw systemError(.cannotCreate, "cannot create it", path)
      }
    }
    let file = try SystemFile(regular: descriptor, path)
    guard retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
      guard errno == EWOULDBLOCK else { throw systemError(.inputOutput, "cannot lock it", path) }
      let words = String(decoding: try file.read(at: 0, count: 256), as: UTF8.self)
      throw LogError(
        .locked,
        "another writer holds the log (\(words.isEmpty ? "it left no name" : words)); "
          + "wait for it to end, then try again", path: path)
    }
    let lock = SystemLock(file: file)
    try lock.check()
    // The lock is what matters. On a full disk the holder's description is missing, but the lock is held.
    try? file.truncate(to: 0)
    try? file.write(Array(holder.utf8), at: 0)
    return lock
  }
}

extension SystemDisk {
  /// Opens a lock file, or creates it with the permissions of files in its folder.
  private func openLock(_ path: String) -> Int32 {
    let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK
    let place = place(path)
    let existing = openDescriptor(place, flags)
    guard existing < 0, errno == ENOENT else { return existing }
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    guard let rights = FilePermissions(of: self.place(folder.joined(separator: "/") + "/")) else {
      return openDescriptor(place, flags | O_CREAT)
    }
    let made = openDescriptor(place, O_RDWR | O_CREAT | O_EXCL, mode: rights.modeWhenMade)
    // Another process may have created it in between.
    guard made >= 0 else { return errno == EEXIST ? openDescriptor(place, flags) : made }
    rights.apply(to: made)
    return made
  }

  /// Returns whether the lock at the path is held.
  static func isLocked(_ path: String) -> Bool {
    let descriptor = openDescriptor(
      FilePlace(name: path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}
