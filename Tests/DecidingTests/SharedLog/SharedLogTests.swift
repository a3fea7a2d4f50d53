import Deciding
import EventLog
import Events
import Foundation
import TestSupport
import Testing
import Threads

@Suite("Systems that share a log")
struct SharedLogTests {
  @Test(
    "each is restored from it after any calls and crashes, and answers as before",
    arguments: LongTests.chunks(6, of: 200))
  func histories(chunk: UInt64) async throws {
    for seed in chunk * 20..<(chunk + 1) * 20 {
      var history = try SharedHistory(seed: seed)
      do {
        try await history.run()
      } catch let broken as SharedHistory.Broken {
        Issue.record("seed \(seed): \(broken.description)")
      }
    }
  }

  @Test("the histories contain every kind of event, of every system and of none")
  func reach() async throws {
    var reached: Set<String> = []
    for seed in 0..<40 as Range<UInt64> {
      var history = try SharedHistory(seed: seed)
      try? await history.run()
      for event in history.appended {
        reached.insert("\(event.system ?? "none") \(event.instance == nil ? "" : "named")")
        reached.insert(event.kind.name)
      }
    }
    for kind in EventKind.allCases where kind != .decisionConfirmed {
      #expect(reached.contains(kind.name))
    }
    for origin in SharedSystem.all {
      #expect(reached.contains("\(origin.system) \(origin.instance == nil ? "" : "named")"))
    }
    #expect(reached.contains("none "))
  }
}

/// A random history of all systems on one log, on a disk that loses power now and then.
struct SharedHistory {
  /// A promise that was broken.
  struct Broken: Error {
    var description: String
  }

  /// What a system knew after its last event so far.
  private struct Known {
    var position: UInt64
    var state: JSONValue
  }

  private static let path = "/log"

