import DecidingCore
import Events
import Testing

@testable import DecidingRollouts

@Suite("Events of rollouts")
struct RolloutLogTests {
  private let ab = RolloutConfiguration([exp(["A": 50, "B": 50], sticky: true)])
  private let plain = RolloutConfiguration([exp(["A": 70, "B": 30])])

  private func decisions(_ world: ManualWorld) -> [Decision] {
    world.events.compactMap {
      guard case .decision(let decision) = $0.payload else { return nil }
      return decision
    }
  }

  @Test("RO-T18, RO-T19: a draw is removed once, and nothing is appended when there is none")
  func remove() throws {
    let world = ManualWorld()
    let rollouts = Rollouts(unit: "u", surroundings: world.surroundings)
    try rollouts.setup(ab)
    _ = rollouts.variant(experiment: "Exp01", default: "D")
    let count = world.events.count
    #expect(rollouts.removeExperimentDraw("Exp01"))
    #expect(
      world.events.dropFirst(count).map(\.payload) == [
        .assignmentRemoved(AssignmentRemoved(experiment: "Exp01", reason: "requested"))
      ])
    #expect(!rollouts.removeExperimentDraw("Exp01") && !rollouts.removeExperimentDraw("none"))
    #expect(world.events.count == count + 1 && rollouts.state == rebuilt(world))
  }

  @Test("RO-V20: the first call appends number and decision, the same call again nothing")
  func first() throws {
    let world = ManualWorld(random: ScriptedGenerator([699_999]))
    let rollouts = Rollouts(unit: "u", surroundings: world.surroundings)
    try rollouts.setup(plain)
    _ = rollouts.variant(experiment: "Exp01", default: "D")
    let expected: [Payload] = [
      .dataPoint(DataPoint(kind: "draw", key: "Exp01", value: 0.7)),
      .decision(
        Decision(
          experiment: "Exp01", variant: "A", choices: ["A", "B"], propensity: 0.7,
          policy: "weights", reason: "random", status: .confirmed)),
    ]
    #expect(world.events.dropFirst().map(\.payload) == expected)
    #expect(rollouts.variant(experiment: "Exp01", default: "D") == "Exp01_A")
    #expect(world.events.count == 3)
  }

  @Test("RO-R1, RO-R2: the propensity is weight over sum")
  func propensities() throws {
    for (word, variant, propensity) in [(0, "A", 0.7), (800_000, "B", 0.3)] {
      let world = ManualWorld(random: ScriptedGenerator([UInt64(word)]))
      let rollouts = Rollouts(unit: "u", surroundings: world.surroundings)
      try rollouts.setup(plain)
      let result = rollouts.result(experiment: "Exp01", default: "D")
      #expect(result.variant?.rawValue == variant && result.propensity == propensity)
    }
    let world = ManualWorld()
    let rollouts = Rollouts(unit: "u", surroundings: world.surroundings)
    try rollouts.setup(.init([exp(["variant_01": 0, "variant_02": 100], "EXP")]))
    let result = rollouts.result(experiment: "EXP", default: "D")
    #expect(result.value == "EXP_variant_02" && result.propensity == 1)
  }

  @Test("RO-V18: an experiment removed and added again is drawn again")
  func leftAndBack() throws {
    let world = ManualWorld(random: ScriptedGenerator([0, 999_999]))
    let rollouts = Rollouts(unit: "u", surroundings: world.surroundings)
    try rollouts.setup(ab)
    #expect(rollouts.variant(experiment: "Exp01", default: "D") == "Exp01_A")
    try rollouts.setup(.init([]))
    var asked = false
    let gone = rollouts.result(experiment: "Exp01", default: "Exp01_off") {
      asked = true
      return true
    }
    #expect(gone.reason == .unknownExperiment && gone.value == "Exp01_off" && !asked)
    #expect(decisions(world).last?.variant == "off" && decisions(world).last?.status == .excluded)
    try rollouts.setup(ab)
    #expect(rollouts.variant(experiment: "Exp01", default: "D") == "Exp01_B")
    #expect(rollouts.state == rebuilt(world))
  }

  @Test("RO-V19: back from a filter the unit has its variant and number again")
  func filterAndBack() throws {
    let world = ManualWorld(random: ScriptedGenerator([0, 999_999]))
    let rollouts = Rollouts(unit: "u", surroundings: world.surroundings)
    try rollouts.setup(ab)
    #expect(rollouts.variant(experiment: "Exp01", default: "D") == "Exp01_A")
    try rollouts.setup(.init([exp(["A": 50, "B": 50], sticky: true, languages: "he")]))
    #expect(rollouts.variant(experiment: "Exp01", default: "D") == "D")
    #expect(rollouts.variant(experiment: "Exp01", default: "D") == "D")
    try rollouts.setup(ab)
    let result = rollouts.result(experiment: "Exp01", default: "D")
    #expect(result.value == "Exp01_A" && result.number == 0.000001 && result.reason == .sticky)
    #expect(decisions(world).map(\.status) == [.confirmed, .excluded, .repeated])
    #expect(decisions(world).map(\.propensity) == [0.5, nil, 0.5])
    #expect(rollouts.state == rebuilt(world))
  }

  @Test("RO-V25: without a configuration nothing is lost")
  func noConfiguration() throws {
    let world = ManualWorld(random: ScriptedGenerator([0, 999_999]))
    let rollouts = Rollouts(unit: "u", surroundings: world.surroundings)
    try rollouts.setup(plain)
    #expect(rollouts.variant(experiment: "Exp01", default: "D") == "Exp01_A")
    try rollouts.setup(nil)
    #expect(rollouts.result(experiment: "Exp01", default: "D").reason == .noConfiguration)
    #expect(rollouts.lastConfiguration == nil)
    try rollouts.setup(plain)
    #expect(rollouts.result(experiment: "Exp01", default: "D").reason == .savedNumber)
    #expect(rollouts.lastConfiguration == plain)
    #expect(rollouts.state == rebuilt(world))
  }

  @Test("RO-V26, RO-39: a draw that is not recorded is not saved")
  func refused() throws {
    let world = ManualWorld(random: ScriptedGenerator([0, 999_999]))
    let rollouts = Rollouts(unit: "u", surroundings: world.surroundings)
    try rollouts.setup(ab)
    world.sink.refuse(true)
    let result = rollouts.result(experiment: "Exp01", default: "D")
    #expect(result.value == "D" && result.reason == .notRecorded && result.isDefault)
    #expect(result.error?.description.contains("Refusal") == true)
    #expect(!rollouts.removeExperimentDraw("Exp01"))
    #expect(throws: RolloutError.self) { try rollouts.setup(plain) }
    #expect(rollouts.configuration == ab)
    world.sink.refuse(false)
    #expect(rollouts.variant(experiment: "Exp01", default: "D") == "Exp01_B")
    #expect(rollouts.state == rebuilt(world))
  }

  @Test("RO-37: all exposures, changes, or draws only")
  func exposures() throws {
    for (exposures, expected) in [
      (RolloutExposures.draws, 1), (.changes, 3), (.all, 4),
    ] {
      let world = ManualWorld()
      let rollouts = Rollouts(
        unit: "u", surroundings: world.surroundings, exposures: exposures)
      try rollouts.setup(ab)
      _ = rollouts.variant(experiment: "Exp01", default: "D")
      _ = rollouts.variant(experiment: "Exp01", default: "D")
      try rollouts.setup(.init([exp(["A": 50, "B": 50], sticky: true, countries: "FR")]))
      _ = rollouts.variant(experiment: "Exp01", default: "D")
      try rollouts.setup(ab)
      _ = rollouts.variant(experiment: "Exp01", default: "D")
      #expect(decisions(world).count == expected, "\(exposures)")
      #expect(rollouts.state == rebuilt(world))
    }
  }

  @Test("setup is appended when it differs, with what changed, and known after a restart")
  func setup() throws {
    let world = ManualWorld()
    let rollouts = Rollouts(unit: "u", surroundings: world.surroundings)
    try rollouts.setup(nil)
    #expect(world.events.isEmpty)
    try rollouts.setup(ab)
    try rollouts.setup(ab)
    try rollouts.setup(.init([exp(["A": 1]), exp(["A": 1], "Exp02")]))
    let changed = world.events.compactMap { event -> [String]? in
      guard case .configurationApplied(let applied) = event.payload else { return nil }
      return applied.changed
    }
    #expect(changed == [["Exp01"], ["Exp01", "Exp02"]])
    let again = Rollouts(unit: "u", surroundings: world.surroundings, replaying: world.events)
    #expect(again.configuration == nil && again.lastConfiguration == rollouts.configuration)
    try again.setup(nil)
    try again.setup(again.lastConfiguration)
    #expect(world.events.count == 2)
  }
}
