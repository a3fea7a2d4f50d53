/// The disk of a log whose lock is held: no file is created, written, replaced or removed once the lock is another's.
struct LockedDisk: Disk {
  let disk: any Disk
  /// Its holder ends its own use of the disk.
  weak let lock: (any DiskLock)?

  private func check(_ path: String) throws(LogError) {
    guard let lock else {
      throw LogError(.locked, "the lock of the log is released; open the log again", path: path)
    }
    try lock.check()
  }

  func open(_ path: String, writable: Bool) throws(LogError) -> any DiskFile {
    if writable { try check(path) }
    return try disk.open(path, writable: writable)
  }

  func create(_ path: String) throws(LogError) -> any DiskFile {
    try check(path)
    return try disk.create(path)
  }

  func create(_ path: String, like models: [String]) throws(LogError) -> any DiskFile {
    try check(path)
    return try disk.create(path, like: models)
  }

  func createFolder(_ path: String) throws(LogError) {
    try check(path)
    try disk.createFolder(path)
  }

  func createFolder(_ path: String, like model: String) throws(LogError) {
    try check(path)
    try disk.createFolder(path, like: model)
  }

  func list(_ path: String) throws(LogError) -> [String]? { try disk.list(path) }

  func remove(_ path: String) throws(LogError) {
    try check(path)
    try disk.remove(path)
  }

  func rename(_ path: String, to newPath: String) throws(LogError) {
    try check(path)
    try disk.rename(path, to: newPath)
  }

  func syncFolder(_ path: String) throws(LogError) { try disk.syncFolder(path) }

  func lock(_ path: String, holder: String) throws(LogError) -> any DiskLock {
    try disk.lock(path, holder: holder)
  }

  var unheld: any Disk { disk.unheld }
}
