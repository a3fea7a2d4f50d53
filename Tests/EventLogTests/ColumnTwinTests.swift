import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Columns of choices, probabilities and attributes match the events")
struct ColumnTwinTests {
  private static func log(seed: UInt64, frames: Int = 8, rows: Int = 120) throws -> SmallLog {
    var generator = EventGenerator(seed: seed)
    return try SmallLog(
      (0..<frames).map { _ in generator.events(generator.random.index(rows)) },
      segmentByteCount: 20_000, seed: seed)
  }

  private static func event(_ number: Int, _ payload: Payload) -> Event {
    Event(time: Timestamp(microseconds: Int64(number)), unit: "u", payload: payload)
  }

  @Test("random events of every kind", arguments: 0..<8 as Range<UInt64>)
  func random(seed: UInt64) throws {
    let log = try Self.log(seed: seed)
    let read = try ColumnTwin.compare(try log.reader(), with: log.events, "seed \(seed)")
    #expect(read == Set(0..<UInt64(log.events.count)))
  }

  @Test("a log of every encoding")
  func encodings() throws {
    let (disk, events) = try EveryEncodingLog.make()
    let reader = try LogReader(EveryEncodingLog.path, disk: disk)
    #expect(try ColumnTwin.compare(reader, with: events, "").count == events.count)
  }

  @Test("shapes, lists and texts that are stored in the frame itself")
  func literals() throws {
    var wide = Attributes()
    for number in 0..<3_000 { wide["attribute-\(number)"] = .number(Double(number)) }
    wide["note"] = .text("DE")
    let long = AttributeValue.text(String(repeating: "long", count: 30))
    let choices = (0..<3_000).map { VariantID("v\($0)") }
    var events: [Event] = []
    for number in 0..<30 {
      let metadata: Attributes =
        switch number % 4 {
        case 0: wide
        case 1: ["note": long]
        case 2: ["note": .text("DE"), "vip": .flag(true)]
        default: [:]
        }
      events.append(
        Self.event(number, .conversion(Conversion(goal: "g", revenue: nil, metadata: metadata))))
      events.append(
        Self.event(
          number,
          .decision(
            Decision(
              experiment: "e", variant: "v0",
              choices: number % 2 == 0 ? choices : Array(choices[..<(number % 5)]),
              probabilities: number % 10 == 5 ? [] : nil, context: ["country": long]))))
    }
    let log = try SmallLog([events, events])
    let read = try ColumnTwin.compare(try log.reader(), with: log.events, "")
    #expect(read.count == 120)
    try log.reader().forEachBatch([], [.metadata("note"), .context("country")]) { batch in
      // Once with a code, once in a row's own attributes, and the long one, which has no code.
      let notes = batch.attributes[0]
      #expect(notes.values == [.text("DE"), long, .text("DE")])
      #expect(notes.logCode(1) == nil && notes.logCode(2) == nil && notes.logCode(3) != nil)
      #expect(batch.attributes[1].values == [long])
      #expect(batch.attributes[1].text(1).map { Array($0) }?.count == 120)
    }
  }

  @Test(
    "a copied column keeps its values when the next batch is read, and has none for unknown numbers"
  )
  func kept() throws {
    let log = try Self.log(seed: 5)
    var kept: [AttributeColumn] = []
    var values: [[AttributeValue]] = []
    try log.reader().forEachBatch([.choices], [.data]) { batch in
      kept.append(batch.attributes[0])
      values.append(batch.attributes[0].values)
      let (column, lists) = (batch.attributes[0], batch.choices)
      for beyond in [0, UInt32(column.valueCount) + 1, .max] {
        #expect(column.value(beyond) == nil && column.text(beyond) == nil)
        #expect(column.logCode(beyond) == nil)
      }
      for beyond in [0, UInt32(lists.listCount) + 1, .max] {
        #expect(lists.variants(of: beyond).isEmpty && lists.count(of: beyond) == 0)
      }
    }
    #expect(kept.map(\.values) == values && values.contains { $0.count > 2 })
  }

