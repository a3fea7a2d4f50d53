import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingRollouts

/// A random history of one system.
private struct History {
  var generator: SeededGenerator
  let world: ManualWorld
  let rollouts: Rollouts
  let exposures: RolloutExposures
  let numbers: RolloutNumbers
  let restrictions: Restrictions

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    world = ManualWorld(seed: seed &* 31)
    exposures = generator.pick(RolloutExposures.allCases, or: .all)
    numbers = generator.chance(0.3) ? .hashed(salt: "s\(seed)") : .drawn
    restrictions =
      generator.chance(0.3)
      ? Restrictions(
        holdout: generator.chance(0.2) ? Holdout(name: "h\(seed)", share: 0.5) : nil,
        groups: [ExclusionGroup(name: "g", members: ["a", "b"])],
        schedules: ["c": Schedule(from: Timestamp(microseconds: 40), to: nil)])
      : Restrictions()
    rollouts = Rollouts(
      unit: "u", surroundings: world.surroundings, exposures: exposures, numbers: numbers,
      restrictions: restrictions)
  }

  mutating func experiment(_ name: String) -> RolloutExperiment {
    let names = ["on", "off", "x", "y"].shuffled(using: &generator).prefix(generator.index(5))
    let weights = [0, 0, 1, 2.5, 70, generator.chance(0.02) ? -1 : 3]
    let filters: [[String]?] = [nil, nil, nil, ["en"], ["US"], []]
    return RolloutExperiment(
      ExperimentID(name),
      variants: generator.chance(0.1)
        ? nil
        : names.map { .init(VariantID($0), weight: weights.randomElement(using: &generator) ?? 1) },
      isSticky: generator.chance(0.5), languages: generator.pick(filters, or: nil),
      countries: generator.pick(filters, or: nil))
  }

  mutating func configuration() -> RolloutConfiguration? {
    if generator.chance(0.1) { return nil }
    return RolloutConfiguration(
      ["a", "b", "c"].filter { _ in generator.chance(0.85) }.map { experiment($0) })
  }

  mutating func step() {
    let name = generator.pick(["a", "b", "c", "d", ""], or: "")
    world.time.advance(microseconds: Int64(generator.index(5)))
    world.sink.refuse(generator.chance(0.1))
    switch generator.index(12) {
    case 0, 1: try? rollouts.setup(configuration())
    case 2: rollouts.removeExperimentDraw(name)
    case 3: try? rollouts.importDraw(name, from: stored(name))
    case 4:
      try? rollouts.force(generator.pick(["on", "off", "none", ""], or: ""), in: name)
    case 5: try? rollouts.unforce(in: name)
    case 6, 7:
      let holds = generator.chance(0.6)
      _ = rollouts.result(experiment: name, default: "\(name)_off") { holds }
    default:
      _ = rollouts.result(
        experiment: generator.chance(0.05) ? nil : name,
        default: generator.pick(["D", "", "a_", "off"], or: ""))
    }
  }

  private mutating func stored(_ name: String) -> [String: JSONValue] {
    var stored: [String: JSONValue] = [:]
    if generator.chance(0.5) {
      stored["\(name)_ExperimentResult"] = generator.chance(0.9) ? "on" : 7
    }
    if generator.chance(0.5) {
      stored["\(name)_ExperimentRandomNumber"] = .number(Double(generator.index(12)) / 10)
    }
    if generator.chance(0.5) {
      stored["\(name)_ExperimentNumberKey"] = .integer(Int64(generator.index(120)))
    }
    return stored
  }

  /// A system that knows what was known, with a world of its own.
  func twin(_ snapshot: String?, _ events: [Event]) throws -> (Rollouts, ManualWorld) {
    let other = ManualWorld(seed: 99)
    other.time.advance(microseconds: world.time.now.microseconds)
    if let snapshot {
      return (
        try Rollouts(
          unit: "u", surroundings: other.surroundings, exposures: exposures, numbers: numbers,
          restrictions: restrictions, restoring: snapshot, replaying: events), other
      )
    }
    return (
      Rollouts(
        unit: "u", surroundings: other.surroundings, exposures: exposures, numbers: numbers,
        restrictions: restrictions, replaying: events), other
    )
  }
}

