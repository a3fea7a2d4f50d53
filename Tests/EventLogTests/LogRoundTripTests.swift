import Events
import Foundation
import TestSupport
import Testing

@testable import EventLog

@Suite("Round trips of a log")
struct LogRoundTripTests {
  @Test("random events of every kind round-trip in order", arguments: 0..<12)
  func roundTrip(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var generator = EventGenerator(seed: seed)
    var appended: [Event] = []
    for _ in 0..<4 {
      let writer = try LogWriter(folder.path("log"), options: LogOptions(segmentByteCount: 20_000))
      #expect(writer.nextPosition == UInt64(appended.count))
      for _ in 0..<3 {
        let batch = generator.events(generator.random.index(200))
        try writer.append(batch)
        appended += batch
        #expect(try writer.commit() == UInt64(appended.count))
      }
    }
    let reader = try LogReader(folder.path("log"))
    #expect(reader.eventCount == UInt64(appended.count))
    #expect(try reader.allEvents() == appended, "seed \(seed)")
    #expect(try reader.verify().problems.isEmpty)
    #expect(try reader.verify().eventCount == UInt64(appended.count))
  }

  @Test("every profile round-trips the same events", arguments: CompressionProfile.allCases)
  func profiles(profile: CompressionProfile) throws {
    let folder = try TemporaryFolder()
    var generator = EventGenerator(seed: 7)
    let events = generator.events(3_000)
    let writer = try LogWriter(folder.path("log"), options: LogOptions(profile: profile))
    try writer.append(events)
    try writer.commit()
    #expect(try LogReader(folder.path("log")).allEvents() == events)
  }

  @Test("a full frame is written, and the next begun, at 65,536 events")
  func fullFrames() throws {
    let folder = try TemporaryFolder()
    let writer = try LogWriter(folder.path("log"))
    var record = EventRecord()
    for number in 0..<150_000 {
      record.reset(kind: .goal, time: Timestamp(microseconds: Int64(number) * 1_000))
      record[.unit] = record.add("u\(number % 1_000)")
      record[.experiment] = record.add("e")
      record[.goal] = record.add("g")
      record.value = Double(number % 100) / 4
      #expect(try writer.append(record) == UInt64(number))
    }
    try writer.commit()
    let reader = try LogReader(folder.path("log"))
    #expect(reader.frames.map(\.rows) == [65_536, 65_536, 150_000 - 131_072])
    var sum = 0.0
    var seen = 0
    try reader.forEachBatch([.value, .unit, .time]) { batch in
      for row in 0..<batch.count {
        let number = Int(batch.basePosition) + row
        #expect(batch.times[row] == Int64(number) * 1_000)
        #expect(batch.units[row] == UInt32(number % 1_000) + 1)
        sum += batch.values[row] ?? .nan
        seen += 1
      }
    }
    #expect(seen == 150_000)
    let expected: Double = (0..<150_000).reduce(0) { $0 + Double($1 % 100) / 4 }
    #expect(sum == expected)
  }

  @Test("shapes, lists and values that are too long or too many round-trip too")
  func literals() throws {
    let folder = try TemporaryFolder()
    var wide = Attributes()
    for number in 0..<3_000 { wide["attribute-\(number)"] = .number(Double(number)) }
    var features = Features()
    for number in 0..<2_000 { features[VariantID("v\(number)")] = ["price": .number(0.5)] }
    let choices = (0..<3_000).map { VariantID("v\($0)") }
    let events = [
      Event(
        time: Timestamp(microseconds: 1), unit: "u",
        payload: .decision(
          Decision(
            experiment: "e", variant: "v0", choices: choices, context: wide, features: features))),
      Event(
        time: Timestamp(microseconds: 2), unit: "u",
        payload: .decision(Decision(experiment: "e", variant: "v0", context: [:], features: [:]))),
    ]
    let writer = try LogWriter(folder.path("log"))
    try writer.append(events)
    try writer.commit()
    #expect(try LogReader(folder.path("log")).allEvents() == events)
  }

  @Test("ever new attribute names round-trip, and stop being given codes")
  func manyNames() throws {
    let folder = try TemporaryFolder()
    let events = (0..<80_000).map { number in
      Event(
        time: Timestamp(microseconds: Int64(number)), unit: "u",
        payload: .conversion(
          Conversion(goal: "g", metadata: ["name-\(number)": .number(Double(number)), "a": "b"])))
    }
    let writer = try LogWriter(folder.path("log"))
    try writer.append(events)
    try writer.commit()
    let reader = try LogReader(folder.path("log"))
    #expect(reader.nameCount(.attributes) == Vocabulary.literalLimit)
    #expect(try reader.allEvents() == events)
  }

  @Test("the same events and the same seed give the same bytes")
  func deterministic() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] {
      var generator = EventGenerator(seed: 3)
      let options = LogOptions(segmentByteCount: 30_000, seed: 11)
      let writer = try LogWriter(folder.path(name), options: options)
      for _ in 0..<5 {
        try writer.append(generator.events(300))
        try writer.commit()
      }
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("a")).filter {
      $0.hasPrefix("seg-")
    }
    #expect(files.count > 1)
    for file in files {
      #expect(
        FileManager.default.contents(atPath: folder.path("a/" + file))
          == FileManager.default.contents(atPath: folder.path("b/" + file)))
    }
  }

  @Test("a batch with one invalid event is refused as a whole")
  func badEvent() throws {
    let folder = try TemporaryFolder()
    let writer = try LogWriter(folder.path("log"))
    let good = Event(
      time: Timestamp(microseconds: 1), unit: "u", payload: .conversion(Conversion(goal: "g")))
    var bad = good
    bad.unit = ""
    #expect(throws: LogError.self) { try writer.append([good, bad]) }
    try writer.append([good])
    try writer.commit()
    #expect(try LogReader(folder.path("log")).allEvents() == [good])
  }

  @Test("an empty log has no event and no problem")
  func empty() throws {
    let folder = try TemporaryFolder()
    _ = try LogWriter(folder.path("log"))
    let reader = try LogReader(folder.path("log"))
    #expect(reader.eventCount == 0)
    #expect(reader.earliest == nil)
    #expect(try reader.allEvents().isEmpty)
    #expect(try reader.verify().problems.isEmpty)
  }

  @Test("a reader sees a snapshot while the writer continues")
  func readWhileWriting() throws {
    let folder = try TemporaryFolder()
    var generator = EventGenerator(seed: 5)
    let writer = try LogWriter(folder.path("log"))
    let first = generator.events(100)
    try writer.append(first)
    try writer.commit()
    let reader = try LogReader(folder.path("log"))
    try writer.append(generator.events(100))
    try writer.commit()
    #expect(try reader.allEvents() == first)
    #expect(try LogReader(folder.path("log")).eventCount == 200)
  }
}
