package import EventLog

/// A disk in memory that loses power and fails as real ones do, the same way for the same seed.
///
/// Files and names become durable when they are synced, and not before: ``crash(using:)`` gives the disk
/// as it may look after a power cut. Calls can be made to fail. Short writes and interrupted calls are not
/// simulated here: they live below ``Disk``, in ``SystemDisk``, which goes on until everything is written.
///
/// It is for one thread at a time. What others do while a file is being synced, a test does by
/// ``duringNextSync(_:)``.
package final class SimulatedDisk: Disk, @unchecked Sendable {
  /// What fails, once.
  package struct Fault: Hashable {
    package enum Call: CaseIterable {
      case read, write, sync, rename, syncFolder, create, remove, truncate
    }
    package var call: Call
    /// At which call of its sort, counted from 1.
    package var number: Int

    package init(call: Call, number: Int) { (self.call, self.number) = (call, number) }
  }

  /// What was removed, for tests that ask whether it was allowed.
  package struct Removal {
    package var path: String
    package var bytes: [UInt8]
  }

  fileprivate struct State {
    var folders = SimulatedFolders()
    var files: [Int: SimulatedContent] = [:]
    var nextNode = 1
    var locked: Set<String> = []
    var random: SeededGenerator
    var faults: Set<Fault> = []
    var calls: [Fault.Call: Int] = [:]
    var operations = 0
    /// The operation in which the power goes.
    var cutAt: Int?
    var capacity = Int.max
    var removals: [Removal] = []
  }

  private var state: State
  private var duringSync: (() -> Void)?

  package init(seed: UInt64) {
    state = State(random: SeededGenerator(seed: seed))
  }

  private init(_ state: State) {
    self.state = state
  }

  // MARK: What tests do to it

  /// Lets calls fail from now on; calls are counted from now on.
  package func inject(_ faults: Set<Fault>) {
    state.faults = faults
    state.calls = [:]
  }

  /// Does something in the middle of the next sync of a file, once. What is written then is not covered by it.
  package func duringNextSync(_ body: (() -> Void)?) { duringSync = body }

  /// How many bytes fit on it.
  package func setCapacity(_ bytes: Int) { state.capacity = bytes }

  /// Lets the power go within the given operation, counted from 1: a write of it may reach the disk, a
  /// sync of it has not ended, and every call from then on fails.
  package func cutPower(at operation: Int?) {
    state.cutAt = operation
    state.operations = 0
  }

  /// How many operations that change something there were since ``cutPower(at:)``.
  package var operations: Int { state.operations }

  /// Whether the power went.
  package var isWithoutPower: Bool { state.cutAt.map { state.operations >= $0 } ?? false }

  /// How many bytes its files have.
  package var used: Int { state.used }

  /// What was removed so far.
  package var removals: [Removal] { state.removals }

  /// The bytes of a file as a reader sees them; nil when there is none.
  package func contents(_ path: String) -> [UInt8]? {
    state.folders.node(path).flatMap { state.files[$0]?.seen }
  }

  /// The disk as it may look after a power cut now. No lock is held on it, and nothing fails.
  package func crash(using random: inout SeededGenerator) -> SimulatedDisk {
    let luck = SimulatedContent.Luck.draw(using: &random)
    var after = State(random: SeededGenerator(seed: random.next()))
    after.folders = state.folders.afterPowerCut(luck, using: &random)
    for node in state.files.keys.sorted() {
      after.files[node] = state.files[node]?.afterPowerCut(luck, using: &random)
    }
    after.nextNode = state.nextNode
    after.removals = state.removals
    return SimulatedDisk(after)
  }

  // MARK: Disk

  package func open(_ path: String, writable: Bool) throws(LogError) -> any DiskFile {
    try call { state throws(LogError) in
      guard let node = state.folders.node(path), state.files[node] != nil else {
        throw LogError(.notFound, "cannot open it: No such file or directory", path: path)
      }
      return SimulatedFile(path: path, node: node, disk: self)
    }
  }

  package func create(_ path: String) throws(LogError) -> any DiskFile {
    try call { state throws(LogError) in
      guard state.folders.node(path) == nil else {
        throw LogError(.cannotCreate, "cannot create it: File exists", path: path)
      }
      try state.begin(.create, path)
      let node = try state.makeFile(path)
      try state.checkPower(path)
      return SimulatedFile(path: path, node: node, disk: self)
    }
  }

  package func createFolder(_ path: String) throws(LogError) {
    try call { state throws(LogError) in
      guard state.folders.node(path) == nil else { return }
      try state.begin(.create, path)
      let node = try state.add(path)
      state.folders.makeFolder(node)
      try state.checkPower(path)
    }
  }

  package func list(_ path: String) throws(LogError) -> [String]? {
    try call { state throws(LogError) in
      state.folders.folder(path)?.seen.keys.sorted()
    }
  }

  package func remove(_ path: String) throws(LogError) {
    try call { state throws(LogError) in
      let (parent, name) = SimulatedFolders.split(path)
      guard let folder = state.folders.node(parent), let node = state.folders.node(path) else {
        throw LogError(.inputOutput, "cannot remove it: No such file or directory", path: path)
      }
      try state.begin(.remove, path)
      state.removals.append(Removal(path: path, bytes: state.files[node]?.seen ?? []))
      state.folders.change(in: folder, .remove(name))
      try state.checkPower(path)
    }
  }

  package func rename(_ path: String, to newPath: String) throws(LogError) {
    try call { state throws(LogError) in
      let (parent, name) = SimulatedFolders.split(path)
      guard let folder = state.folders.node(parent), let node = state.folders.node(path) else {
        throw LogError(.inputOutput, "cannot rename it: No such file or directory", path: path)
      }
      try state.begin(.rename, path)
      let newName = SimulatedFolders.split(newPath).name
      state.folders.change(in: folder, .rename(name, to: newName, node: node))
      try state.checkPower(path)
    }
  }

  package func syncFolder(_ path: String) throws(LogError) {
    try call { state throws(LogError) in
      guard let node = state.folders.node(path) else {
        throw LogError(.inputOutput, "cannot open it: No such file or directory", path: path)
      }
      try state.begin(.syncFolder, path)
      try state.checkPower(path)
      state.folders.sync(node)
    }
  }

  package func lock(_ path: String, holder: String) throws(LogError) -> any DiskLock {
    try call { state throws(LogError) in
      guard !state.locked.contains(path) else {
        throw LogError(.locked, "another writer holds the log", path: path)
      }
      if state.folders.node(path) == nil {
        try state.begin(.create, path)
        _ = try state.makeFile(path)
        try state.checkPower(path)
      }
      state.locked.insert(path)
      return SimulatedLock(path: path, disk: self)
    }
  }

  fileprivate func unlock(_ path: String) {
    state.locked.remove(path)
  }

  fileprivate func call<Value>(
    _ body: (inout State) throws(LogError) -> Value
  ) throws(LogError) -> Value {
    try state.checkPower("")
    return try body(&state)
  }
}

