import Events
import Foundation
import TestSupport
import Testing
import Threads

@testable import EventLog

@Suite("Closing a writer, and replacing one that failed", .serialized)
struct WriterClosingConcurrencyTests {
  private let folder: TemporaryFolder
  private let disk = GatedDisk()
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func makeWriter(frameRowCount: Int = 65_536) throws -> LogWriter {
    var options = LogOptions()
    options.frameRowCount = frameRowCount
    return try LogWriter(log, options: options, disk: disk)
  }

  private func expectPoisoned(_ writer: LogWriter, _ event: Event) async throws {
    let record = try EventRecord.of(event)
    let producer = ProducerID(name: "p")
    let calls: [@Sendable () async throws -> Void] = [
      { try writer.append(record) },
      { try writer.append([event]) },
      { _ = try writer.appendOnce(record) },
      { try writer.append([event], producer: producer, sequence: 1) },
      { try writer.indexIDs() },
      { try writer.commit(upTo: .max) },
      { try await writer.commit() },
      { try await writer.commit(upTo: .max) },
      { try await writer.appendDurably(record) },
    ]
    for (index, call) in calls.enumerated() {
      let error = await #expect(throws: LogError.self, "call \(index)") { try await call() }
      #expect(error?.code == .poisoned, "call \(index)")
    }
    let blocking = #expect(throws: LogError.self) { () throws in try Self.commit(writer) }
    #expect(blocking?.code == .poisoned)
  }

  private static func commit(_ writer: LogWriter) throws { try writer.commit() }

  @Test("the log can be opened again while others hold the writer, which refuses every call")
  func closing() async throws {
    var generator = EventGenerator(seed: 1)
    let events = generator.events(5)
    let writer = try makeWriter()
    try writer.append(events)
    try await writer.commit()
    try writer.append(generator.events(2))
    writer.close()
    writer.close()
    let another = try makeWriter()
    #expect(another.recovered == nil && another.nextPosition == 5)
    try await expectPoisoned(writer, events[0])
    #expect(writer.durablePosition == 5 && writer.nextPosition == 5)
    #expect(try await writer.commit(upTo: 5) >= 5, "what is durable is known")
    let error = #expect(throws: LogError.self) { try writer.append(events) }
    #expect(error?.message.contains("closed") == true)
    #expect(error?.message.contains("before 5 are stored") == true)
    try another.append(events)
    try await another.commit()
    #expect(try LogReader(log).allEvents() == events + events)
    writer.close()
    #expect(throws: LogError.self, "another one holds the lock") { try LogWriter(log) }
    #expect(another.nextPosition == 10)
  }

  @Test("frames that were written are stored before it closes, or are not: the error says which")
  func unsynced() throws {
    var generator = EventGenerator(seed: 2)
    let events = generator.events(7)
    let writer = try makeWriter(frameRowCount: 2)
    for event in events { try writer.append([event]) }
    writer.close()
    let stored = writer.durablePosition
    let error = #expect(throws: LogError.self) { try writer.append(events) }
    #expect(error?.message.contains("before \(stored) are stored") == true)
    #expect(try LogReader(log).allEvents() == Array(events.prefix(Int(stored))))
    #expect(try makeWriter().nextPosition == stored)
  }

  @Test("a writer that failed is closed and replaced, and whoever holds the old one is refused")
  func replacing() async throws {
    var generator = EventGenerator(seed: 3)
    var events = generator.events(4)
    let writer = try makeWriter()
    try writer.append(events)
    try await writer.commit()
    disk.state.withLock { $0.failingWrite = 1 }
    try writer.append(generator.events(1))
    let failure = await #expect(throws: LogError.self) { try await writer.commit() }
    #expect(failure?.code == .inputOutput)
    writer.close()
    let another = try makeWriter()
    try await expectPoisoned(writer, events[0])
    let more = generator.events(3)
    try another.append(more)
    try await another.commit()
    events += more
    #expect(try LogReader(log).allEvents() == events)
  }

  @Test("a failed writer that is released frees the lock at once")
  func releasing() async throws {
    var generator = EventGenerator(seed: 4)
    for round in 0..<10 {
      let writer = try makeWriter()
      try writer.append(generator.events(1))
      disk.state.withLock { $0.failingWrite = 1 }
      await #expect(throws: LogError.self, "round \(round)") { try await writer.commit() }
    }
    #expect(try makeWriter().nextPosition == 0)
  }

