import EventLog
import Threads

/// The real disk, on which writing can be made to fail from any thread, as on a full disk.
struct FailingDisk: Disk {
  /// Whether writing fails.
  final class Switch: Sendable {
    private let state = Monitor(false)

    var isFailing: Bool {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }
  }

  let real = SystemDisk()
  let failing = Switch()

  fileprivate static func check(_ failing: Switch, _ path: String) throws(LogError) {
    if failing.isFailing { throw LogError(.inputOutput, "No space left on device", path: path) }
  }

  func open(_ path: String, writable: Bool) throws(LogError) -> any DiskFile {
    FailingFile(real: try real.open(path, writable: writable), failing: failing)
  }
  func create(_ path: String) throws(LogError) -> any DiskFile {
    try Self.check(failing, path)
    return FailingFile(real: try real.create(path), failing: failing)
  }
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

private final class FailingFile: DiskFile {
  private let real: any DiskFile
  private let failing: FailingDisk.Switch

  init(real: any DiskFile, failing: FailingDisk.Switch) {
    self.real = real
    self.failing = failing
  }

  var path: String { real.path }
  func size() throws(LogError) -> UInt64 { try real.size() }
  func read(at offset: UInt64, count: Int) throws(LogError) -> [UInt8] {
    try real.read(at: offset, count: count)
  }
  func write(_ bytes: [UInt8], at offset: UInt64) throws(LogError) {
    try FailingDisk.check(failing, path)
    try real.write(bytes, at: offset)
  }
  func truncate(to size: UInt64) throws(LogError) { try real.truncate(to: size) }
  func sync() throws(LogError) {
    try FailingDisk.check(failing, path)
    try real.sync()
  }
}