// MARK: Files

extension SimulatedDisk {
  fileprivate func size(_ node: Int, _ path: String) throws(LogError) -> UInt64 {
    try call { state throws(LogError) in UInt64(state.files[node]?.seen.count ?? 0) }
  }

  fileprivate func read(
    _ node: Int, _ path: String, at offset: UInt64, count: Int
  ) throws(LogError) -> [UInt8] {
    try call { state throws(LogError) in
      if state.isFailing(.read) { throw SimulatedDisk.error("read", path) }
      let bytes = state.files[node]?.seen ?? []
      let start = min(bytes.count, Int(clamping: offset))
      return Array(bytes[start..<min(bytes.count, start + count)])
    }
  }

  fileprivate func write(
    _ node: Int, _ path: String, _ bytes: [UInt8], at offset: UInt64
  ) throws(LogError) {
    try call { state throws(LogError) in
      state.operations += 1
      let growth = max(0, Int(offset) + bytes.count - (state.files[node]?.seen.count ?? 0))
      let excess = state.used + growth - state.capacity
      let isFull = excess > 0
      let isFailing = state.isFailing(.write)
      var written = bytes.count - min(bytes.count, max(0, excess))
      if isFailing { written = state.random.index(bytes.count + 1) }
      let change = SimulatedContent.Change.write(
        offset: Int(offset), bytes: Array(bytes.prefix(written)))
      state.files[node]?.change(change)
      try state.checkPower(path)
      if isFull { throw LogError(.inputOutput, "No space left on device", path: path) }
      if isFailing { throw SimulatedDisk.error("write", path) }
    }
  }

