import Events
import Foundation
import TestSupport
import Testing

@testable import EventLog

private let isLong = LongTests.areWanted

/// A place in a log that can be damaged.
private struct Part: CustomStringConvertible {
  var file: String
  var bytes: Range<Int>
  /// The number of the frame; nil for the header of a segment.
  var frame: Int?
  var column: ColumnID?
  var what: String

  var description: String { "\(what) of frame \(frame.map(String.init) ?? "-") in \(file)" }
}

extension SmallLog {
  /// Every part of every frame, and the headers of segments.
  fileprivate func parts() throws -> [Part] {
    let reader = try reader()
    var parts = segments.map {
      Part(file: $0, bytes: 0..<SegmentHeader.byteCount, what: "segment header")
    }
    for (number, frame) in reader.frames.enumerated() {
      let file = segments[frame.segment]
      let (start, end) = (Int(frame.offset), Int(frame.endOffset))
      let meta = start + frame.header.metaLength
      parts.append(Part(file: file, bytes: start..<start + 128, frame: number, what: "header"))
      parts.append(Part(file: file, bytes: start + 128..<meta, frame: number, what: "directory"))
      parts.append(Part(file: file, bytes: end - 16..<end, frame: number, what: "trailer"))
      for entry in frame.entries where entry.storedLength > 0 {
        let chunk = start + Int(entry.offset)
        parts.append(
          Part(
            file: file, bytes: chunk..<chunk + Int(entry.storedLength), frame: number,
            column: entry.column, what: entry.column.name))
      }
    }
    return parts
  }

  /// The log with a random bit of the part flipped.
  fileprivate func damaged(_ part: Part, using random: inout SeededGenerator) -> SmallLog {
    var log = self
    let place = part.bytes.lowerBound + random.index(part.bytes.count)
    log.files[part.file]?[place] ^= 1 << UInt8(random.index(8))
    return log
  }

  /// Checks that a reader hands out what was appended, all of it but what it lists as lost.
  fileprivate func checkSkipping(_ words: String) throws -> LogReader {
    let reader = try reader(.skip)
    let read = try reader.eventsByPosition()
    for (position, event) in read {
      #expect(event == events[Int(position)], "\(words): a wrong event \(position)")
    }
    let lost = reader.lostPositions
    #expect(lost.isDisjoint(with: read.keys), "\(words)")
    #expect(
      lost.union(read.keys) == Set(0..<UInt64(events.count)),
      "\(words): \(reader.losses.map(\.description))")
    let listed = reader.losses
    _ = try reader.eventsByPosition()
    #expect(reader.losses == listed, "\(words): reading again adds nothing")
    #expect(listed == listed.sorted { $0.positions.lowerBound < $1.positions.lowerBound })
    return reader
  }
}

@Suite("Reading after damage")
struct DamagePolicyTests {
  /// Three segments of several frames each, of events of every kind.
  private static func log(seed: UInt64) throws -> SmallLog {
    try logs[Int(seed) % logs.count].get()
  }

  private static let logs = (0..<9).map { seed in
    Result { try makeLog(seed: UInt64(seed)) }
  }

  private static func makeLog(seed: UInt64) throws -> SmallLog {
    var generator = EventGenerator(seed: seed)
    let batches = (0..<6).map { _ in generator.events(6) }
    return try SmallLog(batches, segmentByteCount: 5_500, frameRowCount: 3, seed: seed)
  }

  /// Decisions alone, with few names that come and go, so that a test knows who uses which.
  private static func decisions(seed: UInt64) throws -> SmallLog {
    var random = SeededGenerator(seed: seed)
    let batches = (0..<8).map { batch in
      (0..<4).map { row -> Event in
        let choices = (0..<1 + random.index(2)).map { _ in
          VariantID("v\(random.index(2 + batch))")
        }
        return Event(
          time: Timestamp(microseconds: Int64(batch * 4 + row)),
          unit: UnitID("u\(random.index(3 + batch))"), id: nil,
          payload: .decision(
            Decision(
              experiment: ExperimentID("e\(random.index(1 + batch / 2))"), point: nil, slot: nil,
              variant: choices[0], choices: choices, propensity: 0.5, probabilities: nil,
              policy: nil, reason: nil, status: nil, context: nil, features: nil)),
          unknownFields: JSONMembers(validated: ""))
      }
    }
    return try SmallLog(batches, segmentByteCount: 2_000, seed: seed)
  }

