import DecidingCore
import Events
import TestSupport

@testable import DecidingExperiments

/// A random history of calls at one site, odd ones, steps of time and refusals of the log among them.
struct ExperimentHistory {
  static let users = [
    "u1", "u2", "é", "visitor-1", "1267576", "", String(repeating: "x", count: 256),
  ]
  static let experiments: [ExperimentID] = [75253, 2, "three", 404]

  let live: ExperimentsWorld
  private(set) var generator: SeededGenerator

  init(seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    var settings = ExperimentSettings(
      dataIsActivity: generator.chance(0.2), bufferCapacity: generator.chance(0.2) ? 3 : 10_000)
    if generator.chance(0.3) {
      settings.restrictions = Restrictions(
        holdout: Holdout(name: "h", share: 0.3),
        groups: [ExclusionGroup(name: "g", members: [75253, 2])],
        schedules: ["three": Schedule(from: Timestamp(microseconds: 5_000_000_000))])
    }
    live = try ExperimentsWorld(settings: settings)
    for _ in 0..<(generator.chance(0.9) ? 3 : 0) where !live.client.ready {
      try? live.client.apply(configuration())
    }
  }

  /// Makes so many calls. Whatever they throw is their answer.
  mutating func run(_ count: Int) async {
    for _ in 0..<count {
      if generator.chance(0.1) { live.world.sink.refuse(generator.chance(0.5)) }
      step()
      try? await call()
    }
    live.world.sink.refuse(false)
  }

  private mutating func step() {
    switch generator.index(12) {
    case 0: live.time.advance(seconds: 1_800)
    case 1: live.time.advance(seconds: 3_600)
    case 2: live.time.advance(microseconds: 1)
    case 3: live.time.advance(seconds: -100)
    case 4: live.time.advance(seconds: 8 * 86_400)
    case 5...8: live.time.advance(seconds: Double(generator.index(1_000)))
    default: break
    }
  }

  private mutating func call() async throws {
    let client = live.client
    let user = Self.users[generator.chance(0.9) ? generator.index(4) : generator.index(7)]
    let experiment = Self.experiments[
      generator.chance(0.9) ? generator.index(2) : generator.index(4)]
    let goal = GoalID(integerLiteral: generator.chance(0.7) ? 1 : 2)
    let variation = generator.pick([0, 1, 2, 3, "b", "nowhere"] as [VariationID], or: 0)
    switch generator.index(24) {
    case 0...8:
      _ = try client.triggerExperiment(user, experiment, track: generator.chance(0.8))
    case 9...12: try client.addData(userID: user, [datum()], track: generator.chance(0.9))
    case 13...15:
      let revenue = generator.pick([0, 1.5, -2, .nan], or: 0)
      try await client.trackConversion(
        userID: user, goalID: goal, revenue: revenue, negative: generator.chance(0.2))
    case 16: try await client.flush(userID: user)
    case 17: try await client.flush()
    case 18...19:
      try client.setForcedVariation(
        generator.chance(0.6) ? variation : nil, in: experiment, for: user,
        forceTargeting: generator.chance(0.7))
    case 20: try client.setConsent(generator.chance(0.7), for: user)
    case 21: try client.apply(configuration())
    case 22:
      live.loader.answers(configuration())
      try await client.refresh()
    default: _ = try client.preview(user, experiment)
    }
  }

  private mutating func datum() -> any VisitorData {
    switch generator.index(8) {
    case 0: Conversion(goalID: GoalID(integerLiteral: generator.index(3)), revenue: 2)
    case 1: CustomData(index: 1, value: generator.pick(["gold", "lead"], or: ""))
    case 2:
      CustomData(
        index: 1, values: generator.chance(0.5) ? ["a", "gold"] : [],
        overwrites: generator.chance(0.5))
    case 3: VisitorInterest(generator.index(2))
    case 4: PageView("/\(generator.index(2))", title: generator.chance(0.5) ? "t" : nil)
    case 5: VisitorPlace(country: "FR", city: generator.chance(0.5) ? "Metz" : nil)
    case 6: VisitorBrowser("firefox", version: "\(generator.index(3)).1")
    default: VisitorDevice.phone
    }
  }

  /// A configuration; now and then one that is refused.
  private mutating func configuration() -> ExperimentConfiguration {
    var experiments: [Experiment] = []
    for id in Self.experiments.dropLast() where generator.chance(0.8) {
      var experiment = Experiment(id, variations: variations())
      if generator.chance(0.2) { experiment.targeting = Self.gold }
      if generator.chance(0.2) { experiment.kind = .personalization }
      if generator.chance(0.5) {
        experiment.policy = generator.pick(["greedy", "epsilon-greedy:epsilon=0.2"], or: "greedy")
        experiment.goal = 1
      }
      experiments.append(experiment)
    }
    var other = JSONObject()
    if generator.chance(0.1) { other["consent"] = generator.chance(0.5) ? "partial" : "complete" }
    return ExperimentConfiguration(
      siteCode: generator.chance(0.95) ? ExperimentsWorld.site : "elsewhere",
      enabled: generator.chance(0.95), modified: Int64(generator.index(3)),
      experiments: experiments, other: other)
  }

  private mutating func variations() -> [ExperimentVariation] {
    var rest = generator.chance(0.05) ? 2.0 : 1.0
    return ([0, 1, 2, "b"] as [VariationID]).prefix(1 + generator.index(4)).map { id in
      let share = generator.chance(0.1) ? 0 : rest * generator.pick([0.25, 0.5, 1], or: 1)
      rest -= share
      let respool = generator.chance(0.2) ? Int64(generator.index(10_000)) : nil
      return ExperimentVariation(id, deviation: share, respool: respool)
    }
  }

  private static let gold: JSONValue = [
    "groups": [["conditions": [ExperimentsVectorTests.gold]]]
  ]

  /// What a client would answer everybody, in words.
  static func answers(_ client: ExperimentClient) -> [String] {
    users.flatMap { user in
      ["visit of \(user): \(String(describing: client.visit(of: user)))"]
        + experiments.map { experiment in
          let answer = Result { try client.preview(user, experiment) }
          return "\(experiment) for \(user): \(answer)"
        }
    }
  }
}
