import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingConfig

@Suite("Active configuration: the log gives back the state")
struct ActiveConfigRebuildTests {
  private static let users = [nil, "", "A", "B", "é"]

  @Test(
    "after random histories, from any point and from a snapshot",
    arguments: LongTests.chunks(5, of: 20))
  func histories(chunk: UInt64) async throws {
    for seed in chunk * 50..<chunk * 50 + 50 {
      var generator = SeededGenerator(seed: seed)
      let fixture = ConfigFixture(user: generator.pick(Self.users, or: nil))
      var points = [(count: 0, state: fixture.config.state)]
      var middle = (count: 0, snapshot: fixture.config.snapshot())
      let steps = 8 + generator.index(8)
      let middleStep = generator.index(steps)
      for number in 0..<steps {
        await step(&generator, fixture)
        points.append((fixture.world.events.count, fixture.config.state))
        if number == middleStep {
          middle = (fixture.world.events.count, fixture.config.snapshot())
        }
      }
      fixture.world.sink.refuse(false)
      try check(points, middle, fixture, &generator, "seed \(seed)")
    }
  }

  private func check(
    _ points: [(count: Int, state: ActiveConfigState)], _ middle: (count: Int, snapshot: String),
    _ fixture: ConfigFixture, _ generator: inout SeededGenerator, _ seed: Comment
  ) throws {
    let events = fixture.world.events
    for _ in 0..<2 {
      let point = points[generator.index(points.count)]
      #expect(ActiveConfigState(replaying: events.prefix(point.count)) == point.state, seed)
    }
    let world = ManualWorld()
    world.time.advance(microseconds: fixture.world.time.now.microseconds)
    let restored = try ActiveConfig(
      downloader: fixture.downloader, surroundings: world.surroundings,
      restoring: middle.snapshot, replaying: events.dropFirst(middle.count))
    #expect(restored.state == fixture.config.state, seed)
    #expect(restored.snapshot() == fixture.config.snapshot(), seed)
    try expectSameAnswers(fixture.config, restored, seed)
    let appended = fixture.world.events.dropFirst(events.count)
    #expect(appended.map(\.payload) == world.events.map(\.payload), seed)
  }

  /// The live front and the restored one answer the same, and append the same.
  private func expectSameAnswers(
    _ live: ActiveConfig, _ restored: ActiveConfig, _ seed: Comment
  ) throws {
    for front in [live, restored] {
      // No user has no group, so nothing is appended yet.
      front.setUser(nil)
      for name in ["e", "f"] as [ExperimentID] {
        try front.exposures(experiment: name, metaKey: "group")
      }
    }
    for user in [nil, "A", "é"] {
      #expect(live.configuration(of: user) == restored.configuration(of: user), seed)
      // The current user and what is in use are not in the log: both look the user up anew.
      for front in [live, restored] {
        front.setUser("nobody")
        front.setUser(user)
      }
      #expect(live.configuration == restored.configuration, seed)
      #expect(live.formatVersion == restored.formatVersion, seed)
      #expect(live.meta == restored.meta, seed)
      let next = try configuration(["S": ["a": "next"]], meta: ["group": "next"])
      for front in [live, restored] { try front.set(next) }
    }
    #expect(live.state == restored.state, seed)
    #expect(live.history(user: "A") == restored.history(user: "A"), seed)
  }

  private func step(_ generator: inout SeededGenerator, _ fixture: ConfigFixture) async {
    let config = fixture.config
    fixture.world.sink.refuse(generator.chance(0.1))
    let user = generator.pick(Self.users, or: nil)
    switch generator.index(9) {
    case 0: config.setUser(user)
    case 1, 2: try? config.set(randomState(&generator))
    case 3, 4:
      if generator.chance(0.1) { fixture.downloader.fail() } else { give(&generator, fixture) }
      _ = try? await config.download()
    case 5:
      give(&generator, fixture)
      fixture.downloader.close()
      async let outcome = config.download()
      await fixture.downloader.whenWaiting(1)
      config.setUser(user)
      fixture.downloader.open()
      _ = try? await outcome
    case 6: try? config.removeStored(user: user)
    case 7: try? config.restore(position: generator.index(12) - 1)
    default:
      try? config.exposures(
        experiment: generator.pick(["e", "f"], or: "e"),
        metaKey: generator.pick(["group", "other", "none"], or: "group"))
      fixture.world.time.advance(seconds: Double(generator.index(100)))
    }
  }

  private func give(_ generator: inout SeededGenerator, _ fixture: ConfigFixture) {
    let odd: [JSONValue?] = [nil, 1, [], [:], .null, ["meta": [:]], ["config_sections": [:]]]
    fixture.downloader.give(
      generator.chance(0.2)
        ? generator.pick(odd, or: nil) : randomDocument(&generator))
  }

  private func randomState(_ generator: inout SeededGenerator) -> ConfigurationState? {
    if generator.chance(0.1) { return ConfigurationState(at: Timestamp(microseconds: 5)) }
    return try? ConfigurationState(
      json: randomDocument(&generator), at: Timestamp(microseconds: 0))
  }

  private func randomDocument(_ generator: inout SeededGenerator) -> JSONValue {
    let document = ActiveConfigListenerTests.randomDocument(&generator)
    guard generator.chance(0.7) else { return document }
    let odd: [JSONValue] = [
      "A", "B", 1, 1.5, true, .null, [1], .number(-0.0), .integer(.max), "\u{0}\"\\\u{2028}é",
    ]
    let meta: JSONValue = [
      "group": generator.pick(odd, or: "A"), "other": generator.pick(odd, or: "A"),
      "format_version_string": generator.pick(odd, or: "1.0"),
    ]
    return [
      "meta": meta, "config_sections": document["config_sections"] ?? [:],
      "extra": generator.pick(odd, or: 1),
    ]
  }
}
