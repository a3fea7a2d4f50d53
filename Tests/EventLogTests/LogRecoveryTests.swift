import Events
import Foundation
import TestSupport
import Testing

@testable import EventLog

@Suite("After a crash")
struct LogRecoveryTests {
  /// A log of three committed batches: its folder, its file, and where each batch's frame ends. It is as a
  /// power cut after the third commit leaves it that takes HEAD away too: nothing says yet that the third was
  /// durable.
  private func threeFrames(
    _ folder: TemporaryFolder, events perFrame: Int = 5
  ) throws -> (log: String, file: String, ends: [Int], events: [Event]) {
    let log = folder.path("log")
    var generator = EventGenerator(seed: 1)
    var ends: [Int] = []
    var events: [Event] = []
    do {
      let writer = try LogWriter(log, options: LogOptions(seed: 1))
      for _ in 0..<3 {
        let batch = generator.events(perFrame)
        try writer.append(batch)
        try writer.commit()
        events += batch
        ends.append(Int(try LogReader(log).byteCount))
      }
    }
    let file = log + "/" + SegmentHeader.fileName(basePosition: 0)
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.truncate(atOffset: UInt64(ends[2]))
    try handle.close()
    removeHead(log)
    return (log, file, ends, events)
  }

  private func removeHead(_ log: String) {
    for name in LogHead.names { try? FileManager.default.removeItem(atPath: log + "/" + name) }
  }

  @Test(
    "a log truncated in its last frame loses that frame, keeps the rest, and accepts more events")
  func cutAnywhere() throws {
    let folder = try TemporaryFolder()
    let (log, file, ends, events) = try threeFrames(folder, events: 2)
    let whole = try #require(FileManager.default.contents(atPath: file))
    for size in ends[1]..<ends[2] {
      try whole.prefix(size).write(to: URL(fileURLWithPath: file))
      let reader = try LogReader(log)
      #expect(try reader.allEvents() == Array(events.prefix(4)))
      #expect((reader.tail != nil) == (size > ends[1]))
      do {
        let writer = try LogWriter(log)
        #expect((writer.recovered != nil) == (size > ends[1]), "cut at \(size)")
        if let recovered = writer.recovered {
          let kept = FileManager.default.contents(atPath: recovered.quarantined)
          #expect(kept == whole[ends[1]..<size], "what was cut off is kept")
        }
        try writer.append([events[4]])
        try writer.commit()
      }
      #expect(try LogReader(log).allEvents() == Array(events.prefix(5)))
      try? FileManager.default.removeItem(atPath: log + "/" + LogDirectory.quarantineName)
      removeHead(log)
    }
  }

  @Test("zeros or garbage after the last frame are quarantined")
  func rubbishTail() throws {
    for rubbish in [Data(count: 4_096), Data("FRM1 and more, not a frame at all".utf8)] {
      let folder = try TemporaryFolder()
      let (log, file, _, events) = try threeFrames(folder)
      let handle = try #require(FileHandle(forWritingAtPath: file))
      try handle.seekToEnd()
      try handle.write(contentsOf: rubbish)
      try handle.close()
      #expect(try LogReader(log).tail?.byteCount == UInt64(rubbish.count))
      #expect(try LogWriter(log).recovered?.byteCount == UInt64(rubbish.count))
      #expect(try LogWriter(log).recovered == nil, "recovering once is enough")
      #expect(try LogReader(log).allEvents() == events)
    }
  }

  @Test("a frame whose middle never reached the disk is quarantined by the next writer")
  func tornMiddle() throws {
    let folder = try TemporaryFolder()
    let (log, file, ends, events) = try threeFrames(folder)
    var bytes = try #require(FileManager.default.contents(atPath: file))
    let middle = (ends[1] + ends[2]) / 2 & ~7
    bytes.replaceSubrange(middle..<ends[2] - 16, with: Data(count: ends[2] - 16 - middle))
    try bytes.write(to: URL(fileURLWithPath: file))
    #expect(try LogWriter(log).recovered?.offset == UInt64(ends[1]))
    #expect(try LogReader(log).allEvents() == Array(events.prefix(10)))
  }

  @Test("damage to data that a later frame records as durable is not attributed to a crash")
  func damagedMiddle() throws {
    let folder = try TemporaryFolder()
    let (log, file, ends, _) = try threeFrames(folder)
    let whole = try #require(FileManager.default.contents(atPath: file))
    for position in [ends[0] + 3, ends[0] + 130, ends[1] - 5, ends[0] + (ends[1] - ends[0]) / 2] {
      var bytes = whole
      bytes[position] ^= 0x10
      try bytes.write(to: URL(fileURLWithPath: file))
      let error = #expect(throws: LogError.self) { try LogWriter(log) }
      #expect(error?.code == .damaged)
      #expect(error?.path == file)
      #expect(FileManager.default.contents(atPath: file) == bytes, "nothing is cut off")
    }
  }

