/// The disk of a log whose lock is held: no file is created, written, replaced or removed once the lock is another's.
struct LockedDisk: Disk {
  let disk: any Disk
  /// Its holder ends its own use of the disk.
  weak let lock: (any DiskLock)?

  /// Returns the disk for a change at a path.
  ///
  /// - Throws: ``LogError/Code/locked`` if the lock is not held any more.
  private func locked(_ path: String) throws(LogError) -> any Disk {
    guard let lock else {
      throw LogError(.locked, "the lock of the log is released; open the log again", path: path)
    }
    try lock.check()
    return disk
  }

  func open(_ path: String, writable: Bool) throws(LogError) -> any DiskFile {
    try (writable ? locked(path) : disk).open(path, writable: writable)
  }

  func create(_ path: String) throws(LogError) -> any DiskFile { try locked(path).create(path) }

  func create(_ path: String, like models: [String]) throws(LogError) -> any DiskFile {
    try locked(path).create(path, like: models)
  }

  func createFolder(_ path: String) throws(LogError) { try locked(path).createFolder(path) }

  func createFolder(_ path: String, like model: String) throws(LogError) {
    try locked(path).createFolder(path, like: model)
  }

  func list(_ path: String) throws(LogError) -> [String]? { try disk.list(path) }

  func remove(_ path: String) throws(LogError) { try locked(path).remove(path) }

  func rename(_ path: String, to newPath: String) throws(LogError) {
    try locked(path).rename(path, to: newPath)
  }

  func syncFolder(_ path: String) throws(LogError) { try disk.syncFolder(path) }

  func lock(_ path: String, holder: String) throws(LogError) -> any DiskLock {
    try disk.lock(path, holder: holder)
  }

  var unheld: any Disk { disk.unheld }
}
