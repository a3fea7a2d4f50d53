@testable import EventLog

/// A disk that passes every call on to another, except those that it implements itself.
protocol WrappingDisk: Disk {
  associatedtype Real: Disk
  var real: Real { get }
  /// Wraps a file that was opened or created.
  func wrap(_ file: any DiskFile) -> any DiskFile
}

extension WrappingDisk {
  func open(_ path: String, writable: Bool) throws(LogError) -> any DiskFile {
    wrap(try real.open(path, writable: writable))
  }
  func create(_ path: String) throws(LogError) -> any DiskFile { wrap(try real.create(path)) }
  func createFolder(_ path: String) throws(LogError) { try real.createFolder(path) }
  func list(_ path: String) throws(LogError) -> [String]? { try real.list(path) }
  func remove(_ path: String) throws(LogError) { try real.remove(path) }
  func rename(_ path: String, to newPath: String) throws(LogError) {
    try real.rename(path, to: newPath)
  }
  func syncFolder(_ path: String) throws(LogError) { try real.syncFolder(path) }
  func lock(_ path: String, holder: String) throws(LogError) -> any DiskLock {
    try real.lock(path, holder: holder)
  }
}

/// A file that passes every call on to another, except those that it implements itself.
protocol WrappingFile: DiskFile {
  var real: any DiskFile { get }
}

extension WrappingFile {
  var path: String { real.path }
  func size() throws(LogError) -> UInt64 { try real.size() }
  func read(at offset: UInt64, count: Int) throws(LogError) -> [UInt8] {
    try real.read(at: offset, count: count)
  }
  func write(_ bytes: [UInt8], at offset: UInt64) throws(LogError) {
    try real.write(bytes, at: offset)
  }
  func truncate(to size: UInt64) throws(LogError) { try real.truncate(to: size) }
  func sync() throws(LogError) { try real.sync() }
}
