import Events
import TestSupport
import Testing

@testable import EventLog

extension EventRecord {
  /// The record of an event.
  static func of(_ event: Event) throws -> EventRecord {
    var record = EventRecord()
    try record.load(event)
    return record
  }
}

@Suite("Idempotent appending")
struct IdempotentAppendTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func makeWriter(frameRowCount: Int = 65_536) throws -> LogWriter {
    var options = LogOptions(segmentByteCount: 4_000)
    options.frameRowCount = frameRowCount
    return try LogWriter(log, options: options)
  }

  // MARK: By id

  @Test(
    "an event is appended unless one of its kind, id and slot exists, in memory, in frames or in earlier segments",
    arguments: 0..<UInt64(10))
  func likeADictionary(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var generator = EventGenerator(seed: seed)
    var first: [[String?]: UInt64] = [:]
    var expected: [Event] = []
    for _ in 0..<3 {
      let writer = try makeWriter(frameRowCount: 1 + random.index(20))
      for _ in 0..<150 {
        var event = generator.next()
        event.id = random.chance(0.8) ? EventID("e\(random.index(120))") : nil
        let position = UInt64(expected.count)
        let slot = try EventRecord.of(event).string(.slot)
        let identity = event.id.map { ["\(event.kind)", $0.rawValue, slot] }
        let there = identity.flatMap { first[$0] }
        if random.chance(0.3) {
          #expect(try writer.append(.of(event)) == position)
          expected.append(event)
        } else {
          let appended = try writer.appendOnce(.of(event))
          #expect(
            appended == (there.map { .alreadyThere(position: $0) } ?? .new(position: position)),
            "seed \(seed)")
          if there == nil { expected.append(event) }
        }
        if let identity, there == nil { first[identity] = position }
        if random.chance(0.1) { try writer.commit() }
      }
      try writer.commit()
    }
    #expect(try LogReader(log).allEvents() == expected, "seed \(seed)")
  }

  private static func identity(_ id: String) -> EventIdentity {
    EventIdentity(
      RecordFingerprint(key: FingerprintKey(first: 1, second: 2)).identity(
        kind: 1, id: Array(id.utf8)[...], slot: nil), content: 7)
  }

  @Test(
    "an event with the id of another is new if its kind or slot is, and is told if only its content is"
  )
  func sharedIDs() throws {
    let goal = Goal(experiment: "e", goal: "g", value: 1)
    func event(_ payload: Payload) throws -> EventRecord {
      try EventRecord.of(
        Event(time: Timestamp(microseconds: 1), unit: "u", id: "1", payload: payload))
    }
    var other = goal
    other.value = 2
    var slot = goal
    slot.slot = "2"
    do {
      let writer = try makeWriter()
      #expect(try writer.appendOnce(event(.goal(goal))) == .new(position: 0))
      let differing = try writer.appendComparing(parsed: event(.goal(other)))
      #expect(differing.result == .alreadyThere(position: 0) && differing.differs)
      let same = try writer.appendComparing(parsed: event(.goal(goal)))
      #expect(same.result == .alreadyThere(position: 0) && !same.differs)
      #expect(try writer.appendOnce(event(.goal(slot))) == .new(position: 1))
      #expect(
        try writer.appendOnce(event(.decision(Decision(experiment: "e", variant: "a"))))
          == .new(position: 2))
      try writer.commit()
    }
    let writer = try makeWriter()
    // The content is compared after a restart too.
    for (goal, position, differs) in [(other, 0, true), (goal, 0, false), (slot, 1, false)]
      as [(Goal, UInt64, Bool)]
    {
      let found = try writer.appendComparing(parsed: event(.goal(goal)))
      #expect(found.result == .alreadyThere(position: position))
      #expect(found.differs == differs)
    }
    #expect(try writer.appendOnce(event(.goal(slot))) == .alreadyThere(position: 1))
    #expect(
      try writer.appendOnce(event(.decision(Decision(experiment: "e", variant: "a"))))
        == .alreadyThere(position: 2))
    #expect(try LogReader(log).sharedIDs() == (3, 0))
    try writer.append(event(.goal(other)))
    try writer.commit()
    #expect(try LogReader(log).sharedIDs() == (4, 1))
  }

  @Test("ids beyond memory are found in temporary files, which leave nothing behind")
  func manyIDs() throws {
    var index = EventIDIndex(path: folder.path, memoryCapacity: 50)
    for number in 0..<2_000 as Range<UInt64> {
      try index.add(Self.identity("id \(number % 1_500)"), position: number << 24)
    }
    for number in 0..<1_500 as Range<UInt64> {
      let position = number << 24
      #expect(
        try index.find(Self.identity("id \(number)"))?.result
          == .alreadyThere(position: position < UInt32.max ? position : nil))
    }
    #expect(try index.find(Self.identity("id 1500")) == nil)
    #expect(folder.files.isEmpty)
  }

  @Test("unreadable ids are reported as damage, and the writer continues without them")
  func damagedIDs() throws {
    var generator = EventGenerator(seed: 1)
    var event = generator.next()
    event.id = EventID("one")
    do {
      let writer = try makeWriter()
      // Two segments, so that the damage is not in the one that is checked when the log is opened.
      for _ in 0..<2 {
        for _ in 0..<40 { try writer.append([generator.next(), event]) }
        try writer.commit()
      }
    }
    let reader = try LogReader(log)
    let frame = try #require(reader.frames.first)
    let entry = try #require(frame.entry(.id))
    let file = try SystemDisk().open(reader.segments[0].path, writable: true)
    try #require(reader.segments.count == 2)
    let offset = frame.offset + UInt64(entry.offset) + 8
    try file.write(try file.read(at: offset, count: 1).map { ~$0 }, at: offset)
    let writer = try makeWriter()
    let record = try EventRecord.of(event)
    let error = #expect(throws: LogError.self) { try writer.appendOnce(record) }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("column id") == true)
    #expect(try writer.append(record) == 160)
  }

  // MARK: By producer and sequence

  @Test(
    "a producer's batch is appended if it is next, skipped if it exists, refused after a gap"
  )
  func sequences() throws {
    let shop = ProducerID(name: "shop")
    let other = try #require(ProducerID(rawValue: 7))
    var generator = EventGenerator(seed: 1)
    let batches = (0..<4).map { _ in generator.events(5) }
    do {
      let writer = try makeWriter()
      try writer.append([generator.next()])
      #expect(writer.lastSequence(of: shop) == 0)
      #expect(
        try writer.append(batches[0], producer: shop, sequence: 1) == .new(position: 1))
      #expect(
        try writer.append(batches[0], producer: shop, sequence: 1) == .alreadyThere(position: nil))
      #expect(try writer.append(batches[1], producer: other, sequence: 1) == .new(position: 6))
      let gap = #expect(throws: LogError.self) {
        try writer.append(batches[2], producer: shop, sequence: 3)
      }
      #expect(gap?.code == .outOfSequence)
      #expect(gap?.message.contains("where 2 is expected") == true)
      let zero = #expect(throws: LogError.self) {
        try writer.append(batches[2], producer: shop, sequence: 0)
      }
      #expect(zero?.code == .outOfSequence)
      #expect(try writer.append(batches[2], producer: shop, sequence: 2) == .new(position: 11))
      try writer.commit()
    }
    let reader = try LogReader(log)
    #expect(reader.frames.filter { $0.rows > 0 }.map(\.rows) == [1, 5, 5, 5])
    #expect(reader.frames.map(\.header.sequence).prefix(4) == [0, 1, 1, 2])
    let writer = try makeWriter()
    #expect(writer.lastSequence(of: shop) == 2)
    #expect(writer.producers.map(\.producer) == [shop, other].sorted())
    #expect(writer.producers.map(\.sequence) == (shop < other ? [2, 1] : [1, 2]))
    #expect(try writer.append(batches[3], producer: shop, sequence: 2).isNew == false)
    #expect(try writer.append(batches[3], producer: shop, sequence: 3).isNew)
  }

  @Test("names of producers always have the same numbers, and never 0")
  func producerNames() {
    #expect(ProducerID(rawValue: 0) == nil)
    #expect(ProducerID(name: "shop").rawValue == 7_784_307_407_480_800_614)
    #expect(ProducerID(name: "shop") != ProducerID(name: "shop2"))
  }

  @Test("a batch that cannot be a single frame is refused as a whole")
  func tooLarge() throws {
    let producer = ProducerID(name: "p")
    var generator = EventGenerator(seed: 1)
    let event = generator.next()
    let writer = try makeWriter(frameRowCount: 3)
    for bad in [Array(repeating: event, count: 65_537), []] {
      let error = #expect(throws: LogError.self) {
        try writer.append(bad, producer: producer, sequence: 1)
      }
      #expect(error?.code == .badBatch)
    }
    // 160 events of 200 attributes, each with its own names: more columns than are sure to fit.
    let wide = (0..<160).map { number in
      var attributes = Attributes()
      for name in 0..<200 { attributes["a\(number)-\(name)"] = .number(1) }
      var copy = event
      copy.payload = .conversion(
        Conversion(goal: "g", revenue: nil, negative: nil, metadata: attributes))
      return copy
    }
    let error = #expect(throws: LogError.self) {
      try writer.append(wide, producer: producer, sequence: 1)
    }
    #expect(error?.message.contains("32000 different attributes") == true)
    #expect(writer.nextPosition == 0)
    // What fits is one frame, whatever makes a frame full otherwise.
    try writer.append(Array(repeating: event, count: 100), producer: producer, sequence: 1)
    try writer.append(Array(wide.prefix(1)), producer: producer, sequence: 2)
    try writer.commit()
    let reader = try LogReader(log)
    #expect(reader.frames.map(\.rows) == [100, 1])
    #expect(try reader.allEvents().suffix(1) == wide.prefix(1))
  }

  @Test("the number of producers is limited")
  func tooManyProducers() throws {
    var register = ProducerRegister()
    for number in 1...UInt64(ProducerRegister.largestCount) {
      guard let producer = ProducerID(rawValue: number) else { continue }
      register.note(1, of: producer)
    }
    let next = try #require(ProducerID(rawValue: .max))
    let error = #expect(throws: LogError.self) { try register.isNext(1, of: next, path: "x") }
    #expect(error?.code == .badBatch)
    let known = try #require(ProducerID(rawValue: 5))
    #expect(try register.isNext(2, of: known, path: "x"))
  }

  @Test(
    "sequences not covered by a sync are forgotten when truncated, and only those",
    arguments: 0..<UInt64(200))
  func registerLikeACopy(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var register = ProducerRegister()
    var now: [UInt64: UInt64] = [:]
    var (durable, running) = (now, now)
    for _ in 0..<100 {
      switch random.index(8) {
      case 0:
        register.beginSync()
        running = now
      case 1:
        // A sync ends, and another begins at once: `running` is what holds if that one fails.
        register.beginSync()
        register.endSync()
        durable = now
        running = now
      default:
        let producer = try #require(ProducerID(rawValue: 1 + UInt64(random.index(5))))
        now[producer.rawValue, default: 0] += 1
        register.note(now[producer.rawValue] ?? 0, of: producer)
        continue
      }
      if random.chance(0.5) {
        register.endSync()
        durable = running
      } else {
        register.forgetUnsynced()
        now = durable
      }
      #expect(
        Dictionary(uniqueKeysWithValues: register.all.map { ($0.producer.rawValue, $0.sequence) })
          == now, "seed \(seed)")
    }
  }

  @Test(
    "sequences are also read from columns of rewritten frames; a mismatch is damage"
  )
  func columns() throws {
    _ = try makeWriter()
    let segment = try #require(try LogReader(log).segments.first)
    var batch = FrameColumns()
    let most = UInt64.max
    batch.setProducers([(3, 9), (most, most), (5, 1)])
    let place = FrameWriter.Place(
      basePosition: 0, durable: 0, salt: segment.header.salt, previous: segment.header.crc,
      latestBefore: .min)
    let (bytes, _) = FrameWriter.frame(
      of: batch, names: [], place: place, profile: .fast)
    try SystemDisk().open(segment.path, writable: true).write(bytes, at: 64)
    do {
      let writer = try makeWriter()
      #expect(writer.producers.map(\.producer.rawValue) == [3, 5, most])
      #expect(writer.producers.map(\.sequence) == [9, 1, most])
      let last = try #require(ProducerID(rawValue: most))
      var generator = EventGenerator(seed: 1)
      let event = generator.next()
      #expect(try writer.append([event], producer: last, sequence: most).isNew == false)
    }
    batch.setProducers([(3, 9)], sequences: 0)
    let (bad, _) = FrameWriter.frame(
      of: batch, names: [], place: place, profile: .fast)
    let file = try SystemDisk().open(segment.path, writable: true)
    try file.truncate(to: 64)
    try file.write(bad, at: 64)
    #expect(#expect(throws: LogError.self) { try makeWriter() }?.code == .damaged)
  }
}

extension FrameColumns {
  /// Fills the columns of producers in an empty frame.
  fileprivate mutating func setProducers(_ pairs: [(UInt64, UInt64)], sequences: Int? = nil) {
    self = FrameColumns()
    for (row, pair) in pairs.enumerated() {
      set(.producers, Int64(bitPattern: pair.0), row)
      if row < sequences ?? pairs.count { set(.sequences, Int64(bitPattern: pair.1), row) }
    }
  }
}
