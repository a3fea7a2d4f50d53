import DecidingCore
import Events
import TestSupport
import Testing
import Threads

@testable import DecidingExperiments

/// What callbacks said.
private final class Answers: Sendable {
  private let content = Monitor([Bool]())
  var all: [Bool] { content.withLock { $0 } }
  func append(_ answer: Bool) { content.withLock { $0.append(answer) } }
}

/// The examples of the article "Coming from Kameleoon".
@Suite("Coming from Kameleoon")
struct ComingFromKameleoonTests {
  private let world = ManualWorld()
  private let loader = ManualExperimentLoader()

  private func configured() throws -> ExperimentClient {
    let factory = ClientFactory(loader: loader, surroundings: world.surroundings)
    let client = factory.create(siteCode: "a1b2c3")
    let configuration = try ExperimentConfiguration(
      parsing: #"""
        {"siteCode": "a1b2c3", "enabled": true, "modified": 1600000000,
         "experiments": [{"id": 75253, "variations": [
           {"id": 0, "deviation": 0.5}, {"id": 148382, "deviation": 0.5}]}]}
        """#)
    try client.apply(configuration)
    return client
  }

  private var summary: [String] {
    world.events.filter { $0.kind != .configurationApplied }.map(ExperimentsWorld.summary)
  }

  @Test("making a client, starting it, and starting again from the log")
  func making() async throws {
    let surroundings = world.surroundings
    let log = world.sink
    loader.answers(ExperimentConfiguration(siteCode: "a1b2c3"))
    let factory = ClientFactory(loader: loader, surroundings: surroundings)
    let client = factory.create(siteCode: "a1b2c3")
    client.start()
    #expect(await client.runWhenReady(timeout: .seconds(60)))
    #expect(factory.create(siteCode: "a1b2c3") === client)
    client.stop()
    let restarted = ClientFactory(loader: loader, surroundings: surroundings, replaying: log.events)
    #expect(restarted.create(siteCode: "a1b2c3").ready)
    #expect(restarted.state == factory.state)
  }

  @Test("a configuration is checked as a whole, and ids are numbers or texts")
  func configuration() throws {
    let client = try configured()
    #expect(throws: ExperimentError.self) {
      try client.apply(
        ExperimentConfiguration(
          siteCode: "a1b2c3",
          experiments: [Experiment(1, variations: [ExperimentVariation(1, deviation: 2)])]
        ))
    }
    #expect(try client.preview("visitor-1", "75253") == client.preview("visitor-1", 75253))
  }

  @Test("waiting until it is ready")
  func waiting() async throws {
    let client = try configured()
    let answers = Answers()
    client.runWhenReady(1_000) { isReady in
      answers.append(isReady)
    }
    let isReady = await client.runWhenReady(timeout: .milliseconds(1_000))
    #expect(isReady && answers.all == [true])
  }

  @Test("triggering an experiment, with the reference on any error")
  func triggering() throws {
    let client = try configured()
    func variation(of userID: String) -> VariationID {
      do {
        return try client.triggerExperiment(userID, 75253)
      } catch {
        return .reference
      }
    }
    #expect(variation(of: "visitor-1") == .reference)
    #expect(variation(of: "visitor-2") == 148382)
    #expect(variation(of: "") == .reference)
    let answer = try client.answer("visitor-1", 75253)
    let preview = try client.preview("visitor-1", 75253)
    #expect(answer == preview && answer.reason == .sticky && answer.propensity == 0.5)
    #expect(summary.count == 3)
  }

  @Test("asking early and counting late")
  func early() throws {
    let client = try configured()
    let early = try client.triggerExperiment("visitor-2", 75253, track: false)
    let shown = try client.triggerExperiment("visitor-2", 75253)
    #expect(early == shown && summary == ["provisional 148382 hash", "decisionConfirmed"])
  }

  @Test("adding data, tracking conversions, flushing")
  func data() async throws {
    let client = try configured()
    let outcomes = Answers()
    try client.addData(
      userID: "visitor-1", data: CustomData(id: 1, value: "gold"), VisitorInterest(2))
    try client.addData(userID: "visitor-1", data: VisitorDevice.tablet, track: false)
    #expect(summary.isEmpty && client.visit(of: "visitor-1") == nil)
    try await client.trackConversion(userID: "visitor-1", goalID: 83023, revenue: 10)
    try await client.trackConversion(userID: "visitor-1", goalID: 83023, revenue: 4, negative: true)
    #expect(summary.prefix(4) == ["custom 1", "interest 2", "conversion 83023", "activity"])
    let state = ExperimentsState(replaying: world.events)
    #expect(state.visitors["visitor-1"]?.knowledge.conversions[83023]?.revenue == 6)
    #expect(state.visitors["visitor-1"]?.knowledge.device == nil)
    try await client.flush(userID: "visitor-1")
    try await client.flush()
    client.flush(userID: "visitor-1") { isDurable in
      outcomes.append(isDurable)
    }
    await ExperimentsWorld.eventually { outcomes.all == [true] }
    world.sink.refuse(true)
    await #expect {
      try await client.flush(userID: "visitor-1")
    } throws: {
      MoodySink.isRefusal($0)
    }
  }

  @Test("from code that does not wait")
  func notWaiting() async throws {
    let client = try configured()
    func purchase(by visitor: String, goal: Int) {
      client.trackConversion(userID: visitor, goalID: GoalID(goal), revenue: 10)
      client.flush(userID: visitor)
    }
    purchase(by: "visitor-1", goal: 83023)
    #expect(summary == ["conversion 83023", "activity", "activity"])
  }

  @Test("a visit is final after 30 minutes")
  func visits() async throws {
    let client = try configured()
    try await client.flush(userID: "visitor-1")
    world.time.advance(seconds: 1_800)
    let visit = client.visit(of: "visitor-1")
    let isFinal = visit?.isOpen == false
    #expect(visit != nil && isFinal)
  }

  @Test("traffic follows the results, and saved variations stay")
  func adaptive() async throws {
    let adaptive = Experiment(
      "search",
      variations: [
        ExperimentVariation(0, deviation: 0.5), ExperimentVariation("ranked", deviation: 0.5),
      ],
      policy: "epsilon-greedy:epsilon=0.1", goal: 83023)
    let client = try configured()
    try client.apply(ExperimentConfiguration(siteCode: "a1b2c3", experiments: [adaptive]))
    let users = (0..<40).map { "user-\($0)" }
    let saved = try users.map { try client.triggerExperiment($0, "search") }
    let winner = try #require(zip(users, saved).first { $0.1 == "ranked" }?.0)
    try await client.trackConversion(userID: winner, goalID: 83023)
    #expect(try users.map { try client.triggerExperiment($0, "search") } == saved)
    let fresh = try (100..<140).map { try client.answer("user-\($0)", "search") }
    #expect(fresh.count { $0.variation == "ranked" } > 30)
    for answer in fresh {
      let share = answer.variation == "ranked" ? 0.95 : 0.05
      #expect(abs((answer.propensity ?? 0) - share) < 1e-12)
    }
  }
}
