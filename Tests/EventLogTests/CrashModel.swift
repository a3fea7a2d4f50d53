import Events
import TestSupport
import Threads

@testable import EventLog

/// A log on a ``SimulatedDisk``, and what of it must be there whatever happens.
struct CrashModel {
  enum Step {
    case append(Int)
    case commit
    /// Lets the writer go, compacts the log, and opens another writer.
    case compact
    /// Commits, and appends as many events while the disk is at work on that.
    case commitWhileAppending(Int)
    /// Lets the writer go and opens another one.
    case reopen
  }

  /// A promise that was broken.
  struct Broken: Error, CustomStringConvertible {
    var description: String
  }

  static let path = "/log"

  private(set) var disk: SimulatedDisk
  private var events: EventGenerator
  private var options: LogOptions
  /// Everything appended: what is read back must be a beginning of it.
  private var appended: [Event] = []
  /// How many events were acknowledged: so many at least must be read back.
  private(set) var acknowledged = 0
  /// How many events a writer that failed said to be stored; nil when none failed since the last recovery.
  private var promised: Int?
  /// What recovery set aside, by path: it must stay.
  private var quarantined: [String: [UInt8]] = [:]

  init(seed: UInt64, segmentByteCount: UInt64, frameRowCount: Int) {
    disk = SimulatedDisk(seed: seed)
    events = EventGenerator(seed: seed)
    options = LogOptions(segmentByteCount: segmentByteCount, seed: seed)
    options.frameRowCount = frameRowCount
    // Some runs compact every segment that ends with two frames, others none.
    options.smallFrameCount = seed % 2 == 0 ? 2 : 1_000
    // The disk is for one thread.
    options.compacting = .caller
  }

  private func openWriter() throws(LogError) -> LogWriter {
    try LogWriter(Self.path, options: options, disk: disk)
  }

  private func require(_ holds: Bool, _ words: @autoclosure () -> String) throws {
    if !holds { throw Broken(description: words()) }
  }

  // MARK: Working

  /// Opens the log and takes the steps, up to the first that fails.
  ///
  /// - Returns: Why it ended early; nil when it did not.
  mutating func work(_ steps: [Step]) throws -> LogError? {
    var writer: LogWriter?
    do {
      writer = try openWriter()
      for step in steps {
        switch step {
        case .append(let count):
          let batch = events.events(count)
          appended += batch
          try writer?.append(batch)
        case .commit:
          acknowledged = Int(try writer?.commit() ?? 0)
          try require(acknowledged == appended.count, "a commit that leaves events out")
        case .commitWhileAppending(let count):
          if let writer { try commit(writer, whileAppending: count) }
        case .compact:
          writer = nil
          _ = try LogRewriter(Self.path, disk: disk).compact()
          let another = try openWriter()
          try takeStock(of: another)
          writer = another
        case .reopen:
          writer = nil
          let another = try openWriter()
          try takeStock(of: another)
          writer = another
        }
        while let writer, writer.commits.compactEndedSegment() {}
      }
      // Compacting fails silently.
      return disk.isWithoutPower
        ? LogError(.inputOutput, "the power went while a segment was compacted", path: Self.path)
        : nil
    } catch let error as LogError {
      if let writer { try checkPoisoned(writer) }
      return error
    }
  }

  /// The events come while the sync runs, as those of another thread: it does not cover them.
  private mutating func commit(_ writer: LogWriter, whileAppending count: Int) throws {
    let before = appended.count
    let batch = events.events(count)
    let records = try LogWriter.records(batch)
    let taken = Monitor(0)
    disk.duringNextSync {
      // Only when the writer's monitor is free: a segment is ended while it is not.
      _ = writer.commits.tryLook { state in
        // As a thread would: who was told of a failure appends nothing behind what was not taken.
        for record in records {
          guard (try? state.append(record)) != nil else { break }
          taken.withLock { $0 += 1 }
        }
      }
    }
    defer { disk.duringNextSync(nil) }
    let result = Result { () throws(LogError) in try writer.commit() }
    appended += batch.prefix(taken.withLock { $0 })
    acknowledged = Int(try result.get())
    try require(
      acknowledged >= before && acknowledged <= appended.count,
      "a commit of \(before) events says \(acknowledged)")
  }

  /// A writer that failed has acknowledged what it says is durable, and takes nothing more.
  private mutating func checkPoisoned(_ writer: LogWriter) throws {
    acknowledged = max(acknowledged, Int(writer.durablePosition))
    if !disk.isWithoutPower { promised = acknowledged }
    do {
      try writer.commit()
    } catch let error {
      return try require(error.code == .poisoned, "a failed writer says \(error)")
    }
    throw Broken(description: "a failed writer goes on")
  }

