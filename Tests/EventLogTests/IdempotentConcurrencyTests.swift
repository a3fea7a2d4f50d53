import Events
import Foundation
import TestSupport
import Testing
import Threads

@testable import EventLog

/// The real disk, but a test determines when a log is opened for reading its ids.
private final class ListingGateDisk: WrappingDisk {
  let real = SystemDisk()
  private let gate = Monitor<(@Sendable () throws(LogError) -> Void)?>(nil)

  func setGate(_ body: (@Sendable () throws(LogError) -> Void)?) { gate.withLock { $0 = body } }

  func wrap(_ file: any DiskFile) -> any DiskFile { file }

  func list(_ path: String) throws(LogError) -> [String]? {
    try gate.withLock { $0 }?()
    return try real.list(path)
  }
}

@Suite("Idempotent appending from several threads", .serialized)
struct IdempotentConcurrencyTests {
  private let folder: TemporaryFolder
  private let disk = ListingGateDisk()
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func makeWriter(frameRowCount: Int = 20) throws -> LogWriter {
    var options = LogOptions(segmentByteCount: 20_000)
    options.frameRowCount = frameRowCount
    return try LogWriter(log, options: options, disk: disk)
  }

  private static func record(_ id: String) throws -> EventRecord {
    try .of(
      Event(
        time: Timestamp(microseconds: 1), unit: "u", id: EventID(id),
        payload: .conversion(
          Conversion(goal: "g", revenue: nil, negative: nil, metadata: nil)), unknownFields: .init()
      ))
  }

  private func ids() throws -> [String] {
    try LogReader(log).allEvents().compactMap { $0.id?.rawValue }
  }