@Suite("Rollouts are rebuilt from the log")
struct RolloutRebuildTests {
  @Test(
    "after any history, at any point, from the log or a snapshot",
    arguments: LongTests.chunks(6, of: 25))
  func rebuild(chunk: UInt64) throws {
    for seed in chunk * 50..<chunk * 50 + 50 {
      var history = History(seed: seed)
      var prefixes: [(events: Int, state: RolloutsState)] = []
      var snapshot = (text: history.rollouts.snapshot(), events: 0)
      let steps = 20 + history.generator.index(30)
      for _ in 0..<steps {
        history.step()
        prefixes.append((history.world.events.count, history.rollouts.state))
        if history.generator.chance(0.05) {
          snapshot = (history.rollouts.snapshot(), history.world.events.count)
        }
      }
      history.world.sink.refuse(false)
      let events = history.world.events
      for prefix in [prefixes[steps / 3], prefixes[steps - 1]] {
        #expect(
          RolloutsState(replaying: events.prefix(prefix.events)) == prefix.state, "seed \(seed)")
      }
      let (replayed, first) = try history.twin(nil, events)
      let (restored, second) = try history.twin(
        snapshot.text, Array(events.dropFirst(snapshot.events)))
      #expect(replayed.state == history.rollouts.state, "seed \(seed)")
      #expect(restored.state == history.rollouts.state, "seed \(seed)")
      #expect(restored.snapshot() == history.rollouts.snapshot(), "seed \(seed)")
      // Both go on in the same way.
      let next = history.rollouts.configuration
      for (rollouts, world) in [(replayed, first), (restored, second)] {
        try rollouts.setup(next)
        for name in ["a", "b", "c", "d"] {
          if case .answer(let foreseen) = history.rollouts.preview(experiment: name, default: "D") {
            #expect(rollouts.result(experiment: name, default: "D") == foreseen, "seed \(seed)")
          } else {
            _ = rollouts.result(experiment: name, default: "D")
          }
        }
        #expect(RolloutsState(replaying: events + world.events) == rollouts.state, "seed \(seed)")
      }
      #expect(first.events == second.events, "seed \(seed)")
    }
  }
}

@Suite("RolloutsConcurrencyTests")
struct RolloutsConcurrencyTests {
  @Test("many threads call while the configuration changes, and the log has everything")
  func threads() throws {
    let world = ManualWorld()
    let rollouts = Rollouts(unit: "u", surroundings: world.surroundings, exposures: .all)
    let configurations = (1...3).map { weight in
      RolloutConfiguration([
        exp(["A": Double(weight), "B": 1], "a", sticky: true), exp(["A": 1, "B": 2], "b"),
      ])
    }
    try rollouts.setup(configurations[0])
    onThreads(6) { thread in
      var generator = SeededGenerator(seed: UInt64(thread))
      for _ in 0..<80 {
        let name = generator.pick(["a", "b", "c"], or: "a")
        switch generator.index(6) {
        case 0: try? rollouts.setup(configurations[generator.index(3)])
        case 1: rollouts.removeExperimentDraw(name)
        case 2:
          // Conditions may come back to the system: nothing is locked while they run.
          _ = rollouts.variant(experiment: name, default: "D") {
            rollouts.variant(experiment: "b", default: "D") != "D"
          }
        case 3: _ = rollouts.preview(experiment: name, default: "D")
        default: _ = rollouts.variant(experiment: name, default: "D")
        }
      }
    }
    #expect(rollouts.state == rebuilt(world))
  }

  @Test("many tasks draw once")
  func tasks() async throws {
    let world = ManualWorld()
    let rollouts = Rollouts(unit: "u", surroundings: world.surroundings)
    try rollouts.setup(.init([exp(["A": 1, "B": 1])]))
    let values = await withTaskGroup(of: String.self) { group in
      for _ in 0..<50 { group.addTask { rollouts.variant(experiment: "Exp01", default: "D") } }
      return await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(values.count == 1 && world.events.count == 3)
    #expect(rollouts.state == rebuilt(world))
  }
}