  // MARK: Ending

  /// Lets the power go.
  mutating func crash(using random: inout SeededGenerator) {
    disk = disk.crash(using: &random)
    promised = nil
  }

  /// The process ends, or the writer is closed; the machine goes on, and nothing fails any more.
  mutating func restart() {
    disk.inject([])
    disk.cutPower(at: nil)
    disk.setCapacity(.max)
  }

  // MARK: Checking

  /// Recovery that the power cuts short, several times.
  mutating func crashWhileRecovering(using random: inout SeededGenerator) throws {
    while random.chance(0.4) {
      disk.cutPower(at: 1 + random.index(12))
      _ = try? openWriter()
      crash(using: &random)
      _ = try readBack()
    }
  }

  /// Checks what a reader finds, lets a writer recover, and checks again. What is there then is what the
  /// log is from now on.
  mutating func recover() throws {
    let before = try readBack()
    if let promised {
      try require(
        before?.count == promised,
        "a writer said that \(promised) events are stored, not \(before?.count ?? 0)")
    }
    promised = nil
    let files = Self.segments(of: disk)
    do {
      let writer = try openWriter()
      if let recovered = writer.recovered { try keep(recovered, before: files) }
      try takeStock(of: writer)
    }
    if let before { try require(before == appended, "the recovered log is another one") }
    let recovered = Self.segments(of: disk)
    do {
      let again = try openWriter()
      try require(
        again.recovered == nil && again.nextPosition == UInt64(appended.count)
          && Self.segments(of: disk) == recovered, "recovering once is not enough")
    }
    try checkKept()
  }

  /// What a reader finds; nil when nothing is there, or not all of it can be read before the recovery.
  private func readBack() throws -> [Event]? {
    let reader: LogReader
    do throws(LogError) {
      reader = try LogReader(Self.path, disk: disk)
    } catch {
      if error.code == .inputOutput { throw error }
      try require(
        error.code == .notFound && acknowledged == 0, "the log cannot be opened: \(error)")
      return nil
    }
    let read = try reader.allEvents()
    try require(
      read.count >= acknowledged,
      "\(acknowledged) events were acknowledged, \(read.count) are there")
    try require(
      read == Array(appended.prefix(read.count)), "what is read is not what was appended")
    return read
  }

  /// From now on the log is what is there, and all of it durable: a writer that opens a log says so.
  private mutating func takeStock(of writer: LogWriter) throws {
    guard let read = try readBack() else {
      throw Broken(description: "a log that is open for writing cannot be read")
    }
    try require(
      writer.nextPosition == UInt64(read.count) && writer.durablePosition == UInt64(read.count),
      "the writer stands at \(writer.nextPosition), the log at \(read.count)")
    appended = read
    acknowledged = read.count
  }

  private static func segments(of disk: SimulatedDisk) -> [String: [UInt8]] {
    let names = (try? disk.list(path)) ?? []
    let pairs = names.map { (path + "/" + $0, disk.contents(path + "/" + $0) ?? []) }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  private mutating func keep(_ tail: RecoveredTail, before files: [String: [UInt8]]) throws {
    let cut = Array((files[tail.path] ?? []).dropFirst(Int(tail.offset)))
    try require(UInt64(cut.count) == tail.byteCount, "\(tail.byteCount) bytes, not \(cut.count)")
    try require(disk.contents(tail.quarantined) == cut, "the quarantine has other bytes")
    quarantined[tail.quarantined] = cut
  }

  /// What was set aside is still there, and nothing was removed but files that never were segments, whose
  /// bytes are in the quarantine.
  private func checkKept() throws {
    for (path, bytes) in quarantined {
      try require(disk.contents(path) == bytes, "\(path) is no more what it was")
    }
    let folder = Self.path + "/" + LogDirectory.quarantineName
    let kept = ((try? disk.list(folder)) ?? []).map { disk.contents(folder + "/" + $0) }
    for removal in disk.removals where !removal.path.hasSuffix(SegmentRewriter.suffix) {
      try require(
        (removal.bytes.count <= SegmentHeader.byteCount || removal.bytes.allSatisfy { $0 == 0 })
          && (try? SegmentHeader(removal.bytes)) == nil && kept.contains(removal.bytes),
        "\(removal.path) was removed")
    }
  }
}
