import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Folded hash")
struct FoldedHashTests {
  /// The hash of a text, its words gathered byte by byte.
  private func twin(_ bytes: [UInt8], _ key: FingerprintKey) -> Fingerprint {
    var hash = FoldedHash(key: key)
    if bytes.count > 7 { hash.absorb(255 << 56 | UInt64(bytes.count)) }
    var words: [UInt64] = []
    for (index, byte) in bytes.enumerated() {
      if index % 8 == 0 { words.append(0) }
      words[index / 8] |= UInt64(byte) << UInt64(8 * (index % 8))
    }
    if bytes.count <= 7 { words = [(words.first ?? 0) | UInt64(bytes.count) << 56] }
    for word in words { hash.absorb(word) }
    return hash.result()
  }

  @Test("absorbs texts as their bytes taken one by one", arguments: UInt64(0)..<60)
  func texts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let key = FingerprintKey(first: random.next(), second: random.next())
    for _ in 0..<50 {
      let bytes = (0..<Int(seed)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      var hash = FoldedHash(key: key)
      hash.absorb(bytes.span)
      #expect(hash.result() == twin(bytes, key), "seed \(seed)")
    }
  }

  @Test("tells inputs of a single bit and of many words apart in both halves, under bad keys too")
  func differences() {
    for key in [(0, 0), (1, 0), (0, 1), (.max, .max), (7, 9)] as [(UInt64, UInt64)] {
      var (high, low): (Set<UInt64>, Set<UInt64>) = ([], [])
      var count = 0
      for length in 0..<20 {
        for bit in 0..<(length == 0 ? 1 : 64 * length) {
          var hash = FoldedHash(key: FingerprintKey(first: key.0, second: key.1))
          for word in 0..<length { hash.absorb(word == bit / 64 ? 1 << UInt64(bit % 64) : 0) }
          high.insert(hash.result().high)
          low.insert(hash.result().low)
          count += 1
        }
      }
      #expect(high.count == count && low.count == count, "key \(key)")
      #expect(high.isDisjoint(with: low))
    }
  }

  @Test("half of the bits change with any bit of any word")
  func avalanche() {
    var random = SeededGenerator(seed: 3)
    var changed = 0
    for _ in 0..<2_000 {
      let key = FingerprintKey(first: random.next(), second: random.next())
      let words = (0..<4).map { _ in random.next() }
      let (place, bit) = (random.index(4), UInt64(random.index(64)))
      var (one, other) = (FoldedHash(key: key), FoldedHash(key: key))
      for (index, word) in words.enumerated() {
        one.absorb(word)
        other.absorb(index == place ? word ^ 1 << bit : word)
      }
      let (a, b) = (one.result(), other.result())
      changed += (a.high ^ b.high).nonzeroBitCount + (a.low ^ b.low).nonzeroBitCount
    }
    // 256,000 fair bits: 128,000, give or take 253.
    #expect(abs(changed - 128_000) < 1_500)
  }
}

@Suite("Record fingerprint")
struct RecordFingerprintTests {
  private let fingerprint = RecordFingerprint(key: FingerprintKey(first: 1, second: 2))

  private func record(_ event: Event) throws -> EventRecord {
    var record = EventRecord()
    try record.load(event)
    return record
  }

  private func decision(_ change: (inout Decision) -> Void = { _ in }) throws -> EventRecord {
    var decision = Decision(
      experiment: "e", point: "p", slot: "s", variant: "a", choices: ["a", "bc"],
      propensity: 0.5, probabilities: [0.5, 0.5], policy: "x", reason: "y", status: .confirmed,
      context: ["k": 1, "l": "text"], features: ["a": ["f": 2], "bc": ["g": true]])
    change(&decision)
    return try record(
      Event(time: Timestamp(microseconds: 5), unit: "u", payload: .decision(decision)))
  }

