@testable import EventLog

/// Files in memory, for tests that read the same log thousands of times with a little changed. What is
/// written is there at once; nothing fails. It is for one thread at a time.
final class MemoryDisk: Disk, @unchecked Sendable {
  /// The files by their paths.
  var files: [String: [UInt8]]

  init(_ files: [String: [UInt8]] = [:]) {
    self.files = files
  }

  /// Takes away what a log's HEAD says of how far it is durable.
  func removeHead(of log: String) {
    for name in LogHead.names { files[log + "/" + name] = nil }
  }

  func open(_ path: String, writable: Bool) throws(LogError) -> any DiskFile {
    guard files[path] != nil else { throw LogError(.notFound, "no such file", path: path) }
    return MemoryFile(path: path, disk: self)
  }

  func create(_ path: String) throws(LogError) -> any DiskFile {
    guard files[path] == nil else { throw LogError(.cannotCreate, "file exists", path: path) }
    files[path] = []
    return MemoryFile(path: path, disk: self)
  }

  func createFolder(_ path: String) {}

  func list(_ path: String) -> [String]? {
    let names = files.keys.filter { $0.hasPrefix(path + "/") }.map { $0.dropFirst(path.count + 1) }
    return names.filter { !$0.contains("/") }.map(String.init).sorted()
  }

  func remove(_ path: String) { files[path] = nil }

  func rename(_ path: String, to newPath: String) {
    files[newPath] = files.removeValue(forKey: path)
  }

  func syncFolder(_ path: String) {}

  func lock(_ path: String, holder: String) -> any DiskLock { MemoryLock() }
}

private final class MemoryFile: DiskFile {
  let path: String
  private let disk: MemoryDisk

  init(path: String, disk: MemoryDisk) {
    (self.path, self.disk) = (path, disk)
  }

  func size() -> UInt64 { UInt64(disk.files[path]?.count ?? 0) }

  func read(at offset: UInt64, count: Int) -> [UInt8] {
    guard let bytes = disk.files[path] else { return [] }
    let start = min(bytes.count, Int(clamping: offset))
    return Array(bytes[start..<min(bytes.count, start + count)])
  }

  func write(_ bytes: [UInt8], at offset: UInt64) {
    let end = Int(offset) + bytes.count
    truncate(to: max(size(), UInt64(end)))
    disk.files[path]?.replaceSubrange(Int(offset)..<end, with: bytes)
  }

  func truncate(to size: UInt64) {
    let excess = (disk.files[path]?.count ?? 0) - Int(size)
    if excess > 0 { disk.files[path]?.removeLast(excess) }
    if excess < 0 { disk.files[path]?.append(contentsOf: [UInt8](repeating: 0, count: -excess)) }
  }

  func sync() {}
}

private final class MemoryLock: DiskLock {}