  private let seed: UInt64
  private var random: SeededGenerator
  private let clock = SharedClock()
  private var disk: SimulatedDisk
  private let sink = WriterSink()
  private var systems: [SharedSystem] = []
  /// What each system knew, in the order of time.
  private var known: [[Known]] = []
  /// A snapshot of each system, taken some time ago; nil when none was.
  private var snapshots: [String?]
  /// Everything in the log.
  private(set) var appended: [Event] = []

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    disk = SimulatedDisk(seed: seed)
    snapshots = SharedSystem.all.map { _ in nil }
    try open()
  }

  private func open() throws {
    try sink.open { try LogWriter(Self.path, options: LogOptions(seed: seed), disk: disk) }
  }

  mutating func run() async throws {
    let imports = (0..<random.index(8)).map { _ in
      SharedCalls.imported(&random, at: clock.now)
    }
    try sink.append(imports)
    try start()
    for _ in 0..<2 + random.index(3) {
      for _ in 0..<10 + random.index(60) { try step() }
      if random.chance(0.5) { try crash() } else { try restart() }
      try start()
    }
    try await compareAnswers()
  }

  private func require(_ holds: Bool, _ words: @autoclosure () -> String) throws {
    if !holds { throw Broken(description: words()) }
  }

  // MARK: Living

  private mutating func step() throws {
    let index = random.index(systems.count)
    _ = systems[index].call(&random)
    if random.chance(0.5) { clock.advance(Int64(random.index(200_000_000))) }
    known[index].append(
      Known(position: try sink.writer.nextPosition, state: try systems[index].state))
    if random.chance(0.1) { try sink.writer.commit() }
    if random.chance(0.1) { snapshots[index] = systems[index].snapshot }
  }

  /// The writer goes as it should.
  private mutating func restart() throws {
    try sink.writer.commit()
    systems = []
    try open()
  }

  /// The power goes: what was not committed may be lost, and is then as if it had never been.
  private mutating func crash() throws {
    let durable = try sink.writer.durablePosition
    disk = disk.crash(using: &random)
    systems = []
    try open()
    let end = try sink.writer.nextPosition
    try require(end >= durable, "\(durable - min(end, durable)) durable events are lost")
    for index in snapshots.indices {
      known[index].removeAll { $0.position > end }
      // A snapshot of what is lost must not be kept either: a host keeps one after a flush.
      guard let text = snapshots[index], try Self.position(text) > end else { continue }
      snapshots[index] = nil
    }
  }

  private static func position(_ snapshot: String) throws -> UInt64 {
    UInt64(try JSONValue(parsing: snapshot)["position"]?.integer ?? 0)
  }

  // MARK: Coming back

  /// Makes every system from the log, in each of the ways that there are, and compares it with what the live one knew.
  private mutating func start() throws {
    try sink.writer.commit()
    let events = try logged()
    appended = events.map(\.event)
    for (index, origin) in SharedSystem.all.enumerated() {
      let system = try system(origin, nil, events)
      if known.count <= index { known.append([Known(position: 0, state: try system.state)]) }
      try check(system, index, "the whole log")
      try check(self.system(origin, nil, appended), index, "the whole log without positions")
      if let text = snapshots[index] {
        let rest = appended.dropFirst(Int(try Self.position(text)))
        try check(self.system(origin, text, events), index, "a snapshot and the whole log")
        try check(self.system(origin, text, rest), index, "a snapshot and what came after it")
      }
      try checkTwin(system, events)
      systems.append(system)
    }
  }

  private func system(
    _ origin: (system: SystemID, instance: InstanceID?), _ snapshot: String?,
    _ events: some Sequence<some ReplayableEvent>, _ other: (any EventSink)? = nil
  ) throws -> SharedSystem {
    try SharedSystem(
      origin, SharedWorld(clock, seed: seed, sink: other ?? sink), snapshot, events)
  }

  private func logged() throws -> [LoggedEvent] {
    var events: [LoggedEvent] = []
    try LogReader(Self.path, disk: disk).forEachEvent { record, position in
      events.append(LoggedEvent(position: position, event: try Event(record)))
    }
    return events
  }

  private func check(_ system: SharedSystem, _ index: Int, _ source: String) throws {
    let name = "\(system.system) \(system.instance?.rawValue ?? "")"
    try require(try system.state == known[index].last?.state, "\(name), from \(source)")
    let end = try sink.writer.nextPosition
    try require(try system.position == end, "\(name) is at another position, from \(source)")
  }

  /// By the rule in plain words: a system knows what its own events say, and those of nobody.
  private func checkTwin(_ system: SharedSystem, _ events: [LoggedEvent]) throws {
    let own = events.filter { logged in
      let isOfNobody = logged.event.system == nil
      let isOwn = logged.event.system == system.system && logged.event.instance == system.instance
      return isOfNobody || isOwn
    }
    let twin = try self.system((system.system, system.instance), nil, own, MemorySink())
    try require(try twin.state == system.state, "\(system.system) reads events of others")
  }

  /// The live systems, and those that are made from the log and from snapshots, answer alike.
  private mutating func compareAnswers() async throws {
    for _ in 0..<20 { try step() }
    // What waits to be sent is known to the live system only.
    for case .experiments(let factory) in systems.map(\.live) {
      try await factory.create(siteCode: SharedSystem.site).flush()
    }
    try await sink.writer.commit()
    let events = try logged()
    for (index, origin) in SharedSystem.all.enumerated() {
      let end = UInt64(events.count)
      let replayed = try system(origin, nil, events, MemorySink(startingAt: end))
      let restored = try system(origin, snapshots[index], events, MemorySink(startingAt: end))
      let answers = try [systems[index], replayed, restored].map {
        try $0.answers(seed: seed, count: 12)
      }
      try require(answers[0] == answers[1], "\(origin) answers otherwise after a replay")
      try require(answers[0] == answers[2], "\(origin) answers otherwise after a snapshot")
      let states = try [systems[index], replayed, restored].map { try $0.state }
      try require(states[0] == states[1] && states[1] == states[2], "\(origin) knows otherwise")
    }
  }
}

/// Hands events to the writer of the moment, and makes them durable in the thread that asks.
final class WriterSink: EventSink {
  struct Closed: Error {}

  private let current = Monitor<LogWriter?>(nil)

  /// The writer of the moment.
  var writer: LogWriter {
    get throws {
      guard let writer = current.withLock({ $0 }) else { throw Closed() }
      return writer
    }
  }

  /// Lets the writer go, and then takes another one.
  func open(_ make: () throws -> LogWriter) throws {
    current.withLock { $0 = nil }
    let writer = try make()
    current.withLock { $0 = writer }
  }

  @discardableResult
  func append(_ events: [Event]) throws -> Range<UInt64> { try writer.append(events) }

  func flush() async throws { try await writer.commit() }
}
