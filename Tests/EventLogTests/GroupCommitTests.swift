import Events
import Foundation
import TestSupport
import Testing
import Threads

@testable import EventLog

/// What a test is told of a commit, and what of the files was durable at that moment.
private struct Acknowledgement {
  var position: UInt64
  var covered: [String: UInt64]
}

@Suite("Group commit of threads and tasks", .serialized)
struct GroupCommitTests {
  private let folder: TemporaryFolder
  private let disk = GatedDisk()
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func makeWriter(
    frameRowCount: Int = 65_536, segmentByteCount: UInt64 = 1 << 20
  ) throws -> LogWriter {
    var options = LogOptions(segmentByteCount: segmentByteCount)
    options.frameRowCount = frameRowCount
    return try LogWriter(log, options: options, disk: disk)
  }

  /// The event of a thread or task; its unit says which, its time says in which order.
  private static func record(_ thread: Int, _ number: Int) throws -> EventRecord {
    var record = EventRecord()
    try record.load(
      Event(
        time: Timestamp(microseconds: Int64(number)), unit: UnitID("t\(thread)"), id: nil,
        payload: .conversion(
          Conversion(goal: "g", revenue: nil, negative: nil, metadata: nil)), unknownFields: .init()
      )
    )
    return record
  }

  /// Every event is there once, those of each thread in its order, and what was acknowledged was durable then.
  private func check(
    _ acknowledgements: [Acknowledgement], threads: Int, each: Int
  ) throws {
    let reader = try LogReader(log)
    for acknowledgement in acknowledgements {
      for frame in reader.frames where frame.basePosition < acknowledgement.position {
        let covered = acknowledgement.covered[reader.segments[frame.segment].path] ?? 0
        #expect(
          frame.endOffset <= covered, "\(acknowledgement.position) was acknowledged too early")
      }
    }
    var times: [String: [Int64]] = [:]
    for event in try reader.allEvents() {
      times[event.unit.rawValue, default: []].append(event.time.microseconds)
    }
    #expect(times.count == threads)
    #expect(times.values.allSatisfy { $0 == (0..<Int64(each)).map { $0 } })
  }

  // MARK: Threads

  @Test("one sync serves all waiting commits, none acknowledged before the sync that covers it")
  func threads() throws {
    let (threads, each) = (8, 40)
    let acknowledgements = Monitor<[Acknowledgement]>([])
    let active = Monitor(threads)
    do {
      let writer = try makeWriter()
      let commits = writer.commits
      // A sync goes on when every other thread that still has something to do waits for one.
      disk.setGate { _ in
        yield { commits.waitingCount >= active.withLock { $0 } - 1 }
      }
      let disk = disk
      onThreads(threads) { thread in
        for number in 0..<each {
          do {
            let position = try writer.append(try Self.record(thread, number))
            let durable = try writer.commit()
            #expect(durable > position)
            let covered = disk.covered
            acknowledgements.withLock {
              $0.append(Acknowledgement(position: position + 1, covered: covered))
            }
          } catch {
            Issue.record(error)
          }
        }
        active.withLock { $0 -= 1 }
      }
    }
    let all = acknowledgements.withLock { $0 }
    #expect(all.count == threads * each)
    try check(all, threads: threads, each: each)
    // Whoever waits when a sync ends is served by it or by the next, so two syncs serve every thread.
    #expect(disk.syncs <= 2 * each + 2, "\(disk.syncs) syncs")
  }

  @Test("events are appended while a sync runs, and no commit returns before it has ended")
  func whileSyncing() throws {
    let writer = try makeWriter()
    let gate = Gate()
    disk.setGate { number in if number == 1 { gate.pass() } }
    let answered = Monitor(0)
    let disk = disk
    try writer.append(try Self.record(0, 0))
    let opener = startThread {
      yield { disk.syncs == 1 && writer.commits.waitingCount == 3 }
      #expect(answered.withLock { $0 } == 0)
      #expect(writer.durablePosition == 0)
      #expect(writer.nextPosition == 4)
      gate.open()
    }
    onThreads(4) { thread in
      do {
        if thread > 0 {
          yield { disk.syncs == 1 }
          try writer.append(try Self.record(thread, 0))
        }
        try writer.commit()
        answered.withLock { $0 += 1 }
      } catch {
        Issue.record(error)
      }
    }
    pthread_join(opener, nil)
    #expect(disk.syncs == 2, "one for the first, one for the three that came meanwhile")
    #expect(writer.durablePosition == 4)
    try writer.commit()
    #expect(disk.syncs == 2, "what is durable already needs no sync")
  }

  @Test(
    "when a sync fails all waiting commits throw, and acknowledged events are preserved",
    arguments: 2...4)
  func poisoned(failing: Int) throws {
    let acknowledged = Monitor<UInt64>(0)
    let failures = Monitor<[LogError]>([])
    do {
      let writer = try makeWriter(frameRowCount: 1)
      let commits = writer.commits
      disk.setGate { number throws(LogError) in
        guard number >= failing else { return }
        yield { commits.waitingCount == 7 }
        // Frames stand behind those that are being synced.
        throw LogError(.inputOutput, "Input/output error", path: "x")
      }
      onThreads(8) { thread in
        do {
          for number in 0... {
            try writer.append(try Self.record(thread, number))
            try writer.append(try Self.record(thread, number))
            let durable = try writer.commit()
            acknowledged.withLock { $0 = max($0, durable) }
          }
        } catch let error as LogError {
          failures.withLock { $0.append(error) }
        } catch {
          Issue.record(error)
        }
      }
      let durable = acknowledged.withLock { $0 }
      #expect(writer.durablePosition == durable)
      for failure in failures.withLock({ $0 }) {
        #expect(failure.code == .inputOutput)
        #expect(failure.message.contains("the events before \(durable) are stored"))
      }
      #expect(#expect(throws: LogError.self) { try writer.commit() }?.code == .poisoned)
      let late = #expect(throws: LogError.self) { try writer.append(try Self.record(9, 9)) }
      #expect(late?.code == .poisoned)
      // The gate knows the writer, which must be gone before the next one comes.
      disk.setGate { _ in }
    }
    #expect(failures.withLock { $0.count } == 8)
    let again = try LogWriter(log)
    #expect(again.nextPosition == acknowledged.withLock { $0 }, "the rest was cut off")
  }

  @Test(
    "when writing fails during a sync, its commit returns as the sync ends, and later calls report how much is stored",
    arguments: [true, false])
  func failedWrite(isSyncFailingToo: Bool) throws {
    let stored: UInt64
    do {
      let writer = try makeWriter(frameRowCount: 1)
      let gate = Gate()
      disk.setGate { number throws(LogError) in
        guard number == 1 else { return }
        gate.pass()
        if isSyncFailingToo { throw LogError(.inputOutput, "Input/output error", path: "x") }
      }
      try writer.append(try Self.record(0, 0))
      let disk = disk
      let commits = writer.commits
      let opener = startThread {
        // The one that could not append waits to be told what is stored.
        yield { commits.look { $0.commits.isSettling } && commits.waitingCount == 1 }
        gate.open()
      }
      onThreads(2) { thread in
        if thread == 0 {
          let result = Result { () throws(LogError) in try writer.commit() }
          #expect((try? result.get()) == (isSyncFailingToo ? nil : 2))
        } else {
          yield { disk.syncs == 1 }
          // The first stays in memory until the second comes; so one frame is written, and one fails.
          let error = #expect(throws: LogError.self) {
            try writer.append(try Self.record(1, 0))
            try writer.append(try Self.record(1, 1))
            disk.state.withLock { $0.failingWrite = 1 }
            try writer.append(try Self.record(1, 2))
          }
          let count = isSyncFailingToo ? 0 : 2
          #expect(error?.message.contains("No space left") == true)
          #expect(error?.message.contains("the events before \(count) are stored") == true)
        }
      }
      pthread_join(opener, nil)
      stored = writer.durablePosition
    }
    #expect(stored == (isSyncFailingToo ? 0 : 2))
    #expect(try LogReader(log).eventCount == stored)
  }

  @Test("no segment is ended during its sync; the next frame after that begins another")
  func segments() throws {
    do {
      let writer = try makeWriter(frameRowCount: 1, segmentByteCount: 100)
      let gate = Gate()
      disk.setGate { number in if number == 1 { gate.pass() } }
      try writer.append(try Self.record(0, 0))
      let (disk, log) = (disk, log)
      onThreads(2) { thread in
        do {
          if thread == 0 {
            try writer.commit()
          } else {
            yield { disk.syncs == 1 }
            for number in 1..<6 { try writer.append(try Self.record(0, number)) }
            #expect(try LogReader(log).segments.count == 1)
            gate.open()
          }
        } catch {
          Issue.record(error)
        }
      }
      #expect(writer.durablePosition == 1)
      try writer.commit()
      #expect(writer.durablePosition == 6)
    }
    let reader = try LogReader(log)
    #expect(reader.segments.map(\.basePosition) == [0, 5])
    #expect(reader.eventCount == 6)
    try check([], threads: 1, each: 6)
  }

  // MARK: Tasks

  @Test("tasks wait for the disk without blocking the cooperative thread pool")
  func tasks() async throws {
    let (tasks, each) = (16, 20)
    let acknowledgements = Monitor<[Acknowledgement]>([])
    let active = Monitor(tasks)
    let disk = disk
    do {
      let writer = try makeWriter()
      let commits = writer.commits
      // More tasks than there are processors must be able to wait at the same time.
      disk.setGate { _ in
        yield {
          let active = active.withLock { $0 }
          return commits.look { $0.commits.tasks.count >= active }
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<tasks {
          group.addTask {
            for number in 0..<each {
              let position = try await writer.appendDurably(try Self.record(task, number))
              let covered = disk.covered
              acknowledgements.withLock {
                $0.append(Acknowledgement(position: position + 1, covered: covered))
              }
            }
            active.withLock { $0 -= 1 }
          }
        }
        try await group.waitForAll()
      }
    }
    try check(acknowledgements.withLock { $0 }, threads: tasks, each: each)
    #expect(disk.syncs <= 2 * each + 2, "\(disk.syncs) syncs")
  }

  @Test("threads and tasks share syncs, and the writer's thread ends with the writer")
  func mixed() async throws {
    let acknowledgements = Monitor<[Acknowledgement]>([])
    let disk = disk
    let acknowledge = { @Sendable (position: UInt64) in
      let covered = disk.covered
      acknowledgements.withLock {
        $0.append(Acknowledgement(position: position + 1, covered: covered))
      }
    }
    for round in 0..<5 {
      // The lock gets free again as soon as nobody holds on to the writer before: its thread has ended too.
      var opened: LogWriter?
      while opened == nil {
        do {
          opened = try makeWriter(frameRowCount: 3, segmentByteCount: 6_000)
        } catch let error as LogError where error.code == .locked {
          await Task.yield()
        }
      }
      let writer = try #require(opened)
      opened = nil
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
          group.addTask {
            for number in round * 10..<(round + 1) * 10 {
              acknowledge(try await writer.appendDurably(try Self.record(task, number)))
            }
          }
        }
        let blocking = startThread {
          onThreads(4) { thread in
            do {
              for number in round * 10..<(round + 1) * 10 {
                let position = try writer.append(try Self.record(4 + thread, number))
                try Self.block(writer)
                acknowledge(position)
              }
            } catch {
              Issue.record(error)
            }
          }
        }
        try await group.waitForAll()
        pthread_join(blocking, nil)
      }
    }
    try check(acknowledgements.withLock { $0 }, threads: 8, each: 50)
    #expect(try LogReader(log).segments.count > 3)
  }

  @Test("a task that is cancelled while it waits still gets its result")
  func cancelled() async throws {
    let writer = try makeWriter()
    let gate = Gate()
    disk.setGate { _ in gate.pass() }
    let task = Task { try await writer.appendDurably(try Self.record(0, 0)) }
    while disk.syncs == 0 { await Task.yield() }
    task.cancel()
    gate.open()
    #expect(try await task.value == 0)
    #expect(writer.durablePosition == 1)
  }

  @Test("when a sync fails all waiting tasks throw")
  func poisonedTasks() async throws {
    let writer = try makeWriter()
    let commits = writer.commits
    disk.setGate { _ throws(LogError) in
      yield { commits.look { $0.commits.tasks.count == 8 } }
      throw LogError(.inputOutput, "Input/output error", path: "x")
    }
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          let error = await #expect(throws: LogError.self) {
            try await writer.appendDurably(try Self.record(task, 0))
          }
          #expect(error?.code == .inputOutput)
          #expect(error?.message.contains("the events before 0 are stored") == true)
        }
      }
    }
    let late = await #expect(throws: LogError.self) { try await writer.commit() }
    #expect(late?.code == .poisoned)
  }

  @Test("one task writes the same bytes as one thread")
  func sameBytes() async throws {
    var files: [[UInt8]] = []
    for name in ["thread", "task"] {
      let path = folder.path(name)
      do {
        let writer = try LogWriter(path, options: LogOptions(seed: 1))
        var generator = EventGenerator(seed: 1)
        for _ in 0..<10 {
          try writer.append(generator.events(7))
          if name == "task" { try await writer.flush() } else { try Self.block(writer) }
        }
      }
      let segment = path + "/" + SegmentHeader.fileName(basePosition: 0)
      files.append(Array(try #require(FileManager.default.contents(atPath: segment))))
    }
    #expect(files[0] == files[1])
  }

  private static func block(_ writer: LogWriter) throws { try writer.commit() }
}