  @Test("an intact log reads the same, and nothing is lost")
  func whole() throws {
    let log = try Self.log(seed: 1)
    #expect(log.segments.count >= 3)
    let reader = try log.reader(.skip)
    #expect(try reader.allEvents() == log.events)
    #expect(reader.losses.isEmpty && reader.lostEventCount == 0)
  }

  @Test(
    "whatever part of a log is damaged, no event is wrong and every lost one is listed",
    arguments: isLong ? Array(1...9) : [1, 2] as [UInt64])
  func everyPart(seed: UInt64) throws {
    let log = try Self.log(seed: seed)
    var random = SeededGenerator(seed: seed)
    let frames = try log.reader().frames
    for part in try log.parts() where part.frame.map({ frames[$0].rows > 0 }) ?? true {
      for _ in 0..<(isLong ? 10 : 1) {
        let damaged = log.damaged(part, using: &random)
        let words = "seed \(seed), \(part)"
        #expect(try damaged.damage() != nil, "\(words): strict finds it")
        let reader = try damaged.checkSkipping(words)
        #expect(!reader.losses.isEmpty, "\(words)")
        guard let number = part.frame else {
          #expect(reader.lostPositions.isEmpty, "\(words): the header is made again")
          continue
        }
        let own = Set(frames[number].basePosition..<frames[number].endPosition)
        if part.what == "trailer" {
          #expect(reader.lostPositions.isEmpty, "\(words)")
        } else if let column = part.column, column.vocabulary == nil {
          #expect(reader.lostPositions == own, "\(words)")
        } else {
          let before = Set(0..<frames[number].basePosition)
          #expect(reader.lostPositions.isDisjoint(with: before), "\(words)")
        }
      }
    }
  }

  /// The names that an event uses, by the vocabulary that they stand in.
  private func names(of event: Event) -> [Vocabulary: Set<String>] {
    guard case .decision(let decision) = event.payload else { return [:] }
    let choices = (decision.choices ?? []).map(\.rawValue)
    return [
      .units: [event.unit.rawValue], .experiments: [decision.experiment.rawValue],
      .variants: Set(choices), .lists: [choices.joined(separator: " ")],
    ]
  }

  @Test(
    "only the frame and events that use its names are lost",
    arguments: isLong ? Array(1...30) : [1, 2] as [UInt64])
  func users(seed: UInt64) throws {
    let log = try Self.decisions(seed: seed)
    var random = SeededGenerator(seed: seed)
    let frames = try log.reader().frames
    for part in try log.parts() {
      guard let number = part.frame, part.what != "trailer", frames[number].rows > 0 else {
        continue
      }
      let frame = frames[number]
      let own = Set(frame.basePosition..<frame.endPosition)
      let lostVocabularies =
        part.column.map { [$0.vocabulary].compactMap { $0 } }
        ?? [.units, .experiments, .variants, .lists]
      // The naive way: a name is lost when it first came with this frame.
      var expected = part.column?.vocabulary == nil ? own : []
      for vocabulary in lostVocabularies {
        let known = log.events[..<Int(frame.basePosition)].flatMap {
          names(of: $0)[vocabulary] ?? []
        }
        let new = own.flatMap { names(of: log.events[Int($0)])[vocabulary] ?? [] }
        let lost = Set(new).subtracting(known)
        for (position, event) in log.events.enumerated()
        where !lost.isDisjoint(with: names(of: event)[vocabulary] ?? []) {
          expected.insert(UInt64(position))
        }
      }
      let words = "seed \(seed), \(part)"
      let reader = try log.damaged(part, using: &random).checkSkipping(words)
      #expect(reader.lostPositions == expected, "\(words)")
    }
  }

