import Events
import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits
@testable import OffPolicy
@testable import Replay

/// The decisions of a query and their features, by the words of the definition.
private struct NaiveFeatures {
  let decisions: [NaiveRewards.Counted]
  let variants: [String]
  let features: FeatureSpecification

  init(_ events: [Event], _ query: RewardQuery) throws {
    let all = NaiveQuery(events, query).decisions.map(\.decision)
    variants = query.variants ?? Set(all.map(\.key.variant)).sorted()
    let names = variants
    decisions = all.filter { names.contains($0.key.variant) }
    features = try #require(query.features)
  }

  func value(
    _ source: FeatureSource, _ decision: NaiveRewards.Counted, _ variant: String
  ) -> FeatureValue? {
    switch source {
    case .context(let name): decision.decision.context?[name].map { FeatureValue($0) }
    case .features(let name):
      decision.decision.features?[VariantID(variant)]?[name].map { FeatureValue($0) }
    case .variant: .text(variant)
    case .slot: .text(decision.key.slot)
    }
  }

  func map() throws -> FeatureMap {
    var survey = FeatureSurvey(features)
    for decision in decisions {
      survey.add(
        features.sources.enumerated().map {
          survey.cell(value($1, decision, decision.key.variant), of: $0)
        })
    }
    return try FeatureMap(survey)
  }

  func vectors(
    _ decision: NaiveRewards.Counted, _ map: FeatureMap, _ variants: [String]
  ) -> [FeatureVector] {
    (features.isShared ? ["any"] : variants).map { variant in
      var vector = FeatureVector()
      map.write(
        map.specification.sources.enumerated().map {
          map.cell(value($1, decision, variant), of: $0)
        }, into: &vector)
      return vector
    }
  }

  func environment(_ query: RewardQuery) throws -> EmpiricalEnvironment {
    let map = try map()
    var logged = LoggedFeatures(map, variants: variants.count)
    for decision in decisions {
      logged.add(
        vectors(decision, map, variants),
        variant: try #require(variants.firstIndex(of: decision.key.variant)),
        rewards: [decision.sum])
    }
    return try EmpiricalEnvironment(
      query.specification, variantNames: variants, features: logged, model: query.rewardModel())
  }
}

@Suite("A log as an environment with features")
struct LogFeaturesTests {
  private static let features = [
    "one-hot(visits)", "number(visits)+one-hot(features.brand)+one-hot(variant)",
    "standardized(features.price)", "cross(visits,variant)+hash(features.brand,7)",
    "one-hot(slot)+number(features.price)", "",
  ]
  private static let models = [
    "", ",model=tabular", ",model=(stumps:rounds=3,min-weight=1)", ",model=linear:lambda=2",
  ]

  private static func randomQuery(_ random: inout SeededGenerator, _ seed: UInt64) throws
    -> RewardQuery
  {
    let plain = try LogEnvironmentTests.randomQuery(&random, context: false)
    return try query(
      "\(plain.specification),features=\(features[Int(seed) % features.count])"
        + models[Int(seed / 6) % models.count])
  }

  /// What a run shows: contexts, means and rewards.
  private static func look(_ environment: EmpiricalEnvironment) -> [[Double]] {
    guard case .changing(var run) = environment.makeRun(StreamKey(seed: 1), horizon: 40) else {
      return []
    }
    return (0..<40).map { step in
      run.begin(step)
      return run.context.shared + run.context.variants
        + environment.variantNames.indices.map { run.mean($0) }
        + environment.variantNames.indices.map { run.reward($0) }
    }
  }

  @Test(
    "contexts, means and rewards are those of the decisions, however the log is replayed",
    arguments: LongTests.chunks(60, of: 240))
  func twin(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = eventsWithFeatures(&random, count: 120)
    let query = try Self.randomQuery(&random, seed)
    let form = ReplayForm.all[Int(seed / 2) % ReplayForm.all.count]
    let log = try WorldLog(events, perFrame: form.perFrame)
    let naive = try NaiveFeatures(events, query)
    let words = "seed \(seed), \(query.specification), \(form)"
    let isRead = naive.features.sources.allSatisfy { source in
      naive.decisions.contains { decision in
        ["v0", "v1", "v2"].contains { naive.value(source, decision, $0) != nil }
      }
    }
    let environment: EmpiricalEnvironment
    do {
      environment = try form.replay(log).environment(query)
    } catch let error as SpecificationError {
      #expect(naive.variants.isEmpty || !isRead, "\(words): \(error)")
      return
    }
    let twin = try naive.environment(query)
    #expect(environment.variantNames == naive.variants, "\(words)")
    #expect(environment.features == twin.features, "\(words)")
    #expect(environment.problem(horizon: 1) == twin.problem(horizon: 1), "\(words)")
    #expect(Self.look(environment) == Self.look(twin), "\(words)")
  }

