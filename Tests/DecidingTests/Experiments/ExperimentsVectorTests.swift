import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Experiments: test vectors")
struct ExperimentsVectorTests {
  struct Allocation: Sendable, CustomTestStringConvertible {
    let id: String
    let visitor: String
    let respool: Int64?
    let halves: VariationID
    let thirds: VariationID
    /// Nil is left out.
    let tenths: VariationID?
    var testDescription: String { "\(id) \(visitor)" }
  }

  static let allocations = [
    Allocation(
      id: "KA-V21", visitor: "1267576", respool: nil, halves: 187791, thirds: 148382, tenths: nil),
    Allocation(
      id: "KA-V22", visitor: "visitor-1", respool: nil, halves: 148382, thirds: .reference,
      tenths: 148382),
    Allocation(
      id: "KA-V23", visitor: "visitor-2", respool: nil, halves: 187791, thirds: 187791, tenths: nil),
    Allocation(
      id: "KA-V24", visitor: "1267576", respool: 1_600_000_000, halves: 187791, thirds: 187791,
      tenths: nil),
  ]

  @Test("a visitor gets the variation that the hash picks", arguments: allocations)
  func allocation(row: Allocation) throws {
    let respool = row.respool.map { [187791 as VariationID: $0] } ?? [:]
    try expect(row, .one([148382: 0.5, 187791: 0.5], respool: respool), row.halves, 0.5)
    try expect(
      row, .one([0: 1.0 / 3, 148382: 1.0 / 3, 187791: 1.0 / 3], respool: respool), row.thirds,
      1.0 / 3)
    try expect(row, .one([148382: 0.1, 187791: 0.1], respool: respool), row.tenths, 0.1)
  }

