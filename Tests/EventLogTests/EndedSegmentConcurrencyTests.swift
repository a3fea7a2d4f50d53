import Events
import Foundation
import Platform
import Synchronization
import TestSupport
import Testing
import Threads

@testable import EventLog

@Suite("Segments that are compacted in the background", .serialized)
struct EndedSegmentConcurrencyTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func makeWriter(
    _ disk: any Disk, name: String = "log", seed: UInt64? = nil
  ) throws -> LogWriter {
    var options = LogOptions(segmentByteCount: 10_000, seed: seed)
    options.smallFrameCount = 3
    return try LogWriter(folder.path(name), options: options, disk: disk)
  }

  /// Appends small frames until a number of segments exists.
  private func fill(
    _ writer: LogWriter, _ generator: inout EventGenerator, segments: Int, name: String = "log"
  ) throws -> [Event] {
    var events: [Event] = []
    while try LogReader(folder.path(name)).segments.count < segments {
      let batch = generator.events(2)
      try writer.append(batch)
      try writer.commit()
      events += batch
    }
    return events
  }

  private func frameCounts() throws -> [Int] {
    let log = try LogReader(log)
    return log.segments.indices.map { index in
      log.frames.count { $0.segment == index && $0.rows > 0 }
    }
  }

  private func hasHalfFile() throws -> Bool {
    try SystemDisk().list(log)?.contains { $0.hasSuffix(SegmentRewriter.suffix) } == true
  }

  @Test("nobody waits for the rewrite: others append, commit, end segments and read meanwhile")
  func nobodyWaits() throws {
    let gate = Gate()
    let disk = RewriteGateDisk { gate.pass() }
    var generator = EventGenerator(seed: 1)
    let writer = try makeWriter(disk)
    // It returns although the rewrite of the first segment stands at the gate.
    var events = try fill(writer, &generator, segments: 2)
    yield { disk.rewriteCount == 1 }
    let before = try LogReader(log)
    events += try fill(writer, &generator, segments: 4)
    #expect(try frameCounts().dropLast().allSatisfy { $0 > 3 })
    #expect(try LogReader(log).allEvents() == events)
    #expect(disk.rewriteCount == 1)
    gate.open()
    writer.commits.waitForCompacting()
    #expect(try frameCounts().dropLast() == [1, 1, 1])
    #expect(disk.mostAtOnce == 1 && disk.rewriteCount == 3)
    #expect(try LogReader(log).allEvents() == events)
    #expect(try before.allEvents() == Array(events.prefix(Int(before.eventCount))))
  }

  @Test("closing abandons a rewrite that runs: the segment stays, and no half file is left")
  func closing() throws {
    let gate = Gate()
    let disk = RewriteGateDisk { gate.pass() }
    var generator = EventGenerator(seed: 2)
    let writer = try makeWriter(disk)
    let events = try fill(writer, &generator, segments: 3)
    yield { disk.rewriteCount == 1 }
    let closer = startThread { writer.close() }
    yield { writer.commits.isAbandoning.load(ordering: .relaxed) }
    gate.open()
    pthread_join(closer, nil)
    #expect(try frameCounts().dropLast().allSatisfy { $0 > 3 })
    #expect(try !hasHalfFile())
    let another = try makeWriter(SystemDisk())
    #expect(another.recovered == nil && another.nextPosition == UInt64(events.count))
    #expect(try LogReader(log).allEvents() == events)
  }

  @Test("a rewrite that runs when the writer fails comes to its end; the lock is free then")
  func failingMeanwhile() throws {
    let gate = Gate()
    let disk = RewriteGateDisk { gate.pass() }
    var generator = EventGenerator(seed: 3)
    var events: [Event] = []
    do {
      let writer = try makeWriter(disk)
      events = try fill(writer, &generator, segments: 3)
      yield { disk.rewriteCount == 1 }
      disk.failNextWrite()
      try writer.append(generator.events(1))
      let error = #expect(throws: LogError.self) { try writer.commit() }
      #expect(error?.code == .inputOutput)
      gate.open()
      writer.commits.waitForCompacting()
    }
    #expect(try frameCounts()[0] == 1, "the one that ran")
    #expect(try frameCounts()[1] > 3, "the one that waited")
    let another = try makeWriter(SystemDisk())
    #expect(another.nextPosition == UInt64(events.count))
    #expect(try LogReader(log).allEvents() == events)
  }

  @Test("a seeded log has the same bytes every time: its writer is released when all is compacted")
  func seeded() throws {
    var contents: [[String: [UInt8]]] = []
    for name in ["a", "b"] {
      var generator = EventGenerator(seed: 4)
      do {
        let writer = try makeWriter(SystemDisk(), name: name, seed: 7)
        _ = try fill(writer, &generator, segments: 5, name: name)
      }
      let disk = SystemDisk()
      var files: [String: [UInt8]] = [:]
      for file in try disk.list(folder.path(name)) ?? [] where file.hasPrefix("seg-") {
        let opened = try disk.open(folder.path(name) + "/" + file, writable: false)
        files[file] = try opened.read(at: 0, count: Int(try opened.size()))
      }
      contents.append(files)
      let log = try LogReader(folder.path(name))
      #expect((0..<4).allSatisfy { index in log.frames.count { $0.segment == index } <= 2 })
    }
    #expect(contents[0] == contents[1])
  }

  @Test("several threads append while segments end and are compacted: every event is there once")
  func threads() throws {
    let (threads, each) = (4, 60)
    let disk = RewriteGateDisk()
    let writer = try makeWriter(disk)
    let (log, done) = (log, Monitor(0))
    let reader = startThread {
      while done.withLock({ $0 }) < threads {
        #expect(throws: Never.self) {
          let reader = try LogReader(log)
          #expect(try reader.allEvents().count == Int(reader.eventCount))
        }
      }
    }
    onThreads(threads) { thread in
      var generator = EventGenerator(seed: UInt64(thread))
      for number in 0..<each {
        var event = generator.next()
        event.id = EventID("\(thread)-\(number)")
        #expect(throws: Never.self) {
          try writer.append([event])
          if number % 3 == 0 { try writer.commit() }
        }
      }
      done.withLock { $0 += 1 }
    }
    pthread_join(reader, nil)
    try writer.commit()
    writer.commits.waitForCompacting()
    let ids = try LogReader(log).allEvents().compactMap { $0.id?.rawValue }
    #expect(ids.count == threads * each && Set(ids).count == ids.count)
    #expect(disk.mostAtOnce == 1 && disk.rewriteCount > 1)
    #expect(try LogReader(log).verify(deep: true).problems.isEmpty)
  }
}