  @Test("damage to the last commit of a closed log is not attributed to a crash either")
  func damagedLastCommit() throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    var generator = EventGenerator(seed: 1)
    do {
      let writer = try LogWriter(log)
      try writer.append(generator.events(5))
      try writer.commit()
    }
    let file = log + "/" + SegmentHeader.fileName(basePosition: 0)
    let whole = try #require(FileManager.default.contents(atPath: file))
    for place in [64 + 20, 64 + 128 + 5, 700, whole.count - 152 - 9] {
      var bytes = whole
      bytes[place] ^= 1
      try bytes.write(to: URL(fileURLWithPath: file))
      #expect(#expect(throws: LogError.self) { try LogWriter(log) }?.code == .damaged)
      #expect(FileManager.default.contents(atPath: file) == bytes, "nothing is cut off")
    }
  }

  @Test("names of events that were never committed are not kept by closing the log")
  func uncommittedNames() throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    var generator = EventGenerator(seed: 1)
    let (first, dropped, last) = (generator.events(5), generator.events(50), generator.events(5))
    do {
      let writer = try LogWriter(log)
      try writer.append(first)
      try writer.commit()
      try writer.append(dropped)
    }
    do {
      let writer = try LogWriter(log)
      try writer.append(last)
      try writer.commit()
    }
    #expect(try LogReader(log).allEvents() == first + last)
    #expect(try LogReader(log).verify().problems.isEmpty)
  }

  @Test("a missing first segment is detected, and nothing is appended without it")
  func firstSegmentMissing() throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    var generator = EventGenerator(seed: 1)
    do {
      let writer = try LogWriter(log, options: LogOptions(segmentByteCount: 100))
      for _ in 0..<2 {
        try writer.append(generator.events(20))
        try writer.commit()
      }
    }
    let first = log + "/" + SegmentHeader.fileName(basePosition: 0)
    try FileManager.default.moveItem(atPath: first, toPath: folder.path("away"))
    #expect(#expect(throws: LogError.self) { try LogReader(log) }?.code == .damaged)
    #expect(#expect(throws: LogError.self) { try LogWriter(log) }?.code == .damaged)
  }

  @Test("a segment that a crash left without its header is quarantined and recreated")
  func unbornSegment() throws {
    for size in [0, 1, 63, 64] {
      let folder = try TemporaryFolder()
      let (log, _, _, events) = try threeFrames(folder)
      let next = log + "/" + SegmentHeader.fileName(basePosition: UInt64(events.count))
      try Data(repeating: 7, count: size).write(to: URL(fileURLWithPath: next))
      #expect(try LogReader(log).allEvents() == events)
      do {
        let writer = try LogWriter(log)
        #expect(writer.recovered?.byteCount == UInt64(size))
        try writer.append(events)
        try writer.commit()
      }
      #expect(try LogReader(log).allEvents() == events + events)
    }
  }

  @Test("a segment that is missing, renamed, or of another log is detected")
  func segmentsOutOfPlace() throws {
    let folder = try TemporaryFolder()
    var generator = EventGenerator(seed: 2)
    for name in ["a", "b"] {
      let options = LogOptions(segmentByteCount: 1_000, seed: name == "a" ? 1 : 2)
      let writer = try LogWriter(folder.path(name), options: options)
      for _ in 0..<3 {
        try writer.append(generator.events(20))
        try writer.commit()
      }
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("a")).filter {
      $0.hasPrefix("seg-")
    }.sorted()
    #expect(files.count == 3)
    func reading(_ change: (String) throws -> Void) throws -> LogError? {
      let copy = folder.path("copy")
      try? FileManager.default.removeItem(atPath: copy)
      try FileManager.default.copyItem(atPath: folder.path("a"), toPath: copy)
      try change(copy)
      return #expect(throws: LogError.self) { try LogReader(copy) }
    }
    let missing = try reading { try FileManager.default.removeItem(atPath: $0 + "/" + files[1]) }
    #expect(missing?.message.contains("events 20 to 39 are missing") == true)
    let renamed = try reading {
      try FileManager.default.moveItem(
        atPath: $0 + "/" + files[1], toPath: $0 + "/" + SegmentHeader.fileName(basePosition: 21))
    }
    #expect(renamed?.message.contains(files[1]) == true)
    let foreign = try reading {
      try FileManager.default.removeItem(atPath: $0 + "/" + files[2])
      try FileManager.default.copyItem(
        atPath: folder.path("b/" + files[2]), toPath: $0 + "/" + files[2])
    }
    #expect(foreign?.message.contains("belongs to log") == true)
  }

  @Test("any changed byte of a log is detected, and no wrong event is ever returned")
  func everyByte() throws {
    let folder = try TemporaryFolder()
    let (log, file, _, events) = try threeFrames(folder, events: 5)
    let whole = try #require(FileManager.default.contents(atPath: file))
    for position in whole.indices {
      var bytes = whole
      bytes[position] ^= UInt8(1) << UInt8(position % 8)
      try bytes.write(to: URL(fileURLWithPath: file))
      do {
        let reader = try LogReader(log)
        let found = try reader.verify()
        #expect(!found.problems.isEmpty || reader.tail != nil, "byte \(position)")
        // Whatever can still be read must be what was written.
        let read = try reader.allEvents()
        #expect(read == Array(events.prefix(read.count)), "byte \(position)")
      } catch let error as LogError {
        #expect([.damaged, .notALog, .newerVersion].contains(error.code), "byte \(position)")
      }
    }
  }
}
