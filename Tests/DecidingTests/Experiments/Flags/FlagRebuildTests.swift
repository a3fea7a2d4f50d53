import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Experiments: flags rebuilt from the log")
struct FlagRebuildTests {
  /// A client that knows what the factory knows.
  private func client(
    _ events: some Sequence<Event>, from snapshot: String? = nil, at time: Timestamp
  ) throws -> (client: ExperimentClient, factory: ClientFactory, world: ManualWorld) {
    let world = ManualWorld()
    world.time.advance(microseconds: time.microseconds)
    let loader = ManualExperimentLoader()
    let factory =
      if let snapshot {
        try ClientFactory(
          loader: loader, surroundings: world.surroundings, restoring: snapshot, replaying: events)
      } else {
        ClientFactory(loader: loader, surroundings: world.surroundings, replaying: events)
      }
    return (factory.create(siteCode: ExperimentsWorld.site), factory, world)
  }

  /// What flags answer, in words.
  private func answers(_ client: ExperimentClient) -> [String] {
    FlagHistory.users.flatMap { user in
      ["checkout", "a", "b"].map { flag in
        let answer = Result { try client.variation(of: flag, for: user) }
        return "\(flag) for \(user): \(answer)"
      }
    }
  }

  @Test(
    "any history is rebuilt from the log, and from a snapshot in the middle of it",
    arguments: LongTests.chunks(5, of: 20))
  func rebuilds(chunk: UInt64) async throws {
    for seed in chunk * 50..<chunk * 50 + 50 {
      var history = try FlagHistory(seed: seed)
      let live = history.live
      await history.run(9)
      let (snapshot, middle, position) = (
        live.factory.snapshot(), live.factory.state, live.events.count
      )
      await history.run(9)
      let (events, now) = (live.events, live.time.now)
      #expect(
        ExperimentsState(replaying: events.prefix(position)) == middle, "prefix, seed \(seed)")
      let replayed = try client(events, at: now)
      let restored = try client(events.dropFirst(position), from: snapshot, at: now)
      #expect(replayed.factory.state == live.factory.state, "replayed, seed \(seed)")
      #expect(restored.factory.state == live.factory.state, "restored, seed \(seed)")
      // The buffer is not a part of the state: what waits in it is sent before answers are compared, and
      // what was added without tracking is gone.
      guard history.isClean else { continue }
      try await live.client.flush()
      let flushed = try client(live.events, at: now)
      #expect(answers(live.client) == answers(flushed.client), "answers, seed \(seed)")
      #expect(flushed.factory.state == live.factory.state, "afterwards, seed \(seed)")
    }
  }
}