  @Test(
    "a warm start has the features of its decisions by the columns of the environment",
    arguments: LongTests.chunks(25, of: 100))
  func warmStart(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (events, others) = (
      eventsWithFeatures(&random, count: 120), eventsWithFeatures(&random, count: 60)
    )
    let query = try Self.randomQuery(&random, seed)
    let form = ReplayForm.all[Int(seed / 2) % ReplayForm.all.count]
    guard
      let environment = try? form.replay(WorldLog(events, perFrame: form.perFrame))
        .environment(query),
      let logged = try? form.replay(WorldLog(others, perFrame: form.perFrame)).loggedRewards(query),
      let map = environment.features
    else { return }
    let (start, unmatched) = logged.warmStart(for: environment)
    let contexts = try #require(start.features)
    let naive = try NaiveFeatures(others, query)
    let known = naive.decisions.filter { environment.variantNames.contains($0.key.variant) }
    let words = "seed \(seed), \(query.specification), \(form)"
    func text(_ variant: Int, _ reward: Double, _ context: Context) -> String {
      // Of variants that were never chosen here, only names are unknown, which nobody asks for.
      let columns = context.variants.count / max(1, environment.variantNames.count)
      let own = context.variants.dropFirst(variant * columns).prefix(columns)
      return "\(variant) \(reward) \(context.shared) \(Array(own))"
    }
    let found = try start.rewards.map {
      text($0.variant, $0.reward, contexts.context(try #require($0.context)))
    }
    let expected = try known.map { decision in
      let variant = try #require(environment.variantNames.firstIndex(of: decision.key.variant))
      var one = FeatureContexts(map, variants: environment.variantNames.count)
      _ = one.index(of: naive.vectors(decision, map, environment.variantNames))
      return text(variant, decision.sum, one.context(0))
    }
    #expect(found.sorted() == expected.sorted(), "\(words)")
    #expect(unmatched.contexts == 0 && start.contexts.isEmpty)
    #expect(unmatched.variants.values.reduce(0, +) == naive.decisions.count - known.count)
  }

  private static let events: [Event] = (0..<8).map { number in
    var made = Decision(experiment: "e", variant: VariantID(number % 2 == 0 ? "a" : "b"))
    made.context = ["age": .number(Double(number % 4))]
    made.features = ["a": ["price": 1], "b": ["price": 2]]
    return event(Int64(number), "u\(number)", .decision(made))
  }

  @Test(
    "features that the warm start does not read, or the environment does not have, are no contexts")
  func unmatched() throws {
    let log = try WorldLog(Self.events)
    func logged(_ text: String) throws -> LoggedRewards {
      try LogReplay(log.reader).loggedRewards(query("log:path=here,experiment=e\(text)"))
    }
    let environment = try LogReplay(log.reader).environment(
      query("log:path=here,experiment=e,features=number(age)+number(features.price)"))
    let few = try logged(",features=number(age)").warmStart(for: environment)
    #expect(few.unmatched.contexts == 8 && few.warmStart.rewards.isEmpty)
    let more = try logged(",features=one-hot(features.price)+one-hot(variant)+number(age)")
    #expect(more.warmStart(for: environment).warmStart.rewards.count == 8)
    for text in ["", ",context=age"] {
      let start = try logged(text).warmStart(for: environment).warmStart
      #expect(start.rewards.count == 8 && start.rewards.allSatisfy { $0.context == nil })
    }
    let plain = try LogReplay(log.reader).environment(query("log:path=here,experiment=e"))
    let start = try logged(",features=number(age)").warmStart(for: plain).warmStart
    #expect(start.rewards.count == 8 && start.rewards.allSatisfy { $0.context == nil })
    #expect(start.features == nil)
    let delayed = try DelayedEnvironment { ($0.environment, $0.steps) = (environment, 1) }
    #expect(more.warmStart(for: delayed).warmStart.features != nil)
  }

  @Test(
    "queries that cannot be answered are refused with a reason",
    arguments: [
      ("features=number(age),context=age", "both context and features"),
      ("model=linear", "needs features"), ("features=number(age),model=liner", "\"liner\""),
      ("features=size(age)", "size"), ("features=number(height)", "attribute \"height\""),
      ("features=number(age)+one-hot(features.color)", "attribute \"color\""),
      ("features=number(age),variants=a;x", "variant \"x\""),
    ])
  func refused(parameters: String, reason: String) throws {
    let log = try WorldLog(Self.events)
    let error = #expect(throws: SpecificationError.self) {
      try LogReplay(log.reader).environment(query("log:path=here,experiment=e," + parameters))
    }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "none")")
  }
}
