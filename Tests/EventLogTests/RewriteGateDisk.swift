import Threads

@testable import EventLog

/// The real disk, but a test determines when the rewrite of a segment goes on, and counts those that run at once.
final class RewriteGateDisk: WrappingDisk {
  struct State {
    var running: Set<String> = []
    /// How many rewrites ran at the same time at most.
    var most = 0
    /// How many there were.
    var count = 0
    var failsNextWrite = false
  }

  let real = SystemDisk()
  let state = Monitor(State())
  private let gate: @Sendable () -> Void

  /// The closure is called before each write of a segment that is being rewritten.
  init(_ gate: @escaping @Sendable () -> Void = {}) { self.gate = gate }

  /// Has the next write of a segment that is not rewritten fail.
  func failNextWrite() { state.withLock { $0.failsNextWrite = true } }

  var rewriteCount: Int { state.withLock { $0.count } }
  var mostAtOnce: Int { state.withLock { $0.most } }

  static func isRewritten(_ path: String) -> Bool {
    path.hasSuffix(".bdl" + SegmentRewriter.suffix)
  }

  func wrap(_ file: any DiskFile) -> any DiskFile { RewriteGateFile(file, self) }

  func create(_ path: String) throws(LogError) -> any DiskFile {
    let file = wrap(try real.create(path))
    if Self.isRewritten(path) {
      state.withLock {
        $0.running.insert(path)
        $0.most = max($0.most, $0.running.count)
        $0.count += 1
      }
    }
    return file
  }

  func rename(_ path: String, to newPath: String) throws(LogError) {
    state.withLock { _ = $0.running.remove(path) }
    try real.rename(path, to: newPath)
  }

  func remove(_ path: String) throws(LogError) {
    state.withLock { _ = $0.running.remove(path) }
    try real.remove(path)
  }

  fileprivate func beforeWriting(_ path: String) throws(LogError) {
    if Self.isRewritten(path) { return gate() }
    let fails = state.withLock { state in
      defer { if path.hasSuffix(".bdl") { state.failsNextWrite = false } }
      return state.failsNextWrite && path.hasSuffix(".bdl")
    }
    if fails { throw LogError(.inputOutput, "No space left on device", path: path) }
  }
}

private final class RewriteGateFile: WrappingFile {
  let real: any DiskFile
  private let disk: RewriteGateDisk

  init(_ real: any DiskFile, _ disk: RewriteGateDisk) { (self.real, self.disk) = (real, disk) }

  func write(_ bytes: [UInt8], at offset: UInt64) throws(LogError) {
    try disk.beforeWriting(path)
    try real.write(bytes, at: offset)
  }
}