  @Test(
    "a replay of columns skips what it cannot read, and lists it",
    arguments: isLong ? Array(1...30) : [1, 2] as [UInt64])
  func batches(seed: UInt64) throws {
    let log = try Self.decisions(seed: seed)
    var random = SeededGenerator(seed: seed)
    for part in try log.parts() {
      let words = "seed \(seed), \(part)"
      let reader = try log.damaged(part, using: &random).reader(.skip)
      let names = try LogNames(reader, [.experiments, .variants])
      var read: Set<UInt64> = []
      try reader.forEachBatch([.experiment, .variant]) { batch in
        for row in 0..<batch.count where EventKind(rawValue: batch.kinds[row]) != nil {
          let position = batch.basePosition + UInt64(row)
          read.insert(position)
          guard case .decision(let decision) = log.events[Int(position)].payload else { continue }
          let variant = names.string(batch.variants[row], in: .variants)
          let experiment = names.string(batch.experiments[row], in: .experiments)
          #expect(variant == decision.variant.rawValue, "\(words), event \(position)")
          #expect(experiment == decision.experiment.rawValue, "\(words), event \(position)")
        }
      }
      let all = Set(0..<UInt64(log.events.count))
      #expect(reader.lostPositions == all.subtracting(read), "\(words)")
      let isAsked = part.column.map {
        [.kind, .experiment, .variant, .names(.experiments), .names(.variants)].contains($0)
      }
      if isAsked == false || part.what == "trailer" { #expect(read == all, "\(words)") }
    }
  }

  @Test("many places damaged at once", arguments: 0..<UInt64(isLong ? 3_000 : 30))
  func manyPlaces(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var log = try Self.log(seed: seed % 5)
    for _ in 0..<1 + random.index(6) {
      guard let name = log.segments.randomElement(using: &random),
        let count = log.files[name]?.count
      else { continue }
      let start = random.index(count)
      let length = min(count - start, random.chance(0.5) ? 1 : random.index(2_000))
      for place in start..<start + length {
        log.files[name]?[place] = random.chance(0.5) ? 0 : UInt8(random.index(256))
      }
    }
    _ = try log.checkSkipping("seed \(seed)")
  }

  @Test(
    "swapped frames give no wrong event",
    arguments: 0..<UInt64(isLong ? 600 : 12))
  func misplaced(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var log = try Self.log(seed: seed % 3)
    let frames = try log.reader().frames
    let (a, b) = (frames[random.index(frames.count)], frames[random.index(frames.count)])
    let name = log.segments[b.segment]
    let source = try #require(log.files[log.segments[a.segment]])
    let bytes = source[Int(a.offset)..<Int(a.endOffset)]
    if random.chance(0.5) {
      log.files[name]?.replaceSubrange(Int(b.offset)..<Int(b.endOffset), with: bytes)
    } else {
      log.files[name]?.insert(contentsOf: bytes, at: Int(b.offset))
    }
    _ = try log.checkSkipping("seed \(seed): \(a.basePosition) at \(b.basePosition)")
  }

  @Test("a log truncated without proof of durability reads as in strict mode: the tail is no loss")
  func sameAsStrict() throws {
    var log = try Self.log(seed: 2)
    log.removeHead()
    let whole = try #require(log.files[log.last])
    for size in stride(from: 64, to: whole.count, by: 3) {
      log.files[log.last] = Array(whole.prefix(size))
      let (strict, skipping) = (try log.reader(), try log.reader(.skip))
      #expect(try skipping.allEvents() == strict.allEvents(), "cut at \(size)")
      #expect(skipping.tail == strict.tail && skipping.eventCount == strict.eventCount)
      #expect(skipping.losses.isEmpty, "cut at \(size)")
    }
  }

  @Test("segments that are missing, duplicated, of another log, or truncated")
  func segments() throws {
    let log = try Self.log(seed: 4)
    let names = log.segments
    let bases = try log.reader().segments.map(\.basePosition)
    for (index, name) in names.enumerated() {
      var missing = log
      missing.files[name] = nil
      let reader = try missing.checkSkipping("\(name) is missing")
      let end = index + 1 < bases.count ? bases[index + 1] : UInt64(log.events.count)
      #expect(reader.lostPositions.isSuperset(of: bases[index]..<end))
      #expect(reader.lostPositions.allSatisfy { $0 >= bases[index] })

      var unreadable = log
      for place in 0..<192 { unreadable.files[name]?[place] ^= 0x55 }
      let other = try unreadable.checkSkipping("\(name) has no header and no first frame")
      #expect(other.lostPositions == reader.lostPositions)
      #expect(other.losses.contains { $0.path.hasSuffix(name) && !$0.positions.isEmpty })
    }
    var doubled = log
    doubled.files[SegmentHeader.fileName(basePosition: 1)] = log.files[names[0]]
    #expect(try doubled.checkSkipping("doubled").lostPositions.isEmpty)
    #expect(try doubled.reader(.skip).losses.first?.reason.contains("the same segment as") == true)
    var foreign = log
    foreign.files[names[1]] = try Self.log(seed: 5).files[names[0]]
    let reader = try foreign.checkSkipping("foreign")
    #expect(reader.losses.contains { $0.reason.contains("belongs to log") })
    #expect(reader.lostPositions.isSuperset(of: bases[1]..<bases[2]))
  }

  @Test("damage to the empty frame after the last event is no loss, and the next writer repairs it")
  func seal() throws {
    let log = try Self.log(seed: 1)
    let frame = try #require(try log.reader().frames.last)
    #expect(frame.rows == 0)
    for place in Int(frame.offset)..<Int(frame.endOffset) {
      var damaged = log
      damaged.files[log.last]?[place] ^= 1
      let reader = try damaged.checkSkipping("byte \(place)")
      #expect(reader.losses.isEmpty && reader.tail?.offset == frame.offset)
    }
    var damaged = log
    damaged.files[log.last]?[Int(frame.offset)] ^= 1
    #expect(try damaged.writer().recovered?.offset == frame.offset)
  }

  @Test("a strict reader stops at damage and names file, offset and events")
  func strict() throws {
    var log = try Self.log(seed: 6)
    let frame = try log.reader().frames[1]
    let entry = try #require(frame.entry(.time))
    let place = Int(frame.offset) + Int(entry.offset)
    log.files[log.segments[0]]?[place] ^= 1
    let error = #expect(throws: LogError.self) { try log.reader().allEvents() }
    #expect(error?.offset == UInt64(place))
    #expect(
      error?.message.contains("column time: its checksum does not match (events 3 to 5)") == true)
    let reader = try log.reader(.skip)
    _ = try reader.allEvents()
    #expect(
      reader.losses.map(\.description) == [
        "/log/\(log.segments[0]), byte \(place): column time, events 3 to 5 (its checksum does not match)"
      ])
    #expect(reader.lostEventCount == 3)
  }

  @Test("repeated losses add nothing, and adjacent ones are merged")
  func ledger() {
    let ledger = LossLedger()
    let loss = { (range: Range<UInt64>, offset: UInt64) in
      LogLoss(path: "/f", offset: offset, column: "unit", positions: range, reason: "r")
    }
    for range in [4..<5, 2..<3, 5..<6, 4..<5, 9..<9] as [Range<UInt64>] {
      ledger.add(loss(range, 8))
    }
    ledger.add(loss(7..<7, 0))
    #expect(ledger.losses == [loss(2..<3, 8), loss(4..<6, 8), loss(7..<7, 0)])
  }
}
