import Events
import Foundation
import TestSupport
import Testing

@testable import EventLog

@Suite("Erasing")
struct LogErasureTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Events of one unit, marked all over with texts that no other event has.
  private static let marks = [
    "marked-person", "marked-id", "marked-value", "marked-variant", "marked-x",
  ]

  private func marked(_ number: Int, at time: Timestamp) -> Event {
    var context = Attributes()
    context["country"] = .text("marked-value")
    context["marked-x"] = .text(String(repeating: "marked-value ", count: 20))
    return Event(
      time: time, unit: "marked-person", id: EventID("marked-id-\(number)"),
      payload: .decision(
        Decision(
          experiment: "exp1", variant: "marked-variant", choices: ["v0", "marked-variant"],
          propensity: 0.5, reason: "marked-x", context: context)),
      unknownFields: JSONMembers(validated: "\"x\":\"marked-x\""))
  }

  private func makeLog(_ generator: inout EventGenerator, markedShare: Double = 0.1) throws
    -> [Event]
  {
    let options = LogOptions(
      profile: generator.random.chance(0.5) ? .fast : .small,
      segmentByteCount: UInt64(4_000 + generator.random.index(20_000)), seed: 1)
    let writer = try LogWriter(path, options: options)
    var events: [Event] = []
    for _ in 0..<20 {
      var batch = generator.events(1 + generator.random.index(25))
      for index in batch.indices where generator.random.chance(markedShare) {
        batch[index] = marked(events.count + index, at: batch[index].time)
      }
      try writer.append(batch)
      try writer.commit()
      events += batch
    }
    return events
  }

  /// Every byte of every file, and of every chunk when inflated, and every name.
  private func everything() throws -> [[UInt8]] {
    var found: [[UInt8]] = []
    let files = try FileManager.default.subpathsOfDirectory(atPath: path)
    for file in files where !file.hasSuffix("quarantine") {
      found.append(Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + file))))
    }
    let log = try LogReader(path)
    for frame in log.frames {
      for entry in frame.entries { found.append(try log.chunk(entry, of: frame)) }
      for names in try log.namesAdded(by: frame) { found.append(names.texts.bytes) }
    }
    return found
  }

  private func contains(_ text: String, _ haystack: [[UInt8]]) -> Bool {
    haystack.contains { $0.firstRange(of: Array(text.utf8)) != nil }
  }

  @Test(
    "erasing a unit removes its events and every trace of them, and nothing else",
    arguments: 0..<UInt64(20))
  func unit(seed: UInt64) throws {
    var generator = EventGenerator(seed: seed)
    let all = try makeLog(&generator)
    let before = try LogReader(path)
    try FileManager.default.createDirectory(
      atPath: path + "/quarantine", withIntermediateDirectories: true)
    try Data("marked-person".utf8).write(to: URL(fileURLWithPath: path + "/quarantine/tail-1"))
    #expect(Self.marks.allSatisfy { contains($0, (try? everything()) ?? []) } || all.count < 60)

    let preview = try Erasure(units: ["marked-person"]).preview(before)
    let summary = try LogRewriter(path).erase(Erasure(units: ["marked-person"]))

    let after = try LogReader(path)
    let staying = all.enumerated().filter { $1.unit != "marked-person" }
    let expected = Dictionary(uniqueKeysWithValues: staying.map { (UInt64($0), $1) })
    #expect(try after.eventsByPosition() == expected, "seed \(seed)")
    #expect(after.eventCount == UInt64(all.count), "positions stay")
    let haystack = try everything()
    for mark in Self.marks { #expect(!contains(mark, haystack), "seed \(seed): \(mark)") }
    #expect(summary.events == UInt64(all.count - expected.count) && summary.quarantined == 1)
    #expect(preview.events == summary.events && preview.names == summary.names)
    #expect(try after.verify(deep: true).problems.isEmpty)
    let notes = try after.notes()
    #expect(notes.count == 1 && notes[0].contains("\"operation\":\"erase\""))
  }

  @Test("events before a time go, with the names that only they had", arguments: 0..<UInt64(10))
  func before(seed: UInt64) throws {
    var generator = EventGenerator(seed: seed)
    let all = try makeLog(&generator)
    let times = all.map(\.time).sorted()
    let limit = times[generator.random.index(times.count)]
    _ = try LogRewriter(path).erase(Erasure(before: limit))
    let after = try LogReader(path)
    let staying = all.enumerated().filter { $1.time >= limit }
    #expect(
      try after.eventsByPosition()
        == Dictionary(uniqueKeysWithValues: staying.map { (UInt64($0), $1) }))
    #expect(after.earliest.map { $0 >= limit } ?? true)
  }

  @Test("a log goes on after it, also with the unit that was erased")
  func goesOn() throws {
    var generator = EventGenerator(seed: 30)
    let all = try makeLog(&generator)
    _ = try LogRewriter(path).erase(Erasure(units: ["marked-person"]))
    let more = generator.events(50) + [marked(1, at: all[0].time)]
    do {
      let writer = try LogWriter(path)
      #expect(writer.nextPosition == UInt64(all.count))
      try writer.append(more)
      try writer.commit()
    }
    let expected = all.filter { $0.unit != "marked-person" } + more
    #expect(try LogReader(path).allEvents() == expected)
    _ = try LogRewriter(path).compact(profile: .small)
    #expect(try LogReader(path).allEvents() == expected)
    #expect(try LogReader(path).notes().count == 1, "what was noted stays")
    _ = try LogRewriter(path).erase(Erasure(units: ["marked-person"]))
    #expect(try LogReader(path).allEvents() == expected.filter { $0.unit != "marked-person" })
    #expect(try LogReader(path).notes().count == 2)
  }

  @Test("of a unit that is not there changes nothing but empties the quarantine")
  func nobody() throws {
    var generator = EventGenerator(seed: 31)
    let all = try makeLog(&generator, markedShare: 0)
    // What nothing uses goes the first time.
    _ = try LogRewriter(path).erase(Erasure(units: ["nobody"]))
    let before = try everything()
    let summary = try LogRewriter(path).erase(Erasure(units: ["nobody"]))
    #expect(summary.events == 0 && summary.rewritten.segments == 0)
    #expect(try everything() == before)
    #expect(try LogReader(path).allEvents() == all)
  }

  @Test("everything can be erased")
  func all() throws {
    var generator = EventGenerator(seed: 32)
    let all = try makeLog(&generator)
    _ = try LogRewriter(path).erase(Erasure(before: Timestamp(microseconds: .max)))
    let log = try LogReader(path)
    #expect(try log.allEvents().isEmpty && log.eventCount == UInt64(all.count))
    #expect(log.earliest == nil && log.latest == nil)
  }

  @Test("says when a name that stays is the text of the unit")
  func mentions() throws {
    let writer = try LogWriter(path)
    let goal = Goal(experiment: "e", goal: "marked-person")
    try writer.append([
      marked(1, at: Timestamp(microseconds: 1)),
      Event(time: Timestamp(microseconds: 2), unit: "other", payload: .goal(goal)),
    ])
    try writer.commit()
    let preview = try Erasure(units: ["marked-person"]).preview(try LogReader(path))
    #expect(preview.mentions == 1)
  }
}
