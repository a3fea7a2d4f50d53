import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Experiments: rules of the trigger")
struct TriggerRuleTests {
  @Test("KA-7 the id 0 reads reference, everywhere")
  func reference() throws {
    #expect(ExperimentVariation(0, deviation: 1).id == .reference)
    let json =
      #"{"siteCode":"site","experiments":[{"id":1,"variations":[{"id":0,"deviation":1}]}]}"#
    let world = try ExperimentsWorld(ExperimentConfiguration(parsing: json))
    #expect(try world.client.triggerExperiment("u", 1) == .reference)
    #expect(world.summary == ["confirmed reference hash"])
    #expect(world.told[0].toldDecision?.choices == ["reference"])
    try world.client.force(0, for: "v", in: 1)
    #expect(try world.client.answer("v", 1).reason == .forced)
  }

  @Test("KA-15 variations are in the order of their ids, the reference as 0")
  func order() throws {
    let configuration = ExperimentConfiguration.one(
      ["b": 0.1, 10: 0.1, "a": 0.1, 0: 0.1, 9: 0.1, "-1": 0.1])
    let plan = try #require(try Site(configuration).plans[75253])
    #expect(plan.choices == ["reference", "9", "10", "-1", "a", "b"])
    #expect(try Site(.one(["10": 0.5, "9": 0.5])).plans[75253]?.choices == ["9", "10"])
  }