  @Test(
    "others append and commit while the ids are indexed, and what they append is found",
    arguments: [0, 3, 7])
  func whileIndexing(earlier: Int) throws {
    do {
      let writer = try makeWriter()
      for number in 0..<earlier { try writer.append(try Self.record("old \(number)")) }
      try writer.commit()
    }
    let writer = try makeWriter(frameRowCount: 2)
    try writer.append(try Self.record("waiting"))
    let (gate, isListing) = (Gate(), Monitor(false))
    disk.setGate {
      isListing.withLock { $0 = true }
      gate.pass()
    }
    let indexer = startThread { #expect(throws: Never.self) { try writer.indexIDs() } }
    yield { isListing.withLock { $0 } }
    for number in 0..<5 { try writer.append(try Self.record("new \(number)")) }
    try writer.commit()
    try writer.append(try Self.record("new 5"))
    // Also an id that is there twice: the first one counts.
    try writer.append(try Self.record("new 1"))
    if earlier > 0 { try writer.append(try Self.record("old 0")) }
    gate.open()
    pthread_join(indexer, nil)
    let base = UInt64(earlier)
    for number in 0..<earlier {
      let found = try writer.appendOnce(try Self.record("old \(number)"))
      #expect(found == .alreadyThere(position: UInt64(number)))
    }
    #expect(
      try writer.appendOnce(try Self.record("waiting")) == .alreadyThere(position: base))
    for number in 0..<6 as Range<UInt64> {
      #expect(
        try writer.appendOnce(try Self.record("new \(number)"))
          == .alreadyThere(position: base + 1 + number))
    }
    #expect(try writer.appendOnce(try Self.record("another")).isNew)
  }

  @Test("of several first calls one builds the index, and the others wait for it")
  func once() throws {
    let writer = try makeWriter()
    try writer.append(try Self.record("a"))
    try writer.commit()
    let (gate, listings) = (Gate(), Monitor(0))
    disk.setGate {
      listings.withLock { $0 += 1 }
      gate.pass()
    }
    let answers = Monitor<[Appended]>([])
    let opener = startThread {
      yield { listings.withLock { $0 } == 1 && writer.commits.waitingCount == 3 }
      gate.open()
    }
    onThreads(4) { thread in
      #expect(throws: Never.self) {
        if thread == 0 { try writer.indexIDs() }
        let answer = try writer.appendOnce(try Self.record(thread < 2 ? "a" : "b"))
        answers.withLock { $0.append(answer) }
      }
    }
    pthread_join(opener, nil)
    #expect(listings.withLock { $0 } == 1)
    let all = answers.withLock { $0 }
    #expect(all.count { $0 == .alreadyThere(position: 0) } == 2)
    #expect(all.count { $0 == .new(position: 1) } == 1)
    #expect(all.count { $0 == .alreadyThere(position: 1) } == 1)
  }

  @Test("a call that fails leaves the writer usable, and one that waited builds the index")
  func failing() throws {
    let writer = try makeWriter()
    try writer.append(try Self.record("a"))
    try writer.commit()
    let (gate, listings) = (Gate(), Monitor(0))
    disk.setGate { () throws(LogError) in
      let number = listings.withLock { count in
        count += 1
        return count
      }
      guard number == 1 else { return }
      gate.pass()
      throw LogError(.inputOutput, "Input/output error", path: "")
    }
    let first = startThread {
      let error = #expect(throws: LogError.self) { try writer.indexIDs() }
      #expect(error?.code == .inputOutput)
    }
    yield { listings.withLock { $0 } == 1 }
    let second = startThread { #expect(throws: Never.self) { try writer.indexIDs() } }
    yield { writer.commits.waitingCount == 1 }
    gate.open()
    pthread_join(first, nil)
    pthread_join(second, nil)
    #expect(listings.withLock { $0 } == 2)
    #expect(try writer.appendOnce(try Self.record("a")) == .alreadyThere(position: 0))
  }

  @Test("a writer that is closed meanwhile says so")
  func closedMeanwhile() throws {
    let writer = try makeWriter()
    let (gate, isListing) = (Gate(), Monitor(false))
    disk.setGate {
      isListing.withLock { $0 = true }
      gate.pass()
    }
    let indexer = startThread {
      let error = #expect(throws: LogError.self) { try writer.indexIDs() }
      #expect(error?.code == .poisoned)
    }
    yield { isListing.withLock { $0 } }
    writer.close()
    gate.open()
    pthread_join(indexer, nil)
  }

  @Test(
    "each id is there once when several threads append the same ids and others append anything",
    arguments: 0..<UInt64(LongTests.areWanted ? 100 : 8))
  func overlapping(seed: UInt64) throws {
    let (threads, each, names) = (4, 120, 60)
    do {
      let writer = try makeWriter()
      var random = SeededGenerator(seed: seed)
      for _ in 0..<20 { try writer.append(try Self.record("x \(random.index(1_000))")) }
      for name in 0..<10 { _ = try writer.appendOnce(try Self.record("id \(name)")) }
      try writer.commit()
    }
    let writer = try makeWriter()
    let positions = Monitor<[String: Set<UInt64>]>([:])
    let news = Monitor<[String: Int]>([:])
    onThreads(threads + 1) { thread in
      var random = SeededGenerator(seed: seed &* 31 &+ UInt64(thread))
      for number in 0..<each {
        #expect(throws: Never.self) {
          guard thread > 0 else {
            try writer.append(try Self.record("other \(number)"))
            if number % 10 == 0 { try writer.commit() }
            return
          }
          let id = "id \(random.index(names))"
          let answer = try writer.appendOnce(try Self.record(id))
          let position: UInt64?
          switch answer {
          case .new(let new): position = new
          case .alreadyThere(let known): position = known
          }
          positions.withLock { _ = $0[id, default: []].insert(position ?? .max) }
          if answer.isNew { news.withLock { $0[id, default: 0] += 1 } }
        }
      }
    }
    try writer.commit()
    #expect(news.withLock { $0 }.values.allSatisfy { $0 == 1 })
    let all = try ids()
    for (id, found) in positions.withLock({ $0 }) {
      #expect(all.count { $0 == id } == 1, "seed \(seed): \(id)")
      let position = Int(try #require(found.first))
      #expect(found.count == 1 && all[position] == id, "seed \(seed): \(id)")
    }
    #expect(all.count { $0.hasPrefix("other") } == each)
  }
}