  @Test("differs in every field")
  func everyField() throws {
    let base = try decision()
    let others = try [
      decision { $0.experiment = "f" }, decision { $0.point = nil },
      decision { $0.slot = "t" }, decision { $0.variant = "bc" },
      decision { $0.choices = ["bc", "a"] },
      decision {
        $0.choices = nil
        $0.probabilities = nil
      },
      decision { $0.propensity = 0.25 }, decision { $0.propensity = nil },
      decision { $0.probabilities = [0.25, 0.75] }, decision { $0.policy = nil },
      decision { $0.reason = "z" }, decision { $0.status = nil },
      decision { $0.status = .repeated },
      decision { $0.context = nil }, decision { $0.context = [:] },
      decision { $0.context = ["k": 2, "l": "text"] }, decision { $0.context = ["k": 1] },
      decision { $0.context = ["k": "text", "l": 1] },
      decision { $0.features = ["a": ["f": 2]] },
      decision { $0.features = ["a": ["f": 2, "g": true], "bc": [:]] },
      decision {
        $0.policy = "y"
        $0.reason = "x"
      },
    ]
    var all = others
    all.append(base)
    var moved = base
    moved.time.microseconds += 1
    all.append(moved)
    for payload: Payload in [
      .goal(Goal(experiment: "e", goal: "g")), .goal(Goal(experiment: "e", goal: "g", value: 0)),
      .goal(Goal(experiment: "e", goal: "g", value: 1)),
      .conversion(Conversion(goal: "g")), .conversion(Conversion(goal: "g", revenue: 1)),
      .conversion(Conversion(goal: "g", negative: false)),
      .conversion(Conversion(goal: "g", negative: true)),
      .dataPoint(DataPoint(kind: "k")), .dataPoint(DataPoint(kind: "k", value: .flag(true))),
      .dataPoint(DataPoint(kind: "k", value: .flag(false))),
      .dataPoint(DataPoint(kind: "k", value: .text("1"))),
      .dataPoint(DataPoint(kind: "k", value: .number(1))),
      .dataPoint(DataPoint(kind: "k", value: .integer(1 << 60))),
      .dataPoint(
        DataPoint(kind: "k", value: .number(Double(sign: .plus, exponent: 60, significand: 1)))),
    ] {
      all.append(
        try record(Event(time: Timestamp(microseconds: 5), unit: "u", payload: payload)))
    }
    #expect(Set(all.map { fingerprint($0) }).count == all.count)
  }

  @Test("texts of every length are told apart, also where they only move from field to field")
  func texts() throws {
    var seen: Set<Fingerprint> = []
    var count = 0
    for total in 0...20 {
      for split in 0...total {
        let goal = GoalID(String(repeating: "x", count: split))
        let experiment = ExperimentID(String(repeating: "x", count: total - split))
        seen.insert(
          fingerprint(
            try record(
              Event(
                time: Timestamp(microseconds: 0), unit: "u",
                payload: .goal(Goal(experiment: experiment, goal: goal))))))
        count += 1
      }
    }
    #expect(seen.count == count)
  }

  @Test("does not depend on where texts stand in the record, or on the order of attributes")
  func sameContent() throws {
    let base = try decision()
    var shifted = EventRecord()
    try shifted.load(try Event(base))
    var padded = base
    padded.bytes = Array("padding".utf8) + base.bytes + [1]
    let move = { (slice: EventRecord.Slice) in
      slice.isPresent
        ? EventRecord.Slice(start: Int(slice.start) + 7, count: Int(slice.count)) : slice
    }
    for field in EventRecord.TextField.allCases { padded[field] = move(base[field]) }
    padded.choices = base.choices.map(move)
    padded.context = base.context.map { attribute in
      var attribute = attribute
      attribute.name = move(attribute.name)
      if case .text(let slice) = attribute.value { attribute.value = .text(move(slice)) }
      return attribute
    }
    padded.features = base.features.map {
      EventRecord.Attribute(name: move($0.name), value: $0.value)
    }
    padded.featureGroups = base.featureGroups.map {
      EventRecord.FeatureGroup(variant: move($0.variant), count: $0.count)
    }
    let reordered = try decision {
      $0.context = ["l": "text", "k": 1]
      $0.features = ["bc": ["g": true], "a": ["f": 2]]
    }
    #expect(fingerprint(shifted) == fingerprint(base))
    #expect(fingerprint(padded) == fingerprint(base))
    #expect(fingerprint(reordered) == fingerprint(base))
  }

  @Test(
    "kind, id and slot identify an event; minus zero is zero; another key gives other fingerprints")
  func idsZerosAndKeys() throws {
    var a = try decision()
    var b = try decision { $0.variant = "bc" }
    #expect(fingerprint(a) != fingerprint(b))
    a[.id] = a.add("id-1")
    b[.id] = b.add("id-1")
    #expect(fingerprint(a) == fingerprint(b))
    #expect(fingerprint.content(of: a) != fingerprint.content(of: b))
    b[.slot] = b.add("another")
    #expect(fingerprint(a) != fingerprint(b))
    b[.slot] = a[.slot].isPresent ? b.add(Array(a.bytes[a[.slot].range])[...]) : b[.slot]
    #expect(fingerprint(a) == fingerprint(b))
    b[.id] = b.add("id-2")
    #expect(fingerprint(a) != fingerprint(b))
    let zero = try decision { $0.propensity = 0 }
    #expect(fingerprint(zero) == fingerprint(try decision { $0.propensity = -0.0 }))
    let other = RecordFingerprint(key: FingerprintKey(first: 1, second: 3))
    #expect(fingerprint(zero) != other(zero))
  }
}
