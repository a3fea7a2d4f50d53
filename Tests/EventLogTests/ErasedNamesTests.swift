import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Erased names and events")
struct ErasedNamesTests {
  private static func decision(_ number: Int, unit: String, variant: String) -> Event {
    Event(
      time: Timestamp(microseconds: Int64(number)), unit: UnitID(unit), id: nil,
      payload: .decision(
        Decision(
          experiment: "e", point: nil, slot: nil, variant: VariantID(variant), choices: nil,
          propensity: nil, probabilities: nil, policy: nil, reason: nil, status: nil, context: nil,
          features: nil)),
      unknownFields: JSONMembers(validated: ""))
  }

  private static let events = [
    decision(0, unit: "u1", variant: "a"), decision(1, unit: "u2", variant: "b"),
    decision(2, unit: "u3", variant: "a"), decision(3, unit: "u2", variant: "c"),
  ]

  /// A log of the events in one frame, edited, that a writer has not closed.
  private func log(_ edit: (inout FrameEditor) throws -> Void) throws -> SmallLog {
    var log = try SmallLog([Self.events], isClosed: false)
    let reader = try log.reader()
    var editor = try FrameEditor(try #require(reader.frames.first), of: reader)
    try edit(&editor)
    log.files[log.last]?.removeLast(Int(reader.frames[0].header.length))
    log.files[log.last]? += editor.bytes
    return log
  }

  /// Leaves the second name of a vocabulary out of its chunk.
  private func erase(_ vocabulary: Vocabulary, in editor: inout FrameEditor) throws {
    try editor.change(.names(vocabulary)) { entry, raw in
      let names = try NameChunk(raw[...], entry)
      var kept = TextList()
      for (index, name) in names.enumerated() where index != 1 { kept.append(name ?? []) }
      raw = []
      Bitmap(count: names.count) { $0 != 1 }.write(to: &raw)
      TextStream.write(kept, to: &raw)
      entry.hasGaps = true
    }
  }

  @Test("a frame that is disassembled and reassembled reads the same")
  func editor() throws {
    #expect(try log { _ in }.reader().allEvents() == Self.events)
  }

  @Test("an event that uses a lost name is damaged, never read without that name")
  func used() throws {
    for (vocabulary, lost) in [(Vocabulary.units, [1, 3]), (.variants, [1])] {
      let log = try log { try erase(vocabulary, in: &$0) }
      let error = #expect(throws: LogError.self) { try log.reader().allEvents() }
      #expect(error?.code == .damaged)
      #expect(error?.message.contains("code 2 of event 1 has no name") == true)
      #expect(try log.damage()?.contains("code 2 of event 1") == true, "verify finds it")
      let reader = try log.reader(.skip)
      let kept = Self.events.indices.filter { !lost.contains($0) }.map { Self.events[$0] }
      #expect(try reader.allEvents() == kept)
      #expect(reader.lostPositions == Set(lost.map { UInt64($0) }))
      #expect(reader.losses.allSatisfy { $0.reason == LogReader.lostName })
    }
  }

  @Test("a replay of a column with lost names stops, or treats the events as lost")
  func batches() throws {
    let log = try log { try erase(.variants, in: &$0) }
    let error = #expect(throws: LogError.self) {
      try log.reader().forEachBatch(.variant) { _ in }
    }
    #expect(error?.message.contains("code 2 of event 1 has no name") == true)
    let reader = try log.reader(.skip)
    try reader.forEachBatch([.variant]) {
      #expect(
        $0.kinds == [0, AbsentKind.lost, 0, 0].map { $0 == 0 ? EventKind.decision.rawValue : $0 })
    }
    #expect(reader.lostPositions == [1])
    try log.reader().forEachBatch([.experiment]) { #expect($0.kinds.allSatisfy { $0 < 62 }) }
  }

  @Test(
    "erased events are skipped, and a writer continues after them")
  func erased() throws {
    let log = try log { editor in
      try erase(.units, in: &editor)
      try erase(.variants, in: &editor)
      let kind = Int64(EventKind.decision.rawValue)
      editor.set(.kind, [kind, Int64(AbsentKind.erased), kind, Int64(AbsentKind.lost)])
      editor.set(.unit, [1, 0, 3, 0])
      editor.set(.variant, [1, 0, 1, 0])
      editor.set(.experiment, [1, 0, 1, 0])
      editor.header.kinds |= 1 << UInt64(AbsentKind.erased) | 1 << UInt64(AbsentKind.lost)
    }
    let reader = try log.reader()
    #expect(try reader.allEvents() == [Self.events[0], Self.events[2]])
    #expect(try reader.eventsByPosition().keys.sorted() == [0, 2])
    #expect(reader.eventCount == 4 && reader.unknownParts.isEmpty)
    #expect(try reader.verify(deep: true).problems.isEmpty)
    var filtered: [UInt64] = []
    try reader.forEachEvent(matching: EventFilter(units: ["u1", "u2", "u3"])) {
      filtered.append($1)
    }
    #expect(filtered == [0, 2])

    let disk = try log.disk
    let more = [
      Self.decision(5, unit: "u2", variant: "b"), Self.decision(6, unit: "u4", variant: "a"),
    ]
    do {
      let writer = try LogWriter(SmallLog.path, options: LogOptions(), disk: disk)
      try writer.append(more)
      try writer.commit()
    }
    let grown = try LogReader(SmallLog.path, disk: disk)
    #expect(try grown.allEvents() == [Self.events[0], Self.events[2]] + more)
    #expect(grown.codeLimit(.units) == 6, "a name that was erased gets a new code")
  }

  @Test("a chunk of names with an impossible count is refused before memory is allocated")
  func hostile() throws {
    let log = try log { editor in
      editor.change(.names(.variants)) { entry, _ in
        entry.hasGaps = true
        entry.values = 1 << 30
      }
    }
    #expect(throws: LogError.self) { try LogNames(try log.reader(), [.variants]) }
    #expect(throws: LogError.self) { try log.writer() }
  }
}