  fileprivate func truncate(_ node: Int, _ path: String, to size: UInt64) throws(LogError) {
    try call { state throws(LogError) in
      try state.begin(.truncate, path)
      state.files[node]?.change(.cut(to: Int(size)))
      try state.checkPower(path)
    }
  }

  fileprivate func sync(_ node: Int, _ path: String) throws(LogError) {
    let covered = state.files[node]?.pending.count ?? 0
    let during = duringSync
    duringSync = nil
    during?()
    try call { state throws(LogError) in
      state.operations += 1
      try state.checkPower(path)
      guard !state.isFailing(.sync) else {
        var random = state.random
        state.files[node]?.failSync(using: &random)
        state.random = random
        throw SimulatedDisk.error("sync", path)
      }
      state.files[node]?.sync(first: covered)
    }
  }

  fileprivate static func error(_ call: String, _ path: String) -> LogError {
    LogError(.inputOutput, "cannot \(call): Input/output error", path: path)
  }
}

extension SimulatedDisk.State {
  var used: Int { files.values.reduce(0) { $0 + $1.seen.count } }

  /// Counts a call, and says whether it is one that fails.
  mutating func isFailing(_ call: SimulatedDisk.Fault.Call) -> Bool {
    calls[call, default: 0] += 1
    return faults.contains(SimulatedDisk.Fault(call: call, number: calls[call] ?? 0))
  }

  /// Counts an operation. One that fails has done nothing.
  mutating func begin(_ call: SimulatedDisk.Fault.Call, _ path: String) throws(LogError) {
    operations += 1
    if isFailing(call) { throw SimulatedDisk.error("\(call)", path) }
  }

  func checkPower(_ path: String) throws(LogError) {
    guard let cutAt, operations >= cutAt else { return }
    throw LogError(.inputOutput, "the power is gone", path: path)
  }

  mutating func add(_ path: String) throws(LogError) -> Int {
    let (parent, name) = SimulatedFolders.split(path)
    guard let folder = folders.node(parent), folders.folders[folder] != nil else {
      throw LogError(.cannotCreate, "cannot create it: No such file or directory", path: path)
    }
    let node = nextNode
    nextNode += 1
    folders.change(in: folder, .add(name, node: node))
    return node
  }

  mutating func makeFile(_ path: String) throws(LogError) -> Int {
    let node = try add(path)
    files[node] = SimulatedContent()
    return node
  }
}

private final class SimulatedFile: DiskFile {
  let path: String
  private let node: Int
  private let disk: SimulatedDisk

  init(path: String, node: Int, disk: SimulatedDisk) {
    (self.path, self.node, self.disk) = (path, node, disk)
  }

  func size() throws(LogError) -> UInt64 { try disk.size(node, path) }
  func read(at offset: UInt64, count: Int) throws(LogError) -> [UInt8] {
    try disk.read(node, path, at: offset, count: count)
  }
  func write(_ bytes: [UInt8], at offset: UInt64) throws(LogError) {
    try disk.write(node, path, bytes, at: offset)
  }
  func truncate(to size: UInt64) throws(LogError) { try disk.truncate(node, path, to: size) }
  func sync() throws(LogError) { try disk.sync(node, path) }
}

private final class SimulatedLock: DiskLock {
  private let path: String
  private let disk: SimulatedDisk

  init(path: String, disk: SimulatedDisk) {
    (self.path, self.disk) = (path, disk)
  }

  deinit { disk.unlock(path) }
}
