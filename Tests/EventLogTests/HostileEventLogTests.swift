import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("A log acknowledges only what it can read back")
struct HostileEventLogTests {
  @Test("events of every public API are refused as a whole, or read back equal", arguments: 0..<30)
  func agreement(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let path = folder.path("log")
    let writer = try LogWriter(path, options: LogOptions(seed: seed))
    var expected: [Event] = []
    for call in 0..<80 {
      let events = (0...generator.index(2)).map { _ in HostileEvents.event(using: &generator) }
      let position = writer.nextPosition
      do {
        try append(events, writer, call: call, &expected)
      } catch {
        #expect((error as? LogError)?.code == .badEvent, "\(error), seed \(seed)")
        #expect(writer.nextPosition == position, "seed \(seed)")
        continue
      }
      #expect(writer.nextPosition == UInt64(expected.count), "seed \(seed)")
    }
    try writer.commit()
    var found: [Event] = []
    try LogReader(path).forEachEvent { record, _ in
      var line: [UInt8] = []
      JSONLinesEncoder.append(record, to: &line)
      let event = try Event(record)
      let back = try Event(jsonLine: String(decoding: line, as: UTF8.self))
      #expect(HostileEvents.normalized(back) == HostileEvents.normalized(event), "seed \(seed)")
      found.append(HostileEvents.normalized(event))
    }
    #expect(found == expected.map(HostileEvents.normalized), "seed \(seed)")
    #expect(expected.count > 10)
  }

  /// Appends in one of the ways that there are.
  private func append(
    _ events: [Event], _ writer: LogWriter, call: Int, _ expected: inout [Event]
  ) throws {
    if call % 4 == 0 {
      try writer.append(events)
      expected += events
      return
    }
    guard let event = events.first else { return }
    var record = EventRecord()
    // What a typed event refuses goes in as a record that nobody has judged.
    _ = try? record.load(event)
    switch call % 4 {
    case 1:
      try writer.append(record)
      expected.append(event)
    case 2:
      try writer.append(contentsOf: [record])
      expected.append(event)
    default: if try writer.appendOnce(record).isNew { expected.append(event) }
    }
  }

  @Test(
    "records with texts that are not UTF-8 or out of range, or with repeated names, are refused",
    arguments: 0..<20)
  func records(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let writer = try LogWriter(folder.path("log"), options: LogOptions(seed: seed))
    var (count, refused) = (0 as UInt64, 0)
    var record = EventRecord()
    for _ in 0..<100 {
      guard (try? record.load(HostileEvents.event(using: &generator))) != nil else { continue }
      HostileEvents.spoil(&record, using: &generator)
      if (try? writer.append(record)) != nil { count += 1 } else { refused += 1 }
      #expect(writer.nextPosition == count, "seed \(seed)")
    }
    try writer.commit()
    var read = 0 as UInt64
    try LogReader(folder.path("log")).forEachEvent { record, _ in
      var line: [UInt8] = []
      JSONLinesEncoder.append(record, to: &line)
      _ = try Event(jsonLine: String(decoding: line, as: UTF8.self))
      read += 1
    }
    #expect(read == count && refused > 0 && count > 0)
  }
}
