import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Experiments: calls for flags")
struct FlagCallTests {
  @Test("KA-66: a decision is of the flag, with rule and experiment as its context")
  func log() throws {
    let world = try ExperimentsWorld(flags: ruleFlag)
    try world.client.addData(userID: "visitor-1", data: VisitorInterest(2))
    _ = try world.client.variation(of: "checkout", for: "visitor-1")
    _ = try world.client.variation(of: "checkout", for: "visitor-1")
    #expect(
      world.summary == ["interest 2", "confirmed treatment hash", "repeated treatment sticky"])
    let decision = try #require(world.told[1].toldDecision)
    #expect(decision.experiment == "checkout" && decision.choices == ["control", "treatment"])
    #expect(decision.propensity == 0.5 && decision.policy == "weights")
    #expect(decision.context == ["rule": "501", "experiment": "7001"])
    #expect(world.told[2].toldDecision?.propensity == 0.5)
    #expect(world.client.visit(of: "visitor-1")?.isOpen == true)
    try world.expectReplay("checkout", for: ["visitor-1"])
  }

  @Test("a default is logged as excluded, with the chance of it")
  func defaultVariation() throws {
    let flag = #"""
      {"key":"f","variations":[{"key":"on"}],"rules":[
        {"id":1,"exposition":0.4,"variations":[{"key":"on","deviation":0.5}]},
        {"id":2,"exposition":0.25,"type":"delivery","variations":[{"key":"on"}]}]}
      """#
    let world = try ExperimentsWorld(flags: flag)
    let user = try #require(
      (0..<100).map { "u\($0)" }.first {
        try world.client.previewVariation(of: "f", for: $0).key == "off"
      })
    _ = try world.client.variation(of: "f", for: user)
    _ = try world.client.variation(of: "f", for: user, track: false)
    let decision = try #require(world.told.first?.toldDecision)
    #expect(world.summary == ["excluded off default"])
    #expect(decision.choices == nil && decision.context == nil && decision.policy == nil)
    #expect(abs((decision.propensity ?? 0) - 0.8 * 0.75) < 1e-12)
    try world.expectReplay("f", for: [user])
  }

  @Test("KA-34: active is whatever is not off; a disabled flag is not active, and throws otherwise")
  func activity() throws {
    let world = try ExperimentsWorld(
      flags: [
        simpleFlag("a"), simpleFlag("b", #","enabled":false"#), #"{"key":"c","variations":[]}"#,
      ].joined(separator: ","))
    let client = world.client
    #expect(try client.isActive("a", for: "u"))
    #expect(try !client.isActive("b", for: "u"))
    #expect(try !client.isActive("c", for: "u", track: false))
    #expect(world.told.count == 1)
    #expect(throws: ExperimentError.featureDisabled("b")) {
      try client.variation(of: "b", for: "u")
    }
    #expect(throws: ExperimentError.featureDisabled("b")) {
      try client.variable("x", of: "b", for: "u")
    }
    #expect(throws: ExperimentError.featureNotFound("d")) { try client.isActive("d", for: "u") }
    #expect(world.told.count == 1)
  }

  @Test("KA-36: what variables read as", arguments: FlagVariable.Kind.allCases)
  func variables(kind: FlagVariable.Kind) throws {
    func reads<Value: FlagVariableValue & Equatable>(_ value: JSONValue, as expected: Value) -> Bool {
      let variable = FlagVariable(key: "x", kind: kind, value: value)
      return kind.admits(value) && (try? variable.read(as: Value.self)) == expected
    }
    #expect(reads(true, as: true) == (kind == .boolean))
    #expect(reads("a", as: "a") == [.string, .js, .css].contains(kind))
    #expect(reads(3, as: 3) == (kind == .number))
    #expect(reads(3, as: 3.0) == (kind == .number))
    #expect(reads(3.0, as: 3) == (kind == .number))
    #expect(reads(3.5, as: 3.5) == (kind == .number))
    #expect(!reads(3.5, as: 3))
    #expect(reads(["a": 1], as: ["a": 1] as JSONValue) == (kind == .json))
  }

  @Test("KA-36: variables of a variation are the flag's, with its own values")
  func variablesOfVariations() throws {
    let world = try ExperimentsWorld(flags: ruleFlag)
    let client = world.client
    let treatment = try client.variation(of: "checkout", for: "visitor-1")
    #expect(try treatment.value("limit", as: Double.self) == 20.5)
    #expect(try treatment.value("title") == "Pay")
    #expect(throws: ExperimentError.variableNotFound("color")) {
      try treatment.value("color", as: String.self)
    }
    let mismatch = #expect(throws: ExperimentError.self) {
      try treatment.value("limit", as: Int.self)
    }
    #expect("\(try #require(mismatch))".contains("\"limit\" is of type NUMBER with the value 20.5"))
    #expect(try client.variable("title", of: "checkout", for: "1267576").read() == "Pay later")
    #expect(try client.variable("limit", of: "checkout", for: "1267576").read() == 10)
    #expect(throws: ExperimentError.variableNotFound("color")) {
      try client.variable("color", of: "checkout", for: "1267576")
    }
  }

  @Test("KA-37: without tracking an assignment is provisional until a tracked call counts it")
  func untracked() throws {
    let world = try ExperimentsWorld(flags: ruleFlag)
    let client = world.client
    let first = try client.variation(of: "checkout", for: "visitor-1", track: false)
    #expect(first.status == .provisional && first.key == "treatment")
    #expect(client.visit(of: "visitor-1") == nil)
    #expect(
      try client.variation(of: "checkout", for: "visitor-1", track: false).status == .provisional)
    try world.expectReplay("checkout", for: ["visitor-1"])
    let counted = try client.variation(of: "checkout", for: "visitor-1")
    #expect(counted.status == .confirmed && counted.reason == .sticky)
    _ = try client.variation(of: "checkout", for: "visitor-1", track: false)
    #expect(world.summary == ["provisional treatment hash", "decisionConfirmed"])
    #expect(client.visit(of: "visitor-1") != nil)
    try world.expectReplay("checkout", for: ["visitor-1"])
  }

  @Test("KA-37: data added without tracking serve targeting only")
  func untrackedData() async throws {
    let flag = #"""
      {"key":"f","variations":[{"key":"on"}],"rules":[{"id":1,"type":"delivery",
        "targeting":{"groups":[{"conditions":[{"type":"INTEREST","index":1}]}]},
        "variations":[{"key":"on"}]}]}
      """#
    let world = try ExperimentsWorld(flags: flag)
    try world.client.addData(userID: "u", data: VisitorInterest(1), track: false)
    #expect(try world.client.isActive("f", for: "u"))
    try await world.client.flush(userID: "u")
    #expect(world.summary == ["confirmed on delivered", "activity"])
  }

  @Test("KA-38: all enabled flags in the order of their ids, in one batch")
  func allFlags() throws {
    let flags = [
      simpleFlag("late", #","id":10"#), simpleFlag("early", #","id":9"#),
      simpleFlag("never", #","id":1,"enabled":false"#), #"{"key":"none","id":2,"variations":[]}"#,
    ]
    let world = try ExperimentsWorld(flags: flags.joined(separator: ","))
    try world.client.addData(userID: "u", data: VisitorInterest(1))
    #expect(
      try world.client.variations(for: "u", track: false).map(\.flag) == ["none", "early", "late"])
    let active = try world.client.variations(for: "u", onlyActive: true)
    #expect(active.map(\.flag) == ["early", "late"] && active.allSatisfy { $0.key == "on" })
    #expect(
      world.summary == [
        "interest 1", "provisional on delivered", "provisional on delivered",
        "excluded off default", "decisionConfirmed", "decisionConfirmed",
      ])
    try world.expectReplay("late", for: ["u"])
  }

  @Test("KA-38: each as if asked alone: none sees what another one assigns")
  func allFlagsAlone() throws {
    func exclusive(_ key: String) -> String {
      #"""
      {"key":"\#(key)","variations":[{"key":"on"}],"rules":[{"id":1,
        "targeting":{"groups":[{"conditions":[{"type":"EXCLUSIVE_CAMPAIGN","campaign":"ANY"}]}]},
        "variations":[{"key":"on","deviation":1}]}]}
      """#
    }
    let world = try ExperimentsWorld(flags: exclusive("a") + "," + exclusive("b"))
    #expect(try world.client.variations(for: "u", onlyActive: true).count == 2)
    #expect(try world.client.variations(for: "u", onlyActive: true).isEmpty)
    #expect(try world.client.variation(of: "a", for: "v").key == "on")
    #expect(try world.client.variations(for: "v", onlyActive: true).map(\.flag) == ["a"])
  }

  @Test("KA-40: a flag is enabled while any of its schedules holds")
  func schedules() throws {
    let flag = simpleFlag(
      "f", #","schedules":[{"to":100},{"from":50,"to":200},{"from":300}]"#)
    let world = try ExperimentsWorld(flags: flag)
    var active: [Int] = []
    for second in stride(from: 0, through: 400, by: 50) {
      if try world.client.isActive("f", for: "u") { active.append(second) }
      world.time.advance(seconds: 50)
    }
    #expect(active == [0, 50, 100, 150, 300, 350, 400])
    #expect(try world.client.variations(for: "u").count == 1)
  }

  @Test("the checks come in order: ready, user id, flag, site, enabled")
  func checks() throws {
    let world = try ExperimentsWorld()
    let client = world.client
    #expect(throws: ExperimentError.sdkNotReady) { try client.variation(of: "a", for: "") }
    #expect(throws: ExperimentError.sdkNotReady) { try client.variations(for: "") }
    try client.apply(
      ExperimentConfiguration.flags(
        simpleFlag("a") + "," + simpleFlag("b", #","enabled":false"#), #""enabled":false"#))
    #expect(throws: ExperimentError.visitorCodeInvalid("")) {
      try client.variation(of: "c", for: "")
    }
    #expect(throws: ExperimentError.featureNotFound("c")) {
      try client.variation(of: "c", for: "u")
    }
    #expect(throws: ExperimentError.siteCodeDisabled("site")) {
      try client.variation(of: "b", for: "u")
    }
    #expect(throws: ExperimentError.visitorCodeInvalid("")) { try client.variations(for: "") }
    #expect(throws: ExperimentError.siteCodeDisabled("site")) { try client.variations(for: "u") }
    #expect(throws: ExperimentError.siteCodeDisabled("site")) { try client.isActive("b", for: "u") }
    #expect(throws: ExperimentError.visitorCodeInvalid("")) { try client.setConsent(true, for: "") }
    #expect(throws: ExperimentError.visitorCodeInvalid("")) {
      try client.simulateVariation("on", of: "a", for: "")
    }
  }

  @Test("G-5: when the log does not take the decision nothing changes and the call throws")
  func notRecorded() throws {
    let world = try ExperimentsWorld(flags: ruleFlag)
    try world.client.addData(userID: "visitor-1", data: VisitorInterest(1))
    let before = world.factory.state
    world.world.sink.refuse(true)
    #expect(throws: ExperimentError.self) {
      try world.client.variation(of: "checkout", for: "visitor-1")
    }
    #expect(throws: ExperimentError.self) { try world.client.variations(for: "visitor-1") }
    #expect(throws: ExperimentError.self) { try world.client.setConsent(true, for: "u") }
    #expect(throws: ExperimentError.self) {
      try world.client.simulateVariation("control", of: "checkout", for: "u")
    }
    #expect(world.factory.state == before)
    world.world.sink.refuse(false)
    _ = try world.client.variation(of: "checkout", for: "visitor-1")
    #expect(world.summary == ["interest 1", "confirmed treatment hash"])
  }

  @Test("G-23: a preview says what would be answered and leaves no trace")
  func preview() throws {
    let world = try ExperimentsWorld(flags: ruleFlag)
    let (before, state) = (world.events, world.factory.state)
    let preview = try world.client.previewVariation(of: "checkout", for: "visitor-1")
    #expect(world.events == before && world.factory.state == state)
    #expect(try world.client.variation(of: "checkout", for: "visitor-1") == preview)
  }
}
