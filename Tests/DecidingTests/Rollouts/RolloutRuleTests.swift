import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingRollouts

@Suite("Rules of rollouts")
struct RolloutRuleTests {
  private func config(_ text: String) throws -> RolloutConfiguration {
    try RolloutConfiguration(json: JSONValue(parsing: text))
  }

  private func system(
    _ experiments: RolloutExperiment..., world: ManualWorld = ManualWorld(),
    numbers: RolloutNumbers = .drawn, restrictions: Restrictions = Restrictions()
  ) throws -> Rollouts {
    let rollouts = Rollouts(
      unit: "u", surroundings: world.surroundings, numbers: numbers, restrictions: restrictions)
    try rollouts.setup(.init(experiments))
    return rollouts
  }

  @Test("RO-22, RO-38: objects are walked by name, lists as they stand, and the unknown is named")
  func reading() throws {
    let read = try config(
      #"""
      {"b": {"Settings": {"is_sticky": "YES", "supported_countries": "US, ,IL", "colour": 1},
             "Variants": {"z": 70, "a": "30.5"}, "Notes": ""},
       "a": {"Settings": {"supported_languages": ["en ", ""]},
             "Variants": [{"name": "z", "weight": 1}, {"name": 7, "weight": 2}]}, "c": {}}
      """#)
    #expect(
      read.experiments == [
        RolloutExperiment(
          "a", variants: [.init("z", weight: 1), .init("7", weight: 2)], languages: ["en"]),
        RolloutExperiment(
          "b", weights: ["z": 70, "a": 30.5], isSticky: true, countries: ["US", "IL"]),
        RolloutExperiment("c", variants: nil),
      ])
    #expect(read.warnings.count == 2 && read.warnings.allSatisfy { $0.hasPrefix("b.") })
    #expect(try RolloutConfiguration(json: read.json).experiments == read.experiments)
  }

  @Test(
    "RO-V21: is_sticky is read like boolForKey",
    arguments: [("true", true), ("1", true), (#""YES""#, true), (#""no""#, false), ("null", false)])
  func sticky(value: String, isSticky: Bool) throws {
    let read = try config(#"{"a":{"Settings":{"is_sticky":\#(value)},"Variants":{}}}"#)
    #expect(read["a"]?.isSticky == isSticky)
    #expect(try config(#"{"a":{"Variants":{}}}"#)["a"]?.isSticky == false)
  }

  @Test(
    "RO-25: what is wrong refuses the configuration as a whole, and says where",
    arguments: [
      ("[]", RolloutError.invalidConfiguration(path: "the root", reason: "")),
      (#"{"a":1}"#, .invalidConfiguration(path: "a", reason: "")),
      (#"{"a":{"Variants":7}}"#, .invalidConfiguration(path: "a.Variants", reason: "")),
      (#"{"a":{"Variants":[7]}}"#, .invalidConfiguration(path: "a.Variants[0]", reason: "")),
      (
        #"{"a":{"Variants":[{"weight":1}]}}"#,
        .invalidConfiguration(path: "a.Variants[0].name", reason: "")
      ),
      (
        #"{"a":{"Variants":[{"name":"x"}]}}"#,
        .invalidConfiguration(path: "a.Variants[0].weight", reason: "")
      ),
      (#"{"a":{"Settings":[]}}"#, .invalidConfiguration(path: "a.Settings", reason: "")),
      (
        #"{"a":{"Settings":{"supported_languages":[1]}}}"#,
        .invalidConfiguration(path: "a.Settings.supported_languages", reason: "")
      ),
      (#"{"a":{"Variants":{"x":"7%"}}}"#, .invalidWeight(experiment: "a", variant: "x")),
      (#"{"a":{"Variants":{"x":"1e999"}}}"#, .invalidWeight(experiment: "a", variant: "x")),
      (#"{"a":{"Variants":{"x":true}}}"#, .invalidWeight(experiment: "a", variant: "x")),
      (
        #"{"a":{"Variants":{"x":1e308,"y":1e308}}}"#, .invalidWeight(experiment: "a", variant: "y")
      ),
      (#"{"a":{"Variants":{"x":-1}}}"#, .negativeWeight(experiment: "a", variant: "x")),
      (
        #"{"a":{"Variants":[{"name":"x","weight":1},{"name":"x","weight":1}]}}"#,
        .duplicateVariant(experiment: "a", variant: "x")
      ),
      (#"{"":{}}"#, .emptyName(path: "the root")),
      (#"{"a":{"Variants":{"":1}}}"#, .emptyName(path: "a.Variants[0]")),
    ])
  func refusals(text: String, expected: RolloutError) throws {
    let error = try #require(throws: RolloutError.self) { try config(text) }
    if case .invalidConfiguration(let path, let reason) = error {
      #expect(expected == .invalidConfiguration(path: path, reason: "") && !reason.isEmpty)
    } else {
      #expect(error == expected)
    }
    #expect(error.description.count > 15)
  }

  @Test("RO-V15: setup validates values too, and the configuration in use remains")
  func setup() throws {
    let rollouts = try system(exp(["A": 1]))
    for bad in [
      exp(["A": 10, "B": -10]), exp(["A": .nan]), exp(["A": 1, "A": 1]), exp(["": 1]),
      exp(["A": 1], ""),
    ] {
      #expect(throws: RolloutError.self) { try rollouts.setup(.init([bad])) }
    }
    #expect(throws: RolloutError.negativeWeight(experiment: "Exp01", variant: "B")) {
      try rollouts.setup(.init([exp(["A": 10, "B": -10])]))
    }
    #expect(throws: RolloutError.self) {
      try rollouts.setup(.init([exp(["A": 1]), exp(["A": 1])]))
    }
    #expect(rollouts.variant(experiment: "Exp01", default: "D") == "Exp01_A")
  }

  @Test("RO-11: conditions run once, unlocked, and the newest configuration decides")
  func conditions() throws {
    let rollouts = try system(exp(["A": 1]))
    var count = 0
    let value = rollouts.variant(experiment: "Exp01", default: "D") {
      count += 1
      try? rollouts.setup(.init([exp(["B": 1])]))
      return true
    }
    #expect(value == "Exp01_B" && count == 1)
  }

  @Test("RO-8: failing conditions discard the draw, and the next call draws again")
  func conditionsLose() throws {
    let world = ManualWorld(random: ScriptedGenerator([0, 999_999]))
    let rollouts = try system(exp(["A": 1, "B": 1], sticky: true), world: world)
    #expect(rollouts.variant(experiment: "Exp01", default: "D") == "Exp01_A")
    #expect(rollouts.variant(experiment: "Exp01", default: "D") { false } == "D")
    #expect(rollouts.variant(experiment: "Exp01", default: "D") { true } == "Exp01_B")
    #expect(rollouts.state == rebuilt(world))
  }

  @Test(
    "RO-12 to RO-16: filters",
    arguments: [
      ("en", ["en"], true), ("EN_us.UTF-8", ["en-US"], true), ("en-GB", ["en-US"], false),
      ("en@euro", ["en"], true), ("en", ["en-US"], false), ("en", [], false), ("", ["en"], false),
      ("pt-BR", ["PT_br"], true),
    ] as [(String, [String], Bool)])
  func languages(tag: String, list: [String], admits: Bool) {
    #expect(RolloutFilter.admits(language: tag, in: list) == admits)
    #expect(RolloutFilter.admits(language: tag, in: nil))
    #expect(!RolloutFilter.admits(country: nil, in: ["US"]))
    #expect(RolloutFilter.admits(country: "us", in: ["US"]))
  }

  @Test("RO-33: when the saved variant goes the number decides, and the result is saved")
  func gone() throws {
    let world = ManualWorld(random: ScriptedGenerator([0]))
    let rollouts = try system(exp(["A": 1, "B": 1, "C": 1], sticky: true), world: world)
    #expect(rollouts.variant(experiment: "Exp01", default: "D") == "Exp01_A")
    try rollouts.setup(.init([exp(["B": 1, "C": 1], sticky: true)]))
    #expect(rollouts.result(experiment: "Exp01", default: "D").reason == .reallocated)
    try rollouts.setup(.init([exp(["A": 1, "B": 1, "C": 1], sticky: true)]))
    #expect(rollouts.variant(experiment: "Exp01", default: "D") == "Exp01_B")
  }

  @Test("RO-36: stored draws that cannot be read are refused")
  func stored() throws {
    let world = ManualWorld()
    let rollouts = try system(exp(["A": 1]), world: world)
    for stored in [
      ["E_ExperimentRandomNumber": 1.5], ["E_ExperimentRandomNumber": "x"],
      ["E_ExperimentNumberKey": 101], ["E_ExperimentNumberKey": 1.5], ["E_ExperimentResult": 3],
      ["E_ExperimentResult": "E_"],
    ] as [[String: JSONValue]] {
      #expect(throws: RolloutError.self) { try rollouts.importDraw("E", from: stored) }
    }
    #expect(throws: RolloutError.self) { try rollouts.importDraw("", from: [:]) }
    let count = world.events.count
    try rollouts.importDraw("E", from: ["other": 1])
    #expect(world.events.count == count)
  }

  @Test("G-20: an override comes first, and one to no variant is passed over with a warning")
  func overrides() throws {
    let world = ManualWorld(random: ScriptedGenerator([0]))
    let rollouts = try system(exp(["A": 1, "B": 1], languages: "he"), world: world)
    try rollouts.force("B", in: "Exp01")
    let forced = rollouts.result(experiment: "Exp01", default: "D") { false }
    #expect(forced.value == "Exp01_B" && forced.reason == .forced && forced.propensity == 1)
    try rollouts.force("none", in: "Exp01")
    #expect(rollouts.variant(experiment: "Exp01", default: "D") == "D")
    #expect(rollouts.warnings.count == 1)
    try rollouts.unforce(in: "Exp01")
    #expect(rollouts.warnings.isEmpty && rollouts.state == rebuilt(world))
    #expect(throws: RolloutError.self) { try rollouts.force("", in: "Exp01") }
  }

  @Test("holdouts, groups and schedules give the default before anything is drawn")
  func restrictions() throws {
    let world = ManualWorld()
    let all = try system(
      exp(["A": 1]), world: world,
      restrictions: Restrictions(holdout: Holdout(name: "h", share: 1)))
    #expect(all.result(experiment: "Exp01", default: "D").reason == .holdout)
    let group = ExclusionGroup(name: "g", members: ["Exp01", "Exp02"])
    let one = try system(
      exp(["A": 1]), exp(["A": 1], "Exp02"), restrictions: Restrictions(groups: [group]))
    let reasons = ["Exp01", "Exp02"].map { one.result(experiment: $0, default: "D").reason }
    #expect(reasons.count { $0 == .exclusionGroup } == 1 && reasons.contains(.random))
    let timed = try system(
      exp(["A": 1]), world: world,
      restrictions: Restrictions(
        schedules: ["Exp01": Schedule(from: Timestamp(microseconds: 5), to: nil)]))
    #expect(timed.result(experiment: "Exp01", default: "D").reason == .outsideSchedule)
    world.time.advance(microseconds: 5)
    #expect(timed.result(experiment: "Exp01", default: "D").reason == .random)
  }

  @Test("a preview has the probabilities, draws nothing and appends nothing")
  func preview() throws {
    let world = ManualWorld()
    let rollouts = try system(exp(["A": 1, "B": 3]), world: world)
    let state = rollouts.state
    #expect(
      rollouts.preview(experiment: "Exp01", default: "D")
        == .draw(variants: ["A", "B"], probabilities: [0.25, 0.75]))
    #expect(rollouts.state == state && world.events.count == 1)
  }

  @Test("a snapshot of another system or version is refused")
  func snapshots() throws {
    let world = ManualWorld()
    let good = try system(exp(["A": 1])).snapshot()
    for bad in [
      "", good.replacing("\"rollouts\"", with: "\"agents\""),
      good.replacing("\"version\":1", with: "\"version\":2"),
    ] {
      #expect(throws: RolloutError.self) {
        try Rollouts(unit: "u", surroundings: world.surroundings, restoring: bad)
      }
    }
  }
}