  @Test("KA-16 unallocated traffic sends its data and counts as activity")
  func leftOut() throws {
    let world = try ExperimentsWorld(.tenths)
    try world.client.addData(userID: "visitor-2", data: VisitorInterest(1))
    #expect(throws: ExperimentError.notAllocated(75253)) {
      try world.client.triggerExperiment("visitor-2", 75253)
    }
    #expect(world.summary == ["interest 1", "excluded none not-allocated"])
    #expect(world.client.visit(of: "visitor-2") != nil)
    #expect(world.told[1].toldDecision?.choices == [148382, 187791])
    #expect(throws: ExperimentError.notAllocated(75253)) {
      try world.client.triggerExperiment("visitor-2", 75253, track: false)
    }
    #expect(world.told.count == 2)
    try world.expectReplays()
  }

  @Test("KA-16 an experiment without variations allocates no one")
  func nothing() throws {
    let world = try ExperimentsWorld(.one([:]))
    #expect(throws: ExperimentError.notAllocated(75253)) {
      try world.client.triggerExperiment("u", 75253)
    }
    #expect(world.told[0].toldDecision?.propensity == 1)
    try world.expectReplays()
  }

  @Test("KA-18 a user who fails the targeting gets nothing, and the buffer is kept")
  func notTargeted() async throws {
    let targeting: JSONValue = ["groups": [["conditions": [ExperimentsVectorTests.gold]]]]
    let world = try ExperimentsWorld(.one([0: 1], targeting: targeting))
    try world.client.addData(userID: "u", data: VisitorInterest(1))
    #expect(throws: ExperimentError.notTargeted(75253)) {
      try world.client.triggerExperiment("u", 75253)
    }
    #expect(world.told.isEmpty && world.client.visit(of: "u") == nil)
    try world.client.addData(userID: "u", data: CustomData(id: 1, value: "gold"), track: false)
    #expect(try world.client.triggerExperiment("u", 75253) == .reference)
    // KA-37: the datum that is not tracked met the targeting, and is not sent.
    #expect(world.summary == ["interest 1", "confirmed reference hash"])
    try await world.client.flush()
    #expect(world.told.count == 2)
    try world.expectReplays()
  }

  @Test("KA-21 a respool time ends what was assigned at it, not what was assigned later")
  func respoolInstant() throws {
    for (microseconds, holds) in [(100_000_000, false), (100_000_001, true)] as [(Int64, Bool)] {
      let world = try ExperimentsWorld(.halves, at: Timestamp(microseconds: microseconds))
      let before = try world.client.triggerExperiment("1267576", 75253)
      try world.client.apply(
        .one([148382: 0.5, 187791: 0.5], respool: [148382: 100, 187791: 100]))
      let answer = try world.client.answer("1267576", 75253)
      #expect((answer.reason == .sticky) == holds)
      if !holds { #expect(answer.reason == (answer.variation == before ? .hash : .reallocated)) }
    }
  }

  @Test("KA-21 a user who loses the variation is reassigned, and the decision says so")
  func variationRemoved() throws {
    let world = try ExperimentsWorld(.halves)
    #expect(try world.client.triggerExperiment("1267576", 75253) == 187791)
    try world.client.apply(.one([148382: 1]))
    #expect(try world.client.triggerExperiment("1267576", 75253) == 148382)
    #expect(world.summary == ["confirmed 187791 hash", "confirmed 148382 reallocated"])
    #expect(world.told[1].toldDecision?.propensity == 1)
    try world.expectReplays()
  }

  @Test("KA-24 an experiment deleted and restored has its assignments again")
  func restored() throws {
    let world = try ExperimentsWorld(.halves)
    #expect(try world.client.triggerExperiment("visitor-1", 75253) == 148382)
    try world.client.apply(.one([0: 1], id: 1))
    #expect(throws: ExperimentError.experimentConfigurationNotFound(75253)) {
      try world.client.triggerExperiment("visitor-1", 75253)
    }
    try world.client.apply(.one([148382: 0, 187791: 1]))
    #expect(try world.client.answer("visitor-1", 75253).status == .repeated)
    #expect(try world.rebuilt().client.triggerExperiment("visitor-1", 75253) == 148382)
  }

  @Test("KA-23 checks are made in order: each call fails with the first that fails")
  func orderOfChecks() throws {
    let holdout = Restrictions(holdout: Holdout(name: "h", share: 1))
    let targeting: JSONValue = ["groups": [["conditions": [ExperimentsVectorTests.gold]]]]
    let off = ExperimentConfiguration.one([148382: 0], targeting: targeting, enabled: false)
    let on = ExperimentConfiguration.one([148382: 0], targeting: targeting)
    let settings = ExperimentSettings(restrictions: holdout)

    let early = try ExperimentsWorld(settings: settings)
    #expect(throws: ExperimentError.sdkNotReady) { try early.client.triggerExperiment("", 9) }
    let world = try ExperimentsWorld(off, settings: settings)
    #expect(throws: ExperimentError.visitorCodeInvalid("")) {
      try world.client.triggerExperiment("", 9)
    }
    #expect(throws: ExperimentError.experimentConfigurationNotFound(9)) {
      try world.client.triggerExperiment("u", 9)
    }
    #expect(throws: ExperimentError.siteCodeDisabled("site")) {
      try world.client.triggerExperiment("u", 75253)
    }
    try world.client.apply(on)
    #expect(try world.client.triggerExperiment("u", 75253) == .reference)
    #expect(world.summary == ["excluded reference holdout"])
    let free = try ExperimentsWorld(on)
    #expect(throws: ExperimentError.notTargeted(75253)) {
      try free.client.triggerExperiment("u", 75253)
    }
    try free.client.addData(userID: "u", data: CustomData(index: 1, value: "gold"))
    #expect(throws: ExperimentError.notAllocated(75253)) {
      try free.client.triggerExperiment("u", 75253)
    }
    #expect(free.summary == ["custom 1", "excluded none not-allocated"])
    try world.expectReplays()
    try free.expectReplays()
  }

  @Test("KA-63 a user id has 1 to 255 UTF-8 bytes")
  func userIDs() async throws {
    let world = try ExperimentsWorld(.halves)
    let long = String(repeating: "é", count: 127)
    for good in ["x", long + "x", " "] {
      _ = try world.client.triggerExperiment(good, 75253)
    }
    for bad in ["", long + "xy"] {
      let refusal = ExperimentError.visitorCodeInvalid(bad)
      #expect(throws: refusal) { try world.client.triggerExperiment(bad, 75253) }
      #expect(throws: refusal) { try world.client.preview(bad, 75253) }
      #expect(throws: refusal) { try world.client.addData(userID: bad, data: VisitorInterest(1)) }
      #expect(throws: refusal) { try world.client.force(148382, for: bad, in: 75253) }
      await #expect(throws: refusal) { try await world.client.flush(userID: bad) }
      await #expect(throws: refusal) {
        try await world.client.trackConversion(userID: bad, goalID: 1)
      }
    }
    #expect(world.told.count == 3)
  }

  @Test("KA-48 the log has data and exposures in the order of the calls")
  func callOrder() async throws {
    let world = try ExperimentsWorld(.halves)
    try world.client.addData(userID: "u", data: Conversion(goalID: 1))
    _ = try world.client.triggerExperiment("u", 75253)
    try world.client.addData(userID: "u", data: Conversion(goalID: 2), VisitorInterest(3))
    try await world.client.trackConversion(userID: "u", goalID: 4)
    #expect(world.told.map(\.kind).prefix(3) == [.conversion, .decision, .conversion])
    #expect(
      world.summary.suffix(4) == ["conversion 2", "interest 3", "conversion 4", "activity"])
  }

  @Test("KA-20, G-5 a log that refuses changes nothing; the next call sends everything once")
  func refusals() throws {
    let world = try ExperimentsWorld(.halves)
    try world.client.addData(userID: "u", data: VisitorInterest(1))
    let state = world.factory.state
    world.world.sink.refuse(true)
    #expect {
      try world.client.triggerExperiment("u", 75253)
    } throws: {
      MoodySink.isRefusal($0)
    }
    #expect {
      try world.client.apply(.tenths)
    } throws: {
      MoodySink.isRefusal($0)
    }
    #expect {
      try world.client.force(148382, for: "u", in: 75253)
    } throws: {
      MoodySink.isRefusal($0)
    }
    #expect(world.factory.state == state)
    try world.client.addData(userID: "u", data: VisitorInterest(2))
    world.world.sink.refuse(false)
    _ = try world.client.triggerExperiment("u", 75253)
    #expect(world.summary.prefix(2) == ["interest 1", "interest 2"])
    #expect(world.told.count == 3)
    #expect(Set(world.events.compactMap(\.id)).count == world.events.count)
    try world.expectReplays()
  }

  @Test("G-22, G-23 a preview says what a trigger would, and leaves no trace")
  func preview() throws {
    let world = try ExperimentsWorld(.halves)
    let snapshot = world.client.snapshot()
    let preview = try world.client.preview("1267576", 75253)
    #expect(preview.reason == .hash && preview.status == .confirmed && preview.propensity == 0.5)
    #expect(world.client.snapshot() == snapshot && world.told.isEmpty)
    #expect(try world.client.answer("1267576", 75253) == preview)
    let next = try world.client.preview("1267576", 75253)
    #expect(next.reason == .sticky && next.status == .repeated && next.policy == "weights")
    #expect(throws: ExperimentError.experimentConfigurationNotFound(1)) {
      try world.client.preview("1267576", 1)
    }
  }

  @Test("KA-37 without tracking an assignment is saved once, and not logged again")
  func untracked() throws {
    let world = try ExperimentsWorld(.halves)
    for _ in 0..<3 { _ = try world.client.triggerExperiment("u", 75253, track: false) }
    #expect(world.told.count == 1)
    let status = try world.client.answer("u", 75253, track: false).status
    #expect(status == .provisional)
    _ = try world.client.triggerExperiment("u", 75253)
    _ = try world.client.triggerExperiment("u", 75253, track: false)
    #expect(world.told.map(\.kind) == [.decision, .decisionConfirmed])
    try world.expectReplays()
  }
}
