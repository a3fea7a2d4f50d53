import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Experiments: overrides, restrictions, consent")
struct OverrideRuleTests {
  @Test("KA-39 a forced variation is logged as such, is not saved, and ends with nil")
  func forced() throws {
    let world = try ExperimentsWorld(.halves)
    try world.client.setForcedVariation(148382, in: 75253, for: "1267576")
    #expect(try world.client.triggerExperiment("1267576", 75253) == 148382)
    #expect(try world.rebuilt().client.triggerExperiment("1267576", 75253) == 148382)
    #expect(try world.client.triggerExperiment("1267576", 75253) == 148382)
    #expect(world.summary == ["confirmed 148382 forced", "repeated 148382 forced"])
    #expect(world.told.map { $0.toldDecision?.propensity } == [1, 1])
    _ = try world.client.triggerExperiment("1267576", 75253, track: false)
    #expect(world.told.count == 2)
    try world.expectReplays()
    try world.client.setForcedVariation(nil, in: 75253, for: "1267576")
    #expect(try world.client.answer("1267576", 75253).reason == .hash)
    #expect(try world.client.answer("1267576", 75253).variation == 187791)
    try world.expectReplays()
  }

  @Test("G-20 an override that changes nothing is not logged")
  func unchanged() throws {
    let world = try ExperimentsWorld(.halves)
    let count = world.events.count
    try world.client.unforce(for: "u", in: 75253)
    #expect(world.events.count == count)
    try world.client.force(148382, for: "u", in: 75253)
    try world.client.force(148382, for: "u", in: 75253)
    #expect(world.events.count == count + 1)
    #expect(world.events.last?.toldConfiguration?.reason == "forced")
    try world.client.setForcedVariation(148382, in: 75253, for: "u", forceTargeting: false)
    #expect(world.events.count == count + 2)
    try world.client.unforce(for: "u", in: 75253)
    #expect(world.events.last?.toldConfiguration?.reason == "unforced")
    #expect(world.events.count == count + 3)
    #expect(world.factory.state.targetedOverrides.isEmpty)
    try world.expectReplays()
  }

  @Test("G-20 a variation that does not exist is ignored, with one warning")
  func absent() throws {
    let world = try ExperimentsWorld(.halves)
    try world.client.force("nowhere", for: "1267576", in: 75253)
    for _ in 0..<3 { #expect(try world.client.triggerExperiment("1267576", 75253) == 187791) }
    #expect(world.client.warnings.count == 1)
    #expect(world.client.warnings[0].contains("nowhere"))
    try world.expectReplays()
  }

  @Test("an override comes before the holdout and, unless it is told otherwise, the targeting")
  func beforeOthers() throws {
    let targeting: JSONValue = ["groups": [["conditions": [ExperimentsVectorTests.gold]]]]
    let settings = ExperimentSettings(
      restrictions: Restrictions(holdout: Holdout(name: "h", share: 1)))
    let world = try ExperimentsWorld(
      .one([148382: 0.5, 187791: 0.5], targeting: targeting), settings: settings)
    try world.client.setForcedVariation(148382, in: 75253, for: "u")
    #expect(try world.client.triggerExperiment("u", 75253) == 148382)
    try world.client.setForcedVariation(148382, in: 75253, for: "u", forceTargeting: false)
    #expect(throws: ExperimentError.notTargeted(75253)) {
      try world.client.triggerExperiment("u", 75253)
    }
    try world.client.addData(userID: "u", data: CustomData(index: 1, value: "gold"))
    #expect(try world.client.answer("u", 75253).reason == .forced)
    try world.expectReplays()
  }

  @Test("G-18, G-19, G-21 an excluded user gets the reference, and a decision with the reason")
  func restrictions() throws {
    let group = ExclusionGroup(name: "group1", members: [1, 75253])
    let later = Schedule(from: Timestamp(microseconds: 1))
    let cases: [(Restrictions, String, Reason?)] = [
      (Restrictions(holdout: Holdout(name: "holdout-1", share: 0.3)), "user_42", .holdout),
      (Restrictions(holdout: Holdout(name: "holdout-1", share: 0.3)), "1267576", nil),
      (Restrictions(groups: [group]), "user_42", .exclusionGroup),
      (Restrictions(groups: [group]), "1267576", nil),
      (Restrictions(schedules: [75253: later]), "1267576", .outsideSchedule),
    ]
    for (restrictions, user, reason) in cases {
      let settings = ExperimentSettings(restrictions: restrictions)
      let world = try ExperimentsWorld(.halves, settings: settings)
      let answer = try world.client.answer(user, 75253)
      #expect(answer.reason == reason ?? .hash)
      if let reason {
        #expect(answer.variation == .reference && answer.status == .excluded)
        #expect(world.summary == ["excluded reference \(reason.rawValue)"])
        #expect(world.told[0].toldDecision?.propensity == 1)
        _ = try world.client.answer(user, 75253, track: false)
        #expect(world.told.count == 1)
      }
      try world.expectReplays()
    }
  }

  @Test("G-21 an assignment outlives the time outside the schedule")
  func schedule() throws {
    let until = Schedule(to: Timestamp(microseconds: 10))
    let settings = ExperimentSettings(restrictions: Restrictions(schedules: [75253: until]))
    let world = try ExperimentsWorld(.halves, settings: settings)
    #expect(try world.client.triggerExperiment("visitor-1", 75253) == 148382)
    world.time.advance(microseconds: 10)
    #expect(try world.client.answer("visitor-1", 75253).reason == .outsideSchedule)
    #expect(world.factory.state.visitors["visitor-1"]?.assignments[75253]?.variation == 148382)
    try world.expectReplays()
  }

  @Test(
    "KA-58 without consent nothing is appended: the reference, or an error",
    arguments: [("partial", false), ("complete", true)])
  func consent(blocking: String, throwing: Bool) throws {
    let configuration = ExperimentConfiguration.one(
      [148382: 1], other: ["consent": .string(blocking)])
    let world = try ExperimentsWorld(configuration)
    try world.client.addData(userID: "u", data: VisitorInterest(1))
    if throwing {
      #expect(throws: ExperimentError.consentRequired) {
        try world.client.triggerExperiment("u", 75253)
      }
    } else {
      let answer = try world.client.answer("u", 75253)
      #expect(answer.variation == .reference && answer.reason == .noConsent)
    }
    #expect(world.told.isEmpty && world.client.visit(of: "u") == nil)
    let given = DataPoint(kind: VisitorKnowledge.consentKind, value: true)
    let event = Event(time: world.time.now, unit: "u", payload: .dataPoint(given))
    let consenting = try ExperimentsWorld(replaying: world.events + [event])
    #expect(try consenting.client.triggerExperiment("u", 75253) == 148382)
  }

  @Test("KA-58 targeted delivery goes on without consent")
  func delivery() throws {
    let personal = Experiment(
      7, variations: [ExperimentVariation(1, deviation: 1)], kind: .personalization)
    let world = try ExperimentsWorld(
      ExperimentConfiguration(
        siteCode: "site", experiments: [personal], other: ["consent": "complete"]))
    #expect(try world.client.triggerExperiment("u", 7) == 1)
  }
}
