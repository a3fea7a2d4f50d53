import Bandits
import Events
import Specifications
import Statistics
import TestSupport
import Testing

@testable import OffPolicy
@testable import Replay

/// Random events whose decisions have a context of their own, some of them none.
func eventsWithContexts(_ random: inout SeededGenerator, count: Int = 60) -> [Event] {
  let devices: [AttributeValue?] = [.text("tv"), .text("phone"), .flag(true), nil]
  return SmallWorld.changingDecisions(SmallWorld.events(&random, count: count)) { decision in
    if let device = devices[random.index(devices.count)] {
      decision.context = ["device": device]
    }
  }
}

/// The decisions of a query by the words of its definition, with the texts of their devices.
struct NaiveQuery {
  var decisions: [(decision: NaiveRewards.Counted, device: String?)]

  init(_ events: [Event], _ query: RewardQuery) {
    decisions = NaiveRewards(events).decisions.filter {
      $0.key.experiment == query.experiment && query.point ?? $0.key.point == $0.key.point
        && query.slot ?? $0.key.slot == $0.key.slot
    }.map { decision in
      switch decision.decision.context?["device"] {
      case .text(let text): (decision, text)
      case .flag(let flag): (decision, "\(flag)")
      default: (decision, nil)
      }
    }
  }

  func rewards(_ variant: String, _ isTaken: (String?) -> Bool = { _ in true }) -> ObservedRewards {
    ObservedRewards(
      decisions.filter { $0.decision.key.variant == variant && isTaken($0.device) }
        .map(\.decision.sum))
  }

  var variants: [String] { Set(decisions.map(\.decision.key.variant)).sorted() }
}

func query(_ text: String) throws -> RewardQuery { try RewardQuery(Specification(parsing: text)) }

@Suite("A log as an environment")
struct LogEnvironmentTests {
  static func randomQuery(_ random: inout SeededGenerator, context: Bool) throws -> RewardQuery {
    var text = "log:path=here,experiment=e\(random.index(2))"
    if random.chance(0.3) { text += random.chance(0.5) ? ",point=p" : ",point=point-1" }
    if random.chance(0.3) { text += random.chance(0.5) ? ",slot=s" : ",slot=decision-1" }
    return try query(text + (context ? ",context=device" : ""))
  }

  @Test(
    "rewards are those of the counted decisions, by variant",
    arguments: LongTests.chunks(40, of: 150))
  func rewards(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = SmallWorld.events(&random)
    let query = try Self.randomQuery(&random, context: false)
    let form = ReplayForm.all[Int(seed) % ReplayForm.all.count]
    let log = try WorldLog(events, perFrame: form.perFrame)
    let naive = NaiveQuery(events, query)
    guard !naive.variants.isEmpty else {
      #expect(throws: SpecificationError.self) { try form.replay(log).environment(query) }
      return
    }
    let environment = try form.replay(log).environment(query)
    #expect(environment.variantNames == naive.variants, "seed \(seed)")
    #expect(
      environment.arms == naive.variants.map { .empirical(naive.rewards($0)) },
      "seed \(seed), \(query.specification)")
    #expect(environment.contextValues.isEmpty)
  }

  @Test("with a context they are divided by its values", arguments: LongTests.chunks(40, of: 150))
  func contexts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = eventsWithContexts(&random)
    let query = try Self.randomQuery(&random, context: true)
    let form = ReplayForm.all[Int(seed) % ReplayForm.all.count]
    let log = try WorldLog(events, perFrame: form.perFrame)
    let naive = NaiveQuery(events, query)
    let values = Set(naive.decisions.map(\.device))
    guard !values.isEmpty, values != [nil] else {
      #expect(throws: SpecificationError.self) { try form.replay(log).environment(query) }
      return
    }
    let environment = try form.replay(log).environment(query)
    let sorted = (values.contains(nil) ? [nil] : []) + values.compactMap { $0 }.sorted()
    #expect(environment.contextValues == sorted)
    let twin = try EmpiricalEnvironment(
      query.specification, variantNames: naive.variants,
      rewards: sorted.map { value in naive.variants.map { naive.rewards($0) { $0 == value } } },
      contextValues: sorted)
    #expect(Self.look(environment) == Self.look(twin), "seed \(seed), \(query.specification)")
  }

  /// What a run shows: contexts, means and rewards.
  private static func look(_ environment: EmpiricalEnvironment) -> [[Double]] {
    guard case .changing(var run) = environment.makeRun(StreamKey(seed: 1), horizon: 40) else {
      return []
    }
    return (0..<40).map { step in
      run.begin(step)
      return run.context.shared + environment.variantNames.indices.map { run.mean($0) }
        + environment.variantNames.indices.map { run.reward($0) }
    }
  }

  @Test("variants can be chosen and ordered")
  func variants() throws {
    let log = try WorldLog([
      decision(1, "u", "a"), decision(2, "v", "b"), goal(3, "v", 2), decision(4, "w", "c"),
    ])
    let environment = try LogReplay(log.reader).environment(
      query("log:path=here,experiment=e,variants=c;b"))
    #expect(environment.variantNames == ["c", "b"])
    #expect(environment.arms?.map(\.mean) == [0, 2])
  }

  @Test(
    "names that the log does not have are refused with a reason",
    arguments: [
      ("experiment=other", "has no experiment \"other\""),
      ("experiment=e,point=q", "has no point \"q\""),
      ("experiment=e,slot=q", "has no slot \"q\""),
      ("experiment=f", "has no decision that counts"),
      ("experiment=e,slot=s", "has no decision that counts"),
      ("experiment=e,variants=a;x", "variant \"x\" of log:path=here,experiment=e,variants=a;x has"),
      ("experiment=e,variants=a;a", "a name of its own"),
      ("experiment=e,context=device", "has an attribute \"device\""),
      ("experiment=many,context=number", "has 101 values"),
    ])
  func refused(parameters: String, reason: String) throws {
    let numbered = (0...100).map { number in
      var made = Decision(experiment: "many", variant: "a")
      made.context = ["number": .integer(Int64(number))]
      return event(9, "u\(number)", .decision(made))
    }
    let log = try WorldLog(
      [
        decision(1, "u", "a"), decision(2, "v", "b", experiment: "f", status: .excluded),
        decision(3, "w", "b", experiment: "g", slot: "s"),
      ] + numbered)
    let error = #expect(throws: SpecificationError.self) {
      try LogReplay(log.reader).environment(query("log:path=here," + parameters))
    }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "none")")
  }

  @Test(
    "a query requires path and experiment",
    arguments: ["log", "log:path=a", "log:path=a,experiment=", "bernoulli:means=1", "log:pat=a"])
  func queries(text: String) throws {
    #expect(throws: SpecificationError.self) { try query(text) }
  }
}
