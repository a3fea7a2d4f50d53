import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Experiments: visits")
struct VisitRuleTests {
  @Test("KA-11 a pause of 30 minutes begins a new visit, one a microsecond shorter does not")
  func boundary() async throws {
    for (pause, isNew) in [(1_800_000_000, true), (1_799_999_999, false)] as [(Int64, Bool)] {
      let world = try ExperimentsWorld()
      try await world.client.flush(userID: "u")
      world.time.advance(microseconds: pause)
      #expect(world.client.visit(of: "u")?.isOpen == !isNew)
      try await world.client.flush(userID: "u")
      #expect((world.client.visit(of: "u")?.start.microseconds == pause) == isNew)
      #expect(world.factory.state.visitors["u"]?.visits.count == (isNew ? 2 : 1))
      try world.expectReplays()
    }
  }

  @Test("KA-12 a visit is open until it times out; a user who never came has none")
  func open() async throws {
    let world = try ExperimentsWorld()
    #expect(world.client.visit(of: "u") == nil)
    try world.client.addData(userID: "u", data: VisitorInterest(1))
    #expect(world.client.visit(of: "u") == nil)
    try await world.client.flush(userID: "u")
    #expect(world.client.visit(of: "u")?.isOpen == true)
    world.time.advance(seconds: 1_800)
    #expect(world.client.visit(of: "u")?.isOpen == false)
    world.time.advance(seconds: -3_600)
    #expect(world.client.visit(of: "u")?.isOpen == true)
  }

  @Test("a clock that is set back neither ends a visit nor moves its last activity")
  func setBack() async throws {
    let world = try ExperimentsWorld(at: Timestamp(microseconds: 10_000_000_000))
    try await world.client.flush(userID: "u")
    world.time.advance(seconds: -5_000)
    try await world.client.flush(userID: "u")
    let visit = try #require(world.client.visit(of: "u"))
    #expect(visit.start == visit.lastActivity && visit.start.microseconds == 10_000_000_000)
  }

  @Test(
    "visits of the day and in total are those of a list of all visits",
    arguments: 0..<20 as Range<UInt64>)
  func model(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var history = VisitHistory()
    var starts: [Int64] = []
    var last: Int64?
    var now: Int64 = -200_000_000_000
    for _ in 0..<300 {
      now += Int64(generator.index(3)) * 900_000_000 + Int64(generator.index(4)) * 600_000_000
      if let before = last, now - before < 1_800_000_000 {} else { starts.append(now) }
      last = now
      let time = Timestamp(microseconds: now)
      history.activity(at: time)
      #expect(history.count == starts.count, "seed \(seed)")
      #expect(history.firstStart?.microseconds == starts.first)
      #expect(history.earlierStart?.microseconds == starts.dropLast().last)
      for offset in [0, 3_600, -86_400, 50_400] as [Int64] {
        func day(_ time: Int64) -> Double {
          (Double(time) / 1e6 + Double(offset)) / 86_400
        }
        let expected = starts.count { day($0).rounded(.down) == day(now).rounded(.down) }
        #expect(history.count(onDayOf: time, offsetSeconds: offset) == expected, "seed \(seed)")
      }
    }
  }

  @Test("the facts that targeting sees count the visit that the call is a part of")
  func facts() async throws {
    let world = try ExperimentsWorld(.halves)
    try await world.client.flush(userID: "u")
    world.time.advance(seconds: 1_800)
    let client = world.client
    let facts = world.factory.recorder.perform { client.facts(of: "u", in: $0) }
    #expect(facts.visits.count == 2 && facts.visits.earlierStart?.microseconds == 0)
    #expect(world.factory.state.visitors["u"]?.visits.count == 1)
    #expect(facts.kinds == [75253: .experiment])
  }
}
