import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Experiments: flag vectors")
struct FlagVectorTests {
  @Test(
    "KA-V29: the holdout",
    arguments: [
      ("KA-V29", "user_42", 0.23433501627126316, true),
      ("KA-V29", "1267576", 0.5314772255512306, false),
    ])
  func holdout(id: String, user: String, place: Double, isHeldOut: Bool) throws {
    #expect(abs(UnitHash(user, "holdout-1").fraction - place) < 1e-12)
    let world = try ExperimentsWorld(
      flags: simpleFlag("a") + "," + simpleFlag("b"),
      #""holdout":{"id":"holdout-1","variations":[{"key":"in-holdout","deviation":0.3}]}"#)
    for flag in ["a", "b"] {
      let answer = try world.client.variation(of: flag, for: user)
      #expect(answer.key == (isHeldOut ? "off" : "on"))
      #expect(answer.reason == (isHeldOut ? .holdout : .delivered))
      #expect(answer.status == (isHeldOut ? .excluded : .confirmed))
      try world.expectReplay(flag, for: [user])
    }
  }

  @Test(
    "KA-V30, KA-V31: exclusion groups",
    arguments: [
      ("KA-V30", "1267576", 0.8657058063037272, 2, 1),
      ("KA-V30", "1267576", 0.8657058063037272, 3, 2),
      ("KA-V30", "user_42", 0.055387339901622486, 2, 0),
      ("KA-V30", "user_42", 0.055387339901622486, 3, 0),
      ("KA-V31", "visitor-2", 0.7824225194985988, 2, 1),
      ("KA-V31", "visitor-2", 0.7824225194985988, 3, 2),
      ("KA-V31", "visitor-2", 0.7824225194985988, 4, 3),
    ])
  func groups(id: String, user: String, place: Double, count: Int, index: Int) throws {
    #expect(abs(UnitHash(user, "group1").fraction - place) < 1e-12)
    // The order of the ids counts, not that of the keys or of the list.
    let flags = (0..<count).map { simpleFlag("key\(9 - $0)", #","id":\#($0 + 9)"#) }.reversed()
    let members = (0..<count).map { #""key\#(9 - $0)""# }.joined(separator: ",")
    let world = try ExperimentsWorld(
      flags: flags.joined(separator: ","), #""groups":[{"name":"group1","flags":[\#(members)]}]"#)
    for member in 0..<count {
      let answer = try world.client.variation(of: "key\(9 - member)", for: user)
      #expect(answer.key == (member == index ? "on" : "off"), "\(id) \(member)")
      #expect(answer.reason == (member == index ? .delivered : .exclusionGroup))
      try world.expectReplay("key\(9 - member)", for: [user])
    }
  }

  @Test("KA-V32: a rule exposes and picks")
  func exposed() throws {
    let world = try ExperimentsWorld(flags: ruleFlag)
    #expect(abs(UnitHash("visitor-1", "501").fraction - 0.34067673559564104) < 1e-12)
    #expect(abs(UnitHash("visitor-1", "7001").fraction - 0.8022755980247963) < 1e-12)
    let answer = try world.client.variation(of: "checkout", for: "visitor-1")
    #expect(answer.key == "treatment")
    #expect(answer.rule == "501" && answer.experiment == "7001")
    #expect(answer.reason == .hash && answer.propensity == 0.5 && answer.policy == "weights")
    try world.expectReplay("checkout", for: ["visitor-1"])
    #expect(
      try world.rebuilt().client.variation(of: "checkout", for: "visitor-1").status == .repeated)
  }

  @Test("KA-V33: a user who is not exposed proceeds to the next rule")
  func notExposed() throws {
    let world = try ExperimentsWorld(flags: ruleFlag)
    #expect(abs(UnitHash("1267576", "501").fraction - 0.981125822907615) < 1e-12)
    let answer = try world.client.variation(of: "checkout", for: "1267576")
    #expect(answer.key == "later" && answer.rule == "502" && answer.reason == .delivered)
    try world.expectReplay("checkout", for: ["1267576"])
  }
}
