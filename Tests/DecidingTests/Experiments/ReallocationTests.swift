import Bandits
import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Experiments: policies that move the traffic")
struct ReallocationTests {
  static let configuration = ExperimentConfiguration.one(
    [1: 0.4, 2: 0.4, 3: 0], policy: "greedy", goal: 9)

  /// A world in which user `b` has variation 2, and its conversion was counted.
  private func world(_ configuration: ExperimentConfiguration = configuration) async throws
    -> (ExperimentsWorld, converted: VariationID)
  {
    let world = try ExperimentsWorld(configuration)
    for user in 0..<20 { _ = try? world.client.triggerExperiment("u\(user)", 75253) }
    let user = try #require(world.told.last { $0.toldDecision?.variant == 2 }?.unit)
    try await world.client.trackConversion(userID: user.rawValue, goalID: 9)
    return (world, 2)
  }

  @Test("KA-60 counted conversions move the shares, new users follow them, old ones stay")
  func moves() async throws {
    let (world, _) = try await world()
    let saved = world.told.compactMap(\.toldDecision).filter { $0.status == .confirmed }
    #expect(world.factory.state.learning[75253]?.news == 1)
    let old = try #require(world.told.first { $0.toldDecision?.variant == 1 }?.unit.rawValue)
    #expect(try world.client.triggerExperiment(old, 75253) == 1)
    let applied = try #require(world.events.compactMap(\.toldConfiguration).last)
    #expect(applied.reason == "reallocated" && applied.experiment == 75253)
    #expect(
      applied.configuration?.text
        == #"{"deviations":{"1":0,"2":0.8,"3":0},"siteCode":"site"}"#)
    #expect(world.factory.state.learning[75253]?.news == 0)
    var answers: [ExperimentAnswer] = []
    for user in 100..<200 {
      if let answer = try? world.client.answer("u\(user)", 75253) { answers.append(answer) }
    }
    #expect(answers.count > 60 && answers.allSatisfy { $0.variation == 2 })
    #expect(answers.allSatisfy { $0.propensity == 0.8 && $0.policy == "greedy" })
    #expect(answers.allSatisfy { $0.reason == .adaptive })
    #expect(saved.allSatisfy { $0.policy == "weights" && $0.propensity == 0.4 })
    try world.expectReplays()
    #expect(
      try world.rebuilt().client.preview("u500", 75253) == world.client.preview("u500", 75253))
  }

  @Test("KA-60 at most hourly, and only when something was counted since")
  func hourly() async throws {
    let (world, _) = try await world()
    func moves() -> Int {
      world.events.compactMap(\.toldConfiguration).count { $0.reason == "reallocated" }
    }
    _ = try? world.client.triggerExperiment("n1", 75253)
    #expect(moves() == 1)
    let other = try #require(world.told.last { $0.toldDecision?.variant == 1 }?.unit.rawValue)
    try await world.client.trackConversion(userID: other, goalID: 9)
    world.time.advance(seconds: 3_599.999_999)
    _ = try? world.client.triggerExperiment("n2", 75253)
    #expect(moves() == 1)
    world.time.advance(microseconds: 1)
    _ = try? world.client.triggerExperiment("n3", 75253, track: false)
    _ = try? world.client.preview("n3", 75253)
    #expect(moves() == 1)
    _ = try? world.client.triggerExperiment("n3", 75253)
    #expect(moves() == 2)
    world.time.advance(seconds: 7_200)
    _ = try? world.client.triggerExperiment("n4", 75253)
    #expect(moves() == 2)
    try world.expectReplays()
  }

  @Test(
    "KA-59, KA-60 a conversion counts once, up to 7 days after the last exposure, for its goal only"
  )
  func counted() async throws {
    let week: Int64 = 7 * 86_400_000_000
    for (delay, goal, revenue, negative, counts) in [
      (0, 9, 0, false, 1), (week, 9, 0, false, 1), (week + 1, 9, 0, false, 0), (0, 8, 0, false, 0),
      (0, 9, 0, true, 0), (0, 9, -4, false, 0), (0, 9, 4, false, 1),
    ] as [(Int64, Int, Double, Bool, Int)] {
      let world = try ExperimentsWorld(.one([1: 1], policy: "greedy", goal: 9))
      _ = try world.client.triggerExperiment("u", 75253)
      world.time.advance(microseconds: delay)
      for _ in 0..<3 {
        try await world.client.trackConversion(
          userID: "u", goalID: GoalID(integerLiteral: goal), revenue: revenue, negative: negative)
      }
      let learning = try #require(world.factory.state.learning[75253])
      #expect(learning.news == counts && learning.tallies[1]?.rewarded == counts, "\(delay)")
      #expect(learning.tallies[1]?.decisions == 1)
      try world.expectReplays()
    }
  }

  @Test("KA-48 a conversion added before the trigger is not credited to it")
  func earlier() async throws {
    let world = try ExperimentsWorld(.one([1: 1], policy: "greedy", goal: 9))
    try world.client.addData(userID: "u", data: Conversion(goalID: 9))
    _ = try world.client.triggerExperiment("u", 75253)
    #expect(world.factory.state.learning[75253]?.news == 0)
  }

  @Test(
    "KA-60 a refresh of the same experiment keeps what its policy found, a changed one begins anew")
  func refreshed() async throws {
    let (world, _) = try await world()
    _ = try? world.client.triggerExperiment("n1", 75253)
    var renamed = Self.configuration
    renamed.modified = 7
    try world.client.apply(renamed)
    #expect(world.factory.state.sites["site"]?.plans[75253]?.deviations == [0, 0.8, 0])
    try world.expectReplays()
    try world.client.apply(.one([1: 0.5, 2: 0.4, 3: 0], policy: "greedy", goal: 9))
    #expect(world.factory.state.sites["site"]?.plans[75253]?.deviations == [0.5, 0.4, 0])
    #expect(world.factory.state.sites["site"]?.reallocations.isEmpty == true)
    try world.expectReplays()
  }

  @Test("KA-60, G-5 a reallocation that the log rejects has no effect")
  func refused() async throws {
    let (world, _) = try await world()
    world.world.sink.refuse(true)
    #expect(throws: ExperimentError.self) { try world.client.triggerExperiment("n1", 75253) }
    #expect(world.factory.state.sites["site"]?.plans[75253]?.deviations == [0.4, 0.4, 0])
    world.world.sink.refuse(false)
    _ = try? world.client.triggerExperiment("n1", 75253)
    #expect(world.factory.state.sites["site"]?.plans[75253]?.deviations == [0, 0.8, 0])
    try world.expectReplays()
  }

  @Test("a reallocation in the log that does not fit changes nothing")
  func unfitting() throws {
    let world = try ExperimentsWorld(Self.configuration)
    let wrong: [JSONValue] = [
      .null, [:], ["siteCode": "site", "deviations": ["1": 1]],
      ["siteCode": "site", "deviations": ["1": 1, "2": 1, "3": 0]],
      ["siteCode": "site", "deviations": ["1": -1, "2": 1, "3": 0]],
      ["siteCode": "other", "deviations": ["1": 1, "2": 0, "3": 0]],
    ]
    for json in wrong {
      var state = world.factory.state
      state.apply(
        Event(
          time: world.time.now, unit: "",
          payload: .configurationApplied(
            ConfigurationApplied(
              system: "experiments", experiment: 75253, reason: "reallocated",
              configuration: json.jsonText))))
      #expect(state == world.factory.state, "\(json)")
    }
  }
}