  @Test(
    "if an older log has an attribute twice, the first value is used and the others are ignored"
  )
  func twice() throws {
    let disk = MemoryDisk()
    do {
      let writer = try LogWriter("log", options: LogOptions(seed: 1), disk: disk)
      for number in 0..<40 {
        var record = EventRecord(kind: .conversion, time: Timestamp(microseconds: Int64(number)))
        record[.unit] = record.add("u")
        record[.goal] = record.add("g")
        record.hasMetadata = true
        let name = record.add("a")
        let all: [EventRecord.Value] = [
          .number(Double(number)), .text(record.add("t\(number % 3)")), .number(0.5), .flag(true),
        ]
        record.metadata = (0..<number % 5).map {
          EventRecord.Attribute(name: name, value: all[($0 + number / 5) % 4])
        }
        try writer.append(parsed: record)
      }
      try writer.commit()
    }
    let reader = try LogReader("log", disk: disk)
    var expected: [AttributeValue?] = []
    try reader.forEachEvent { record, _ in
      expected.append(
        record.metadata.first.map {
          switch $0.value {
          case .number(let number): .number(number)
          case .integer(let integer): .integer(integer)
          case .flag(let flag): .flag(flag)
          case .text(let text): .text(record.string(text) ?? "")
          }
        })
    }
    try reader.forEachBatch([], [.metadata("a")]) { batch in
      #expect(batch.attributes[0].codes.map { batch.attributes[0].value($0) } == expected)
    }
    #expect(expected.count == 40 && Set(expected.map { "\(String(describing: $0))" }).count > 6)
  }

  @Test("only requested columns are read", arguments: [3, 4] as [UInt64])
  func readsNoMore(seed: UInt64) throws {
    let log = try Self.log(seed: seed, frames: 2, rows: 40)
    let whole = try log.reader()
    let names = try LogNames(whole, [.attributes])
    let key = try #require(names.code(of: "country", in: .attributes))
    let contexts = ValueType.allCases.map { ColumnID.attribute(.context, $0) }
    let features = ValueType.allCases.map { ColumnID.attribute(.features, $0) }
    let data = ValueType.allCases.map { ColumnID.attribute(.data, $0) }
    let isNeeded: [(EventColumns, [AttributeSelection], (ColumnEntry) -> Bool)] = [
      ([.dataKind], [], { $0.column == .dataKind }),
      ([.key], [], { $0.column == .key }),
      ([.choices], [], { [.choices, .names(.lists), .names(.variants)].contains($0.column) }),
      ([.probabilities], [], { [.probabilityCount, .probabilities].contains($0.column) }),
      (
        [], [.context("country")],
        { entry in
          [.context, .names(.shapes), .names(.attributes), .names(.values)].contains(entry.column)
            || entry.key == key && contexts.contains { [$0, $0.literals].contains(entry.column) }
        }
      ),
      (
        [], [.features("country")],
        { entry in
          [
            .features, .names(.shapes), .names(.attributes), .names(.values), .names(.variants),
          ].contains(entry.column)
            || entry.key == key && features.contains { [$0, $0.literals].contains(entry.column) }
        }
      ),
      (
        [], [.data],
        { entry in
          [.dataType, .names(.values)].contains(entry.column)
            || data.contains { [$0, $0.literals].contains(entry.column) }
        }
      ),
    ]
    for frame in whole.frames {
      for entry in frame.entries where entry.storedLength > 0 && entry.column != .kind {
        var damaged = log
        let place = Int(frame.offset) + Int(entry.offset)
        damaged.files[log.segments[frame.segment]]?[place] ^= 1
        let reader = try damaged.reader()
        for (columns, selections, needs) in isNeeded {
          var error: LogError?
          do {
            try reader.forEachBatch(columns, selections) { _ in }
          } catch let caught as LogError {
            error = caught
          }
          let words = "seed \(seed), \(entry.column.name) for \(columns) \(selections)"
          #expect((error?.code == .damaged) == needs(entry), "\(words)")
        }
      }
    }
  }

  @Test("damage loses the events of a frame, or those with lost names, and no value is wrong")
  func damaged() throws {
    var random = SeededGenerator(seed: 11)
    let log = try Self.log(seed: 11, frames: 5, rows: 40)
    for frame in try log.reader().frames {
      for entry in frame.entries where entry.storedLength > 0 {
        let words = "\(entry.column.name) of events from \(frame.basePosition)"
        var damaged = log
        let place = Int(frame.offset) + Int(entry.offset) + random.index(Int(entry.storedLength))
        damaged.files[log.segments[frame.segment]]?[place] ^= 1 << UInt8(random.index(8))
        let reader = try damaged.reader(.skip)
        let read = try ColumnTwin.compare(reader, with: log.events, words)
        let all = Set(0..<UInt64(log.events.count))
        #expect(reader.lostPositions == all.subtracting(read), "\(words)")
        // Columns lose no event that is there as a whole.
        let events = try damaged.reader(.skip).eventsByPosition()
        #expect(read.isSuperset(of: events.keys), "\(words)")
      }
    }
  }
}
