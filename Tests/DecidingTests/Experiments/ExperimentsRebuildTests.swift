import DecidingCore
import Events
import TestSupport
import Testing
import Threads

@testable import DecidingExperiments

@Suite("Experiments: rebuilt from the log")
struct ExperimentsRebuildTests {
  @Test(
    "after any history a replay, and a snapshot with the rest, know and answer the same",
    arguments: LongTests.chunks(5, of: 20))
  func rebuilds(chunk: UInt64) async throws {
    for seed in chunk * 50..<chunk * 50 + 50 {
      var history = try ExperimentHistory(seed: seed)
      let live = history.live
      await history.run(8 + Int(seed % 9))
      let (snapshot, middle) = (live.client.snapshot(), live.factory.state)
      let position = live.events.count
      await history.run(18)
      let events = live.events
      #expect(ExperimentsState(replaying: events.prefix(position)) == middle, "seed \(seed)")
      let replayed = try live.rebuilt()
      #expect(replayed.factory.state == live.factory.state, "seed \(seed)")
      let restored = try ClientFactory(
        loader: live.loader, surroundings: replayed.world.surroundings, settings: live.settings,
        restoring: snapshot, replaying: events.dropFirst(position))
      #expect(restored.state == live.factory.state, "seed \(seed)")
      #expect(restored.snapshot() == live.client.snapshot(), "seed \(seed)")
      #expect(Set(events.map(\.id)).count == events.count, "an id twice, seed \(seed)")
      try await expectSameAnswers(live, seed)
    }
  }

  /// The buffer is known to one process only, so it is emptied before answers are compared.
  private func expectSameAnswers(_ live: ExperimentsWorld, _ seed: UInt64) async throws {
    try await live.client.flush()
    guard live.client.buffer.withLock({ $0.isEmpty }) else { return }
    let replayed = try live.rebuilt()
    #expect(
      ExperimentHistory.answers(replayed.client) == ExperimentHistory.answers(live.client),
      "seed \(seed)")
    for user in ExperimentHistory.users {
      for experiment in ExperimentHistory.experiments {
        let answers = [live, replayed].map { world in
          "\(Result { try world.client.answer(user, experiment) })"
        }
        #expect(answers[0] == answers[1], "seed \(seed)")
      }
    }
    #expect(replayed.factory.state == live.factory.state, "seed \(seed)")
  }

  @Test("the random histories reach what they are meant to reach")
  func reach() async throws {
    var reasons: Set<String> = []
    var kinds: Set<String> = []
    for seed in 0..<200 as Range<UInt64> {
      var history = try ExperimentHistory(seed: seed)
      await history.run(40)
      for event in history.live.events {
        kinds.insert(event.kind.name)
        reasons.insert(event.toldDecision?.reason ?? event.toldConfiguration?.reason ?? "")
      }
    }
    #expect(kinds.isSuperset(of: ["decision", "conversion", "dataPoint", "decisionConfirmed"]))
    #expect(
      reasons.isSuperset(of: [
        "hash", "sticky", "reallocated", "adaptive", "forced", "holdout", "exclusion-group",
        "outside-schedule", "not-allocated", "set", "loaded", "unforced",
      ]), "\(reasons)")
  }

  @Test("G-4 events of other systems, or that fit nothing, change nothing")
  func foreign() throws {
    let world = try ExperimentsWorld(.halves)
    _ = try world.client.triggerExperiment("u", 75253)
    let state = world.factory.state
    let payloads: [Payload] = [
      .decision(Decision(experiment: 75253, variant: "x", reason: "random")),
      .decision(Decision(experiment: 75253, variant: "x")),
      .decision(Decision(experiment: 75253, point: "cart", variant: "x", reason: "sticky")),
      .decision(Decision(experiment: 75253, slot: "color", variant: "x", reason: "hash")),
      .decisionConfirmed(DecisionConfirmed(experiment: 75253)),
      .decisionConfirmed(DecisionConfirmed(experiment: 75253, point: "cart")),
      .goal(Goal(experiment: 75253, goal: "g")), .sessionExpired(SessionExpired()),
      .assignmentRemoved(AssignmentRemoved(experiment: 75253)),
      .dataPoint(DataPoint(kind: "optionTaken", key: "a")),
      .configurationApplied(ConfigurationApplied(system: "agents", configuration: .null)),
      .configurationApplied(ConfigurationApplied(system: "experiments", configuration: .null)),
      .configurationApplied(ConfigurationApplied(system: "experiments")),
      .configurationApplied(
        ConfigurationApplied(
          system: "experiments",
          configuration: JSONText(validated: #"{"siteCode":"site","experiments":[{}]}"#))),
    ]
    for payload in payloads {
      var after = state
      after.apply(Event(time: Timestamp(microseconds: 1), unit: "u", payload: payload))
      #expect(after == state, "\(payload)")
    }
  }
}
