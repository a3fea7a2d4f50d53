import DecidingCore
import EventLog
import Events
import Platform
import TestSupport
import Testing
import Threads

@testable import Service

struct ReplayLawTests {
  @Test(
    "states equal a replay of the log after calls and ingestion on all cores", arguments: [1, 2])
  func concurrency(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let harness = try ServiceHarness(log: folder.path("log"), seed: seed)
    let systems = harness.service.host.systems
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<2 * max(2, SystemLimits.processorCount) {
        group.addTask {
          var random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(worker))
          for number in 0..<150 {
            if worker % 4 == 3 {
              Self.ingest("w\(worker)-\(number)", systems, &random)
            } else {
              await Self.call(harness, &random)
            }
          }
        }
      }
    }
    await harness.service.drain()
    let live = SystemStates(harness.service.host.systems)
    let replayed = try SystemStates(replaying: harness.log)
    #expect(live == replayed)
    #expect(try harness.events.count > 350)

    // The next start finds the same states, by the snapshot that the drain made and without it.
    harness.service.close()
    let restarted = try ServiceHarness(log: harness.log, seed: seed)
    #expect(restarted.service.host.systems.snapshotPosition > 0)
    #expect(SystemStates(restarted.service.host.systems) == replayed)
  }

  private static func call(_ harness: ServiceHarness, _ random: inout SeededGenerator) async {
    let session = "s\(random.index(40))"
    let agent = random.pick(["shop", "news"], or: "shop")
    let target: String =
      switch random.index(10) {
      case 0: "/acme/\(agent)/goal/sale?session=\(session)&reward=\(random.index(9))"
      case 1: "/acme/-/goal?session=\(session)"
      case 2: "/acme/\(agent)/expire?session=\(session)"
      case 3: "/acme/\(agent)/decision/a,b?session=\(session)&status=p"
      case 4: "/acme/\(agent)/decisions/x:a,b/y:c,d,e?session=\(session)&point=cart"
      default: "/acme/\(agent)/decision/a,b,c?session=\(session)&segment=g\(random.index(3))"
      }
    let answer = await harness.get(target)
    #expect(answer.status == 200, "\(answer.json)")
  }

  /// Appends events that every system reads: of sessions that the agents know, and without a system.
  private static func ingest(_ id: String, _ systems: Systems, _ random: inout SeededGenerator) {
    let unit = UnitID("s\(random.index(40))")
    let events = [
      Event(
        time: FixedTime().now, unit: unit, id: EventID("\(id)-d"),
        payload: .decision(
          Decision(experiment: "shop", variant: "b", choices: ["a", "b"], propensity: 0.5))),
      Event(
        time: FixedTime().now, unit: unit, id: EventID("\(id)-g"),
        payload: .goal(Goal(experiment: "shop", goal: "sale", value: 1))),
    ]
    let position = try? systems.appendForAll { writer throws(LogError) in
      var logged: [LoggedEvent] = []
      for event in events {
        var record = EventRecord()
        do throws(EventProblem) {
          try record.load(event)
        } catch {
          throw LogError(.badEvent, "\(error)", path: "")
        }
        logged.append(LoggedEvent(position: try writer.append(record), event: event))
      }
      return (logged, logged[0].position)
    }
    #expect(position != nil)
  }
}
