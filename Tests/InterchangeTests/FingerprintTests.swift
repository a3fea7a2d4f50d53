import Events
import Testing

@testable import EventLog

@Suite("SipHash")
struct SipHashTests {
  private let key = FingerprintKey(
    first: 0x0706_0504_0302_0100, second: 0x0F0E_0D0C_0B0A_0908)

  /// The first vectors of the authors' reference implementation (`vectors_sip128`): key 00 01 ... 0f,
  /// input 00 01 ... of each length.
  private let vectors: [String] = [
    "a3817f04ba25a8e66df67214c7550293", "da87c1d86b99af44347659119b22fc45",
    "8177228da4a45dc7fca38bdef60affe4", "9c70b60c5267a94e5f33b6b02985ed51",
  ]

  private func hash(_ bytes: [UInt8]) -> String {
    var hash = SipHash(key: key)
    let whole = bytes.count / 8 * 8
    let word = { (range: Range<Int>) in
      bytes[range].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    }
    for start in stride(from: 0, to: whole, by: 8) { hash.absorb(word(start..<start + 8)) }
    let result = hash.finish(
      tail: word(whole..<bytes.count), tailCount: UInt64(bytes.count - whole))
    return [result.high, result.low].map { half in
      (0..<8).map { index in
        let byte = UInt8(truncatingIfNeeded: half >> UInt64(8 * index))
        return (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
    }.joined()
  }

  @Test("gives the published results")
  func publishedVectors() {
    for (count, expected) in vectors.enumerated() {
      #expect(hash((0..<count).map { UInt8($0) }) == expected)
    }
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
    padded.texts = base.texts.map(move)
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
