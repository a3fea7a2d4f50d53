import Bandits
import EventLog
import Events
import Specifications
import Statistics
import TestSupport
import Testing

@testable import OffPolicy
@testable import Replay

@Suite("What makes up the reward of a decision")
struct RewardMetricTests {
  private static let texts = [
    "reward", "goals", "converted", "conversions", "revenue", "reward:goal=g", "goals:goal=h",
    "converted:goal=c", "conversions:goal=c", "revenue:goal=g", "converted:goal=g",
  ]

  @Test("has the words of metrics of units, but for ratios, decisions and visits")
  func words() throws {
    for text in Self.texts { #expect(try RewardMetric(parsing: text).description == text) }
    for text in ["decisions", "visits", "ratio:of=revenue,over=conversions"] {
      let error = #expect(throws: SpecificationError.self) { try RewardMetric(parsing: text) }
      #expect("\(try #require(error))".hasPrefix("\(text) is measured for units and not for decisions"))
    }
  }

  @Test("counts nothing in a log that does not have its goal")
  func unresolved() throws {
    var attribution = Attribution()
    attribution.metric = try RewardMetric(parsing: "reward:goal=g")
    let log = try WorldLog([decision(1, "u", "a"), goal(2, "u", 3)])
    for metric in [attribution.metric, attribution.metric.resolved(nil)] {
      attribution.metric = metric
      let tallies = try ReplayForm.all[0].replay(log).run(UnitSelection(), units: RewardProjector(attribution))
      #expect(tallies.segments.values.map(\.rewards) == [0])
      #expect(tallies.ledger.creditedGoals == 0 && tallies.ledger.orphanGoals == 0)
    }
  }

  @Test(
    "is credited as the rules say, and is the same in every report",
    arguments: LongTests.twins)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: 40_000 + seed)
    let events = SmallWorld.events(&random, count: 120, namesPlaces: true)
    let form = ReplayForm.all[seed % 4 == 0 ? Int(seed / 4) % ReplayForm.all.count : 0]
    let log = try WorldLog(events, perFrame: form.perFrame)
    var attribution = SmallWorld.attribution(&random)
    if random.chance(0.5) { attribution.conversionWindow = Int64(random.index(8)) }
    for text in Self.texts {
      let metric = try RewardMetric(parsing: text)
      attribution.rule = random.pick(Attribution.Rule.allCases, or: .last)
      if metric.isBinary, attribution.rule == .linear { attribution.rule = .all }
      attribution.metric = metric.resolved(
        metric.term.goal.flatMap { log.names.code(of: $0, in: .goals) })
      try expectSame(NaiveRules(events, attribution), form.replay(log), log, "seed \(seed), \(text)")
    }
  }

  private func expectSame(
    _ rules: NaiveRules, _ replay: LogReplay, _ log: WorldLog, _ context: String
  ) throws {
    let attribution = rules.attribution
    var last = rules
    last.attribution.rule = .last
    let (rewards, series) = try replay.run(
      UnitSelection(), units: RewardProjector(attribution), SeriesProjector(last.attribution))
    let expected = NaiveMetricRewards(rules)
    #expect(
      log.named(rewards.segments).mapValues { Sum($0.rewards, $0.total.value) } == expected.sums,
      "\(context), \(attribution)")
    #expect(
      log.named(rewards.segments).mapValues(\.perDecision.sum) == expected.perDecision,
      "\(context), \(attribution)")
    let ofSeries = log.named(series.segments).mapValues { periods in
      periods.values.reduce(into: SeriesTally()) { $0.merge($1) }
    }
    #expect(
      ofSeries.mapValues { Sum($0.rewards, $0.rewardSum.value) } == NaiveMetricRewards(last).sums,
      "\(context), series")
    let adaptive = try replay.adaptiveStreams(UnitSelection(), attribution)
    #expect(adaptive.ledger == rewards.ledger, "\(context), adaptive")
    let regret = try replay.regret(UnitSelection(), RegretRules(attribution))
    #expect(regret.ledger == rewards.ledger, "\(context), regret")
    try expectEvaluated(attribution, rewards, replay, log, context)
  }

  /// The mean reward of the logged policy is that of the decisions with a propensity.
  private func expectEvaluated(
    _ attribution: Attribution, _ rewards: RewardTallies, _ replay: LogReplay, _ log: WorldLog,
    _ context: String
  ) throws {
    let plan = OffPolicyPlan(
      policies: [UniformTarget()], estimators: [], intervals: [], rewardModel: TabularRewards(),
      attribution: attribution)
    var ledger = RewardLedger()
    for experiment in ["e0", "e1"].compactMap({ log.names.code(of: $0, in: .experiments) }) {
      let kept = try replay.evaluate(UnitSelection(), experiment: experiment, plan)
      let rows = try EvaluatedUnits(
        replay, plan.selection(UnitSelection(), experiment: experiment), plan.needs)
      let again = try PlannedEvaluation.evaluations([plan], rows)[0].evaluation
      #expect(kept.rewards == again.rewards, "\(context), evaluate")
      ledger.merge(kept.rewards)
    }
    guard !attribution.metric.needs.contains(.conversions) else { return }
    #expect(ledger.goals == rewards.ledger.goals, "\(context), evaluate")
  }
}