  private func expect(
    _ row: Allocation, _ configuration: ExperimentConfiguration, _ expected: VariationID?,
    _ propensity: Double
  ) throws {
    // Later than the respool time, so that what is assigned now holds.
    let world = try ExperimentsWorld(
      configuration, at: Timestamp(microseconds: 1_700_000_000_000_000))
    guard let expected else {
      #expect(throws: ExperimentError.notAllocated(75253)) {
        try world.client.triggerExperiment(row.visitor, 75253)
      }
      let decision = try #require(world.told.first?.toldDecision)
      #expect(decision.variant == "none" && decision.status == .excluded)
      #expect(decision.propensity == 0.8 && decision.reason == "not-allocated")
      #expect(throws: ExperimentError.notAllocated(75253)) {
        try world.rebuilt().client.preview(row.visitor, 75253)
      }
      try world.expectReplays()
      return
    }
    #expect(try world.client.triggerExperiment(row.visitor, 75253) == expected)
    let decision = try #require(world.told.first?.toldDecision)
    #expect(decision.variant == expected && decision.status == .confirmed)
    #expect(decision.propensity == propensity && decision.policy == "weights")
    #expect(decision.reason == "hash")
    let rebuilt = try world.rebuilt()
    #expect(try rebuilt.client.triggerExperiment(row.visitor, 75253) == expected)
    #expect(rebuilt.summary == ["repeated \(expected) sticky"])
    try world.expectReplays()
  }

  @Test("KA-V25 a hash on the boundary belongs to the next variation")
  func boundary() throws {
    for (configuration, expected) in [
      (ExperimentConfiguration.halves, 187791 as VariationID), (.thirds, 148382),
    ] {
      let plan = try #require(try Site(configuration).plans[75253])
      let index = try #require(plan.index(at: 0.5))
      #expect(plan.choices[index] == expected)
    }
  }

  @Test(
    "what is hashed is the user id, the experiment's id and the respool times, without separators",
    arguments: [
      ("KA-V1", "1267576", 75253, nil, 0.5784561386860857),
      ("KA-V2", "1267576", 1, nil, 0.25803368820258277),
      ("KA-V3", "visitor-1", 75253, nil, 0.006659183891998811),
      ("KA-V4", "visitor-2", 75253, nil, 0.6737432692543126),
      ("KA-V6", "user_42", 75253, nil, 0.6263993682300679),
      ("KA-V7", "a", 75253, nil, 0.9214046498074614),
      ("KA-V9", "1267576", 75253, 1_600_000_000, 0.8077320196139168),
      ("KA-V20", "12", 675, nil, 0.6917674500500198),
      ("KA-V20", "126", 75, nil, 0.6917674500500198),
    ] as [(String, String, Int, Int64?, Double)])
  func hash(id: String, visitor: String, experiment: Int, respool: Int64?, expected: Double) throws {
    let experimentID = ExperimentID(integerLiteral: experiment)
    let configuration = ExperimentConfiguration.one(
      [148382: 0.5, 187791: 0.5], id: experimentID, respool: respool.map { [187791: $0] } ?? [:])
    let plan = try #require(try Site(configuration).plans[experimentID])
    #expect(plan.place(of: visitor) == expected)
  }

  @Test("KA-R1 an experiment that the configuration does not have")
  func unknown() throws {
    let world = try ExperimentsWorld(.one([0: 1], id: 1))
    #expect(throws: ExperimentError.experimentConfigurationNotFound(75253)) {
      try world.client.triggerExperiment("1267576", 75253)
    }
    #expect(world.told.isEmpty)
    #expect(throws: ExperimentError.experimentConfigurationNotFound(75253)) {
      try world.rebuilt().client.triggerExperiment("1267576", 75253)
    }
  }

  @Test("KA-R2 a trigger before a configuration")
  func notReady() throws {
    let world = try ExperimentsWorld()
    #expect(throws: ExperimentError.sdkNotReady) {
      try world.client.triggerExperiment("1267576", 75253)
    }
    #expect(throws: ExperimentError.sdkNotReady) {
      try world.rebuilt().client.triggerExperiment("1267576", 75253)
    }
  }

  @Test("KA-R5 a second trigger repeats the first")
  func repeated() throws {
    let world = try ExperimentsWorld(.halves)
    let first = try world.client.triggerExperiment("1267576", 75253)
    #expect(try world.client.triggerExperiment("1267576", 75253) == first)
    #expect(world.summary == ["confirmed 187791 hash", "repeated 187791 sticky"])
    #expect(world.told.map { $0.toldDecision?.propensity } == [0.5, 0.5])
    let rebuilt = try world.rebuilt()
    #expect(try rebuilt.client.triggerExperiment("1267576", 75253) == first)
    #expect(rebuilt.summary == ["repeated 187791 sticky"])
    try world.expectReplays()
  }

  @Test("KA-R6, KA-R8 data wait until they are flushed, in order; a second flush is activity only")
  func flush() async throws {
    let world = try ExperimentsWorld(.halves)
    try world.client.addData(
      userID: "u", data: VisitorInterest(2), Conversion(goalID: 32, revenue: 10))
    #expect(world.told.isEmpty)
    try await world.client.flush(userID: "u")
    #expect(world.summary == ["interest 2", "conversion 32", "activity"])
    try await world.client.flush(userID: "u")
    #expect(world.summary == ["interest 2", "conversion 32", "activity", "activity"])
    let isDone = await withCheckedContinuation { done in
      world.client.flush(userID: "u") { done.resume(returning: $0) }
    }
    #expect(isDone)
    try world.expectReplays()
  }

  @Test("KA-R7 a conversion is sent after the buffered data, and activity after it, in one batch")
  func trackConversion() async throws {
    let world = try ExperimentsWorld(.halves)
    try world.client.addData(userID: "u", data: CustomData(index: 1, value: "gold"))
    try await world.client.trackConversion(userID: "u", goalID: 83023, revenue: 1.0)
    #expect(world.summary == ["custom 1", "conversion 83023", "activity"])
    #expect(
      world.told[1].payload == .conversion(Conversion(goal: 83023, revenue: 1, negative: false)))
    try world.expectReplays()
  }

  @Test("KA-R9 a goal written as a number is the goal written as a text")
  func goal() {
    #expect(GoalID(integerLiteral: 83023) == "83023")
    #expect(Conversion(goalID: 83023) == Conversion(goalID: "83023"))
  }

  @Test("KA-R10 calls at 0, 29:59 and 59:58 are one visit")
  func oneVisit() async throws {
    let world = try ExperimentsWorld(.halves)
    try await world.client.flush(userID: "u")
    world.time.advance(seconds: 1_799)
    _ = try world.client.triggerExperiment("u", 75253)
    world.time.advance(seconds: 1_799)
    try await world.client.trackConversion(userID: "u", goalID: 1)
    for client in [world.client, try world.rebuilt().client] {
      let visit = try #require(client.visit(of: "u"))
      #expect(visit.start.microseconds == 0 && visit.isOpen)
      #expect(visit.lastActivity.microseconds == 3_598_000_000)
    }
  }

  @Test("KA-R11 data are no activity: trigger at 0, data at 29:00, trigger at 30:01 are two visits")
  func twoVisits() throws {
    let world = try ExperimentsWorld(.halves)
    _ = try world.client.triggerExperiment("u", 75253)
    world.time.advance(seconds: 1_740)
    try world.client.addData(userID: "u", data: VisitorInterest(1))
    world.time.advance(seconds: 61)
    #expect(world.client.visit(of: "u")?.isOpen == false)
    _ = try world.client.triggerExperiment("u", 75253)
    for client in [world.client, try world.rebuilt().client] {
      #expect(client.visit(of: "u")?.start.microseconds == 1_801_000_000)
    }
    try world.expectReplays()
  }

  @Test("KA-V35 a trigger sends the data of its user only")
  func ownData() async throws {
    let world = try ExperimentsWorld(.halves)
    try world.client.addData(userID: "u", data: VisitorInterest(1))
    try world.client.addData(userID: "v", data: VisitorInterest(2))
    _ = try world.client.triggerExperiment("u", 75253)
    #expect(world.told.map(\.unit) == ["u", "u"])
    try await world.client.flush()
    #expect(world.told.map(\.unit) == ["u", "u", "v", "v"])
    try world.expectReplays()
  }

  @Test("KA-V34 a share of 0 is never picked")
  func noShare() throws {
    let world = try ExperimentsWorld(.one([0: 0, 148382: 0.6, 187791: 0.4]))
    #expect(try world.client.triggerExperiment("visitor-1", 75253) == 148382)
    #expect(try world.rebuilt().client.triggerExperiment("visitor-1", 75253) == 148382)
  }

  @Test("KA-V26 a respool time before the assignment keeps it, one after it picks anew")
  func respool() throws {
    let world = try ExperimentsWorld(.halves)
    world.time.advance(seconds: 100)
    #expect(try world.client.triggerExperiment("1267576", 75253) == 187791)
    try world.client.apply(.one([148382: 0.5, 187791: 0.5], respool: [187791: 50]))
    #expect(try world.client.answer("1267576", 75253).reason == .sticky)
    world.time.advance(seconds: 100)
    // SHA-256 of "126757675253150" begins with 0xc4, so the hash stays in the upper half.
    try world.client.apply(.one([148382: 0.5, 187791: 0.5], respool: [187791: 150]))
    let plan = try #require(world.factory.state.sites["site"]?.plans[75253])
    #expect(plan.salt == "75253150")
    let expected = plan.choices[try #require(plan.index(at: plan.place(of: "1267576")))]
    let preview = try world.rebuilt().client.preview("1267576", 75253)
    let answer = try world.client.answer("1267576", 75253)
    #expect(answer == preview && answer.variation == expected && answer.status == .confirmed)
    #expect(answer.reason == (expected == 187791 ? .hash : .reallocated))
    #expect(try world.client.answer("1267576", 75253).reason == .sticky)
    try world.expectReplays()
  }

  @Test("KA-V27 changed deviations move new users only")
  func changedDeviations() throws {
    let world = try ExperimentsWorld(.halves)
    #expect(try world.client.triggerExperiment("visitor-1", 75253) == 148382)
    try world.client.apply(.one([148382: 0, 187791: 1]))
    #expect(try world.client.triggerExperiment("visitor-1", 75253) == 148382)
    #expect(try world.rebuilt().client.triggerExperiment("visitor-1", 75253) == 148382)
    #expect(try world.client.triggerExperiment("a-new-one", 75253) == 187791)
  }

  @Test(
    "KA-V28 a negative conversion subtracts its revenue, whatever its sign",
    arguments: [(4, true), (-4, true), (-4, false)] as [(Double, Bool)])
  func negative(revenue: Double, negative: Bool) async throws {
    let world = try ExperimentsWorld(.halves)
    try await world.client.trackConversion(userID: "u", goalID: 1, revenue: 10)
    try await world.client.trackConversion(
      userID: "u", goalID: 1, revenue: revenue, negative: negative)
    for factory in [world.factory, try world.rebuilt().factory] {
      let tally = try #require(factory.state.visitors["u"]?.knowledge.conversions[1])
      #expect(tally.revenue == 6 && tally.count == 1 && tally.negatives == 1)
    }
  }

  @Test("KA-V36 a saved variation outlives a targeting that fails for a while")
  func targetingFails() throws {
    let targeting: JSONValue = ["groups": [["conditions": [Self.gold]]]]
    let world = try ExperimentsWorld(.one([148382: 0.5, 187791: 0.5], targeting: targeting))
    try world.client.addData(userID: "visitor-1", data: CustomData(index: 1, value: "gold"))
    #expect(try world.client.triggerExperiment("visitor-1", 75253) == 148382)
    try world.client.addData(userID: "visitor-1", data: CustomData(index: 1, value: "lead"))
    let count = world.events.count
    #expect(throws: ExperimentError.notTargeted(75253)) {
      try world.client.triggerExperiment("visitor-1", 75253)
    }
    #expect(world.events.count == count)
    try world.client.addData(userID: "visitor-1", data: CustomData(index: 1, value: "gold"))
    #expect(try world.client.answer("visitor-1", 75253).status == .repeated)
    #expect(world.summary.suffix(3) == ["custom 1", "custom 1", "repeated 148382 sticky"])
    #expect(try world.rebuilt().client.answer("visitor-1", 75253).status == .repeated)
    try world.expectReplays()
  }

  static let gold: JSONValue = [
    "type": "CUSTOM_DATUM", "index": 1, "operator": "EXACT", "value": "gold",
  ]

  @Test("KA-V37 deviations beyond 1 fail a refresh, and the old configuration remains")
  func refusedRefresh() async throws {
    let world = try ExperimentsWorld(.halves)
    world.loader.answers(.one([148382: 0.6, 187791: 0.5]))
    let refusal = ExperimentError.invalidConfiguration(
      path: "experiments[0].variations",
      reason: "have deviations that add up to 1.1, which is more than 1")
    await #expect(throws: refusal) { try await world.client.refresh() }
    #expect(world.client.lastRefreshError == refusal)
    #expect(try world.client.triggerExperiment("visitor-1", 75253) == 148382)
    #expect(try world.rebuilt().client.triggerExperiment("visitor-1", 75253) == 148382)
  }

  @Test("KA-V38 a provisional decision counts from the first tracked trigger on")
  func provisional() throws {
    let world = try ExperimentsWorld(.halves)
    #expect(try world.client.triggerExperiment("visitor-1", 75253, track: false) == 148382)
    #expect(world.summary == ["provisional 148382 hash"])
    #expect(world.client.visit(of: "visitor-1") == nil)
    try world.expectReplays()
    let rebuilt = try world.rebuilt()
    #expect(try rebuilt.client.triggerExperiment("visitor-1", 75253) == 148382)
    #expect(try world.client.triggerExperiment("visitor-1", 75253) == 148382)
    #expect(world.summary == ["provisional 148382 hash", "decisionConfirmed"])
    #expect(world.client.visit(of: "visitor-1") != nil)
    #expect(try world.client.answer("visitor-1", 75253).status == .repeated)
    try world.expectReplays()
  }
}
