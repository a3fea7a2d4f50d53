import Bandits
import Events
import Specifications
import TestSupport
import Testing

@testable import OffPolicy
@testable import Replay

@Suite("Decisions of a log as a warm start")
struct LoggedRewardsTests {
  private struct Row: Equatable {
    var variant: String
    var reward: Double
    var propensity: Double?
    var device: String?
  }

  @Test("only counted decisions are returned, in order of time", arguments: 0..<150)
  func order(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = eventsWithContexts(&random)
    let query = try LogEnvironmentTests.randomQuery(&random, context: true)
    let form = ReplayForm.all[Int(seed) % ReplayForm.all.count]
    let log = try WorldLog(events, perFrame: form.perFrame)
    let naive = NaiveQuery(events, query).decisions.sorted {
      NaiveRewards.isBefore($0.decision, $1.decision)
    }.map {
      Row(
        variant: $0.decision.key.variant, reward: $0.decision.sum,
        propensity: $0.decision.propensity, device: $0.device)
    }
    guard let logged = try? form.replay(log).loggedRewards(query) else {
      #expect(naive.isEmpty, "seed \(seed)")
      return
    }
    let rows = logged.decisions.map {
      Row(
        variant: logged.variants[$0.variant] ?? "", reward: $0.reward,
        propensity: $0.propensity.isNaN ? nil : $0.propensity,
        device: logged.values[Int($0.value)].text)
    }
    #expect(rows == naive, "seed \(seed), \(query.specification), \(form)")
    #expect(logged.count == naive.count)
  }

  private static let events = [
    decision(1, "u", "a", propensity: 0.25), goal(2, "u", 3), decision(2, "v", "b"),
    decision(3, "w", "z"), decision(4, "x", "a"), goal(4, "x", nil),
  ]

  @Test("variants are matched by name; unmatched ones are counted")
  func matched() throws {
    let log = try WorldLog(Self.events)
    let environment = try LogReplay(log.reader).environment(
      query("log:path=here,experiment=e,variants=b;a"))
    let logged = try LogReplay(log.reader).loggedRewards(query("log:path=here,experiment=e"))
    let (start, unmatched) = logged.warmStart(for: environment)
    #expect(start.rewards.map(\.variant) == [1, 0, 1])
    #expect(start.rewards.map(\.reward) == [3, 0, 1])
    #expect(start.rewards.map(\.propensity.isNaN) == [false, true, true])
    #expect(start.rewards[0].propensity == 0.25)
    #expect(start.rewards.allSatisfy { $0.context == nil } && start.contexts.isEmpty)
    #expect(unmatched.variants == ["z": 1] && unmatched.contexts == 0)
    let only = try LogReplay(log.reader).loggedRewards(
      query("log:path=here,experiment=e,variants=b"))
    #expect(only.warmStart(for: environment).warmStart.rewards.map(\.variant) == [0])
    #expect(only.warmStart(for: environment).unmatched.variants == ["a": 2, "z": 1])
  }

  @Test("contexts are matched with those of the environment, which may be in another order")
  func contexts() throws {
    let devices: [String?] = ["tv", "phone", nil, "radio"]
    let log = try WorldLog(
      devices.enumerated().map { place, device in
        var made = Decision(experiment: place < 3 ? "e" : "f", variant: "a")
        if let device { made.context = ["device": .text(device)] }
        return event(Int64(place), "u\(place)", .decision(made))
      })
    let environment = try LogReplay(log.reader).environment(
      query("log:path=here,experiment=e,context=device"))
    #expect(environment.contextValues == [nil, "phone", "tv"])
    let logged = try LogReplay(log.reader).loggedRewards(
      query("log:path=here,experiment=e,context=device"))
    let delayed = try DelayedEnvironment { ($0.environment, $0.steps) = (environment, 1) }
    for world in [environment, delayed] as [any Environment] {
      let (start, unmatched) = logged.warmStart(for: world)
      #expect(start.rewards.map(\.context) == [2, 1, 0])
      #expect(start.contexts == [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
      #expect(unmatched == LoggedRewards.Unmatched())
    }
    let other = try LogReplay(log.reader).loggedRewards(
      query("log:path=here,experiment=f,context=device"))
    #expect(other.warmStart(for: environment).unmatched.contexts == 1)
    #expect(other.warmStart(for: environment).warmStart.rewards.isEmpty)
  }
}