/// The number of rewards, and their sum.
private struct Sum: Equatable {
  var count: Int
  var sum: Double

  init(_ count: Int, _ sum: Double) { (self.count, self.sum) = (count, sum) }
}

/// The rewards of decisions by the words of their definition.
private struct NaiveMetricRewards {
  private(set) var sums: [ArmName: Sum] = [:]
  private(set) var perDecision: [ArmName: Double] = [:]

  init(_ rules: NaiveRules) {
    var parts: [ArmName: [[Double]]] = [:]
    for history in rules.histories {
      for (decision, own) in Self.parts(history, rules) {
        parts[decision.arm, default: []].append(own)
      }
    }
    for (arm, decisions) in parts {
      let all = decisions.flatMap { $0 }
      sums[arm] = Sum(all.count, ExactSum(all).value)
      perDecision[arm] = ExactSum(decisions.map { ExactSum($0).value }).value
    }
  }

  /// What is credited to each decision of a unit.
  private static func parts(
    _ history: [NaiveEvent], _ rules: NaiveRules
  ) -> [NaiveRules.Target: [Double]] {
    let decisions = rules.decisions(history)
    let term = rules.attribution.metric.term
    let sources: [ConversionSource] =
      switch term.count {
      case .converted: [.goals, .conversions]
      case .conversions, .revenue: [.conversions]
      default: [.goals]
      }
    var parts: [NaiveRules.Target: [Double]] = [:]
    for decision in decisions { parts[decision] = [] }
    for experiment in Set(decisions.map(\.arm.experiment)) {
      for source in sources {
        for credited in rules.credited(history, source, experiment, to: decisions) {
          guard let signal = credited.event.signal(source, of: experiment),
            term.goal.map({ $0 == signal.name }) ?? true
          else { continue }
          let isValue = term.count == .reward || term.count == .revenue
          if term.count == .converted, credited.event.isTakenBack { continue }
          for there in Dictionary(grouping: credited.targets, by: \.arm.place).values {
            let chosen = chosen(there, rules.attribution.rule)
            let share = rules.attribution.rule == .linear ? Double(chosen.count) : 1
            for target in chosen where !(term.count == .converted && parts[target] == [1]) {
              parts[target]?.append((isValue ? signal.value : 1) / share)
            }
          }
        }
      }
    }
    return parts
  }

  private static func chosen(
    _ targets: [NaiveRules.Target], _ rule: Attribution.Rule
  ) -> ArraySlice<NaiveRules.Target> {
    switch rule {
    case .last: targets.suffix(1)
    case .first: targets.prefix(1)
    case .all, .linear: targets[...]
    }
  }
}

extension NaiveEvent {
  fileprivate var isTakenBack: Bool {
    if case .conversion(let conversion) = payload { return conversion.takesBack }
    return false
  }
}