  @Test("a commit whose sync runs gets its result, one that waits for the next is refused")
  func waiting() throws {
    var generator = EventGenerator(seed: 5)
    let (disk, writer, gate) = (disk, try makeWriter(), Gate())
    disk.setGate { _ in gate.pass() }
    let results = Monitor<[Result<UInt64, LogError>?]>([nil, nil])
    let batches = [generator.events(2), generator.events(1)]
    let closer = startThread {
      yield { disk.syncs == 1 && writer.commits.waitingCount == 1 }
      let opener = startThread {
        yield { writer.commits.look { $0.commits.isClosing } }
        gate.open()
      }
      writer.close()
      pthread_join(opener, nil)
    }
    onThreads(2) { number in
      if number == 1 { yield { disk.syncs == 1 } }
      #expect(throws: Never.self) { try writer.append(batches[number]) }
      let result = Result { () throws(LogError) in try writer.commit() }
      results.withLock { $0[number] = result }
    }
    pthread_join(closer, nil)
    #expect(results.withLock { $0[0] } == .success(2))
    guard case .failure(let error) = results.withLock({ $0[1] }) else {
      Issue.record("a commit that no sync covers succeeds")
      return
    }
    #expect(error.code == .poisoned)
    #expect(try LogReader(log).allEvents() == batches[0])
  }

  @Test("threads and tasks that append and commit while it closes are answered, and truthfully")
  func underLoad() async throws {
    for round in 0..<10 as Range<UInt64> {
      let path = folder.path("log \(round)")
      let writer = try LogWriter(path, options: LogOptions(), disk: SystemDisk())
      let acknowledged = Monitor<UInt64>(0)
      let note: @Sendable (UInt64) -> Void = { position in
        acknowledged.withLock { $0 = max($0, position) }
      }
      let closer = startThread {
        yield { acknowledged.withLock { $0 } > round * 3 }
        writer.close()
        #expect(throws: Never.self) {
          let another = try LogWriter(path)
          #expect(another.nextPosition >= acknowledged.withLock { $0 })
        }
      }
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<6 as Range<UInt64> {
          group.addTask {
            var generator = EventGenerator(seed: round &* 10 &+ task)
            do {
              while true {
                try writer.append([generator.next()])
                note(try await writer.commit())
              }
            } catch {
              #expect((error as? LogError)?.code == .poisoned)
            }
          }
        }
      }
      pthread_join(closer, nil)
      #expect(try LogReader(path).eventCount == writer.durablePosition)
    }
  }

  @Test("the committer of a writer that is being closed goes on until no task can begin to wait")
  func committerEnds() throws {
    let writer = try makeWriter()
    let isEnding = writer.commits.look { state in
      (state.commits.isEnding, state.commits.isClosing) = (true, true)
      let before = state.nextAction()
      state.stop()
      let after = state.nextAction()
      (state.commits.isEnding, state.commits.isClosing) = (false, false)
      return [before, after].map { if case .end = $0 { true } else { false } }
    }
    #expect(isEnding == [false, true])
    writer.close()
  }

  // MARK: Committing up to a position

  @Test("a task is resumed when its own position is durable, in the order of positions")
  func upTo() async throws {
    var generator = EventGenerator(seed: 6)
    let writer = try makeWriter()
    try writer.append(generator.events(3))
    #expect(try await writer.commit(upTo: 0) == 0, "nothing to wait for")
    #expect(disk.covered.values.allSatisfy { $0 <= 64 })
    #expect(try await writer.commit(upTo: 2) == 3, "a sync covers all that was appended")
    let (disk, gate) = (disk, Gate())
    disk.setGate { number in if number == 2 { gate.pass() } }
    try writer.append(generator.events(1))
    try await withThrowingTaskGroup(of: UInt64.self) { group in
      // The first sync covers position 4, the second, which waits, the rest.
      group.addTask { try await writer.commit(upTo: 4) }
      #expect(try await group.next() == 4)
      try writer.append(generator.events(2))
      group.addTask { try await writer.commit() }
      while disk.syncs < 2 { try await Task.sleep(nanoseconds: 100_000) }
      #expect(try await writer.commit(upTo: 3) == 4, "what is durable is not waited for")
      gate.open()
      #expect(try await group.next() == 6)
    }
    #expect(try await writer.commit(upTo: .max) == 6)
  }

  @Test("tasks that wait for earlier positions come first, whenever they began to wait")
  func order() {
    var targets: [UInt64] = []
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 { targets.append(UInt64(random.index(20))) }
    var places: [(target: UInt64, number: Int)] = []
    for (number, target) in targets.enumerated() {
      places.insert((target, number), at: Commits.place(of: target, among: places.map(\.target)))
    }
    let expected = targets.enumerated().sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }
    #expect(places.map(\.number) == expected.map(\.offset))
  }
}
