import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Experiments: rules of flags")
struct FlagRuleTests {
  /// Half of the users are exposed to a rule with a respool time.
  private static let respooled = ruleFlag.replacing(
    #""exposition":0.5"#, with: #""exposition":0.5,"respool":1600000000"#)

  @Test("KA-26: exposition and variation hash the code, an id and the respool time")
  func hashes() throws {
    let world = try ExperimentsWorld(flags: Self.respooled)
    for number in 0..<200 {
      let user = "u\(number)"
      let answer = try world.client.previewVariation(of: "checkout", for: user)
      let isExposed = UnitHash(user, "501", "1600000000").fraction < 0.5
      let isFirst = UnitHash(user, "7001", "1600000000").fraction < 0.5
      #expect(answer.key == (isExposed ? isFirst ? "control" : "treatment" : "later"), "\(user)")
    }
  }

  @Test(
    "KA-28: the bucketing datum comes before the unique identifier, and that before the user id")
  func code() throws {
    let world = try ExperimentsWorld(
      flags: ruleFlag.replacing(#""default":"off""#, with: #""bucketing":3"#))
    let client = world.client
    // "1267576" is not exposed, "visitor-1" gets the treatment.
    #expect(try client.variation(of: "checkout", for: "1267576").key == "later")
    try client.addData(userID: "1267576", data: UniqueIdentifier("visitor-1"))
    #expect(try client.variation(of: "checkout", for: "1267576").key == "treatment")
    try client.addData(userID: "1267576", data: CustomData(index: 4, value: "no bucket"))
    #expect(try client.variation(of: "checkout", for: "1267576").key == "treatment")
    try client.addData(userID: "1267576", data: CustomData(index: 3, value: "1267576"))
    #expect(try client.variation(of: "checkout", for: "1267576").key == "later")
    try world.expectReplay("checkout", for: ["1267576"])
  }

  @Test("KA-33: a delivery rule that targets but does not expose ends the search, unlike others")
  func missedRules() throws {
    func key(_ type: String) throws -> FlagVariation {
      let flag = #"""
        {"key":"f","variations":[{"key":"on"}],"rules":[
          {"id":1,"type":"\#(type)","exposition":0,"variations":[{"key":"on","deviation":1}]},
          {"id":2,"type":"delivery","variations":[{"key":"on","deviation":1}]}]}
        """#
      return try ExperimentsWorld(flags: flag).client.variation(of: "f", for: "u")
    }
    let missed = try key("delivery")
    #expect(missed.key == "off" && missed.reason == .default && missed.status == .excluded)
    #expect(missed.rule == nil && missed.propensity == 1)
    #expect(try key("experiment").rule == "2")
  }

  @Test("KA-32: a rule whose targeting fails is skipped; a delivery assigns its first variation")
  func targeting() throws {
    let flag = #"""
      {"key":"f","default":"none","variations":[{"key":"none"},{"key":"a"},{"key":"b"}],"rules":[
        {"id":1,"type":"delivery","targeting":"fr","exposition":0,"variations":[{"key":"a"}]},
        {"id":2,"type":"delivery","targeting":{"groups":[{"conditions":[{"type":"INTEREST","index":1}]}]},
         "variations":[{"key":"b","deviation":0.1},{"key":"a","deviation":0.9}]}]}
      """#
    let segments =
      #""segments":[{"id":"fr","groups":[{"conditions":[{"type":"GEOLOCATION","country":"FR"}]}]}]"#
    let world = try ExperimentsWorld(flags: flag, segments)
    #expect(try world.client.variation(of: "f", for: "u").key == "none")
    try world.client.addData(userID: "u", data: VisitorInterest(1))
    #expect(try world.client.variation(of: "f", for: "u").key == "b")
    try world.client.addData(userID: "u", data: VisitorPlace(country: "FR"))
    #expect(try world.client.variation(of: "f", for: "u").key == "none")
    try world.expectReplay("f", for: ["u"])
  }

  @Test("KA-32: scores come before the rule's own pick: the first group that shares a variation")
  func scores() throws {
    let world = try ExperimentsWorld(flags: ruleFlag)
    let client = world.client
    func give(_ groups: [[VariationID]]) throws -> FlagVariation {
      try client.addData(
        userID: "visitor-1", data: VariationScores(experimentID: "7001", groups: groups))
      return try client.variation(of: "checkout", for: "visitor-1")
    }
    let best = try give([["unknown"], ["control"], ["treatment"]])
    #expect(best.key == "control" && best.reason == .adaptive && best.propensity == 1)
    #expect(best.policy == "scores")
    // Of several, the hash 0.80… says which: in the order of the rule.
    let several = try give([["treatment", "control"]])
    #expect(several.key == "treatment" && several.propensity == 0.5)
    // Without scores that fit, the rule picks: the same variation, which is kept with what it was logged with.
    #expect(try give([["unknown"]]).policy == "scores")
    #expect(try give([]).reason == .sticky)
    try world.expectReplay("checkout", for: ["visitor-1"])
    let scores = VariationScores(experimentID: "7001", scores: ["b": 2, "a": 1, "c": 2, "d": .nan])
    #expect(scores.groups == [["b", "c"], ["a"]])
  }

  @Test("KA-31, KA-39: forced variations of the flag and of a rule's experiment")
  func forced() throws {
    let targeted = ruleFlag.replacing(
      #""exposition":0.5"#,
      with:
        #""exposition":0,"targeting":{"groups":[{"conditions":[{"type":"INTEREST","index":1}]}]}"#)
    let world = try ExperimentsWorld(
      flags: targeted, #""holdout":{"id":"h","variations":[{"key":"in-holdout","deviation":0}]}"#)
    let client = world.client
    try client.setForcedVariation("control", in: "7001", for: "u")
    let forced = try client.variation(of: "checkout", for: "u")
    #expect(forced.key == "control" && forced.reason == .forced && forced.propensity == 1)
    #expect(forced.rule == "501" && forced.status == .confirmed)
    #expect(try client.variation(of: "checkout", for: "u").status == .repeated)
    try client.setForcedVariation("control", in: "7001", for: "u", forceTargeting: false)
    #expect(try client.variation(of: "checkout", for: "u").key == "later")
    try client.addData(userID: "u", data: VisitorInterest(1))
    #expect(try client.variation(of: "checkout", for: "u").key == "control")
    try client.setForcedVariation("treatment", in: "checkout", for: "u")
    let own = try client.variation(of: "checkout", for: "u")
    #expect(own.key == "treatment" && own.rule == nil && own.reason == .forced)
    try world.expectReplay("checkout", for: ["u"])
    try client.setForcedVariation(nil, in: "checkout", for: "u")
    try client.setForcedVariation(nil, in: "7001", for: "u")
    // A forced variation was never saved: the one that was delivered before still is.
    #expect(try client.variation(of: "checkout", for: "u").status == .repeated)
    try world.expectReplay("checkout", for: ["u"])
  }

  @Test("a forced variation that does not exist is ignored with a warning")
  func forcedUnknown() throws {
    let world = try ExperimentsWorld(flags: ruleFlag)
    try world.client.setForcedVariation("purple", in: "checkout", for: "visitor-1")
    try world.client.setForcedVariation("later", in: "7001", for: "visitor-1")
    #expect(try world.client.variation(of: "checkout", for: "visitor-1").key == "treatment")
    #expect(world.client.warnings.count == 2)
    #expect(world.client.warnings[0].contains("\"purple\""))
    #expect(world.client.warnings[1].contains("\"7001\""))
  }

  @Test("KA-31: a simulated variation is neither logged nor saved")
  func simulated() throws {
    let world = try ExperimentsWorld(flags: ruleFlag)
    let client = world.client
    try client.simulateVariation("control", of: "checkout", for: "u")
    let before = world.events.count
    let answer = try client.variation(of: "checkout", for: "u")
    #expect(answer.key == "control" && answer.reason == .forced)
    #expect(world.events.count == before)
    try world.expectReplay("checkout", for: ["u"])
    try client.simulateVariation("control", of: "checkout", for: "u")
    #expect(world.events.count == before)
    try client.setForcedVariation("control", in: "checkout", for: "u")
    #expect(try client.variation(of: "checkout", for: "u").status == .confirmed)
    #expect(world.events.count == before + 2)
    try client.simulateVariation("control", of: "checkout", for: "u")
    try client.simulateVariation(nil, of: "checkout", for: "u")
    #expect(try client.previewVariation(of: "checkout", for: "u").reason != .forced)
    try world.expectReplay("checkout", for: ["u"])
  }

  @Test("KA-21 for flags: a user reassigned by other rules or shares gets that reason")
  func reallocated() throws {
    let world = try ExperimentsWorld(flags: ruleFlag)
    #expect(try world.client.variation(of: "checkout", for: "visitor-1").key == "treatment")
    let moved = ruleFlag.replacing(#""deviation":0.5},"#, with: #""deviation":0.9},"#)
      .replacing(#""treatment","deviation":0.5"#, with: #""treatment","deviation":0.1"#)
    try world.client.apply(ExperimentConfiguration.flags(moved))
    let answer = try world.client.variation(of: "checkout", for: "visitor-1")
    #expect(answer.key == "control" && answer.reason == .reallocated && answer.propensity == 0.9)
    #expect(answer.status == .confirmed)
    try world.expectReplay("checkout", for: ["visitor-1"])
  }

  @Test("G-18, G-19, G-21: what the client restricts holds for flags too")
  func restrictions() throws {
    let schedule = Schedule(to: Timestamp(microseconds: 0))
    let settings = ExperimentSettings(
      restrictions: Restrictions(schedules: ["checkout": schedule]))
    let world = try ExperimentsWorld(flags: ruleFlag, settings: settings)
    let answer = try world.client.variation(of: "checkout", for: "u")
    #expect(answer.key == "off" && answer.reason == .outsideSchedule && answer.status == .excluded)
  }
}
