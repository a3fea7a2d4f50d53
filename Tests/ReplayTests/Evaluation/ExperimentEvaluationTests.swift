import Bandits
import Events
import TestSupport
import Testing

@testable import EventLog
@testable import OffPolicy
@testable import Replay
@testable import Specifications
@testable import Statistics

@Suite("Evaluation of several experiments")
struct ExperimentEvaluationTests {
  /// Random events of some experiments, of which one has no decision.
  private static func events(_ random: inout SeededGenerator) -> [Event] {
    var events: [(time: Int64, event: Event)] = []
    for experiment in 0..<1 + random.index(6) {
      let own = random.chance(0.7) ? eventsOfSingles(&random) : SmallWorld.situations(&random)
      // Units of one experiment, or of several.
      let prefix = random.chance(0.3) ? "x\(experiment)" : ""
      for event in own {
        var event = moved(event, to: ExperimentID("e\(experiment)"))
        event.unit = UnitID(prefix + event.unit.rawValue)
        events.append((event.time.microseconds + Int64(random.index(6)), event))
      }
    }
    if random.chance(0.5) { events.append((5, goal(5, "u1", 1, experiment: "without"))) }
    return events.enumerated().sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }.map(\.1.event)
  }

  /// Returns an event of the first of two experiments as one of another experiment.
  private static func moved(_ event: Event, to experiment: ExperimentID) -> Event {
    var event = event
    switch event.payload {
    case .decision(var decision) where decision.experiment == "e0":
      decision.experiment = experiment
      event.payload = .decision(decision)
    case .goal(var goal) where goal.experiment == "e0":
      goal.experiment = experiment
      event.payload = .goal(goal)
    case .decisionConfirmed(var confirmed) where confirmed.experiment == "e0":
      confirmed.experiment = experiment
      event.payload = .decisionConfirmed(confirmed)
    default: break
    }
    return event
  }

  /// A random part of a log.
  private static func selection(_ random: inout SeededGenerator) -> UnitSelection {
    var selection = UnitSelection()
    if random.chance(0.3) { selection.since = Int64(random.index(20)) }
    if random.chance(0.3) { selection.until = Int64(10 + random.index(30)) }
    if random.chance(0.1) { selection.from = UInt64(random.index(30)) }
    return selection
  }

  /// Random plans that read the same of the log.
  private static func plans(_ random: inout SeededGenerator) throws -> [OffPolicyPlan] {
    var plan = try SingleUnitEvaluationTests.plan(&random)
    if random.chance(0.2) {
      plan.learningPolicies = [try ReplayedPolicy(Specification(parsing: "epsilon-greedy"))]
      plan.runs = 2
    }
    guard random.chance(0.3) else { return [plan] }
    var other = plan
    other.attribution.window = random.chance(0.5) ? 2 : plan.attribution.window
    other.learningPolicies = []
    return [plan, other]
  }

  private static func contents(_ evaluations: [Evaluation]) throws -> [[UInt8]] {
    try evaluations.flatMap { evaluation in
      let texts = ["\(evaluation.experiment)"] + evaluation.learningPolicies.map { "\($0)" }
      return try texts.map { Array($0.utf8) } + SingleUnitEvaluationTests.contents(evaluation)
    }
  }

  @Test(
    "is that of each of them alone, whatever the threads", arguments: LongTests.chunks(4, of: 60))
  func alone(part: UInt64) throws {
    for seed in part * 24..<part * 24 + 24 {
      var random = SeededGenerator(seed: seed)
      let plans = try Self.plans(&random)
      let log = try WorldLog(
        Self.events(&random), perFrame: [1_000, 50, 7, 1][random.index(4)])
      let own = random.chance(0.5)
      let selection = Self.selection(&random)
      let experiments = log.names.texts(.experiments).filter { _ in random.chance(0.9) }
        .compactMap { name in
          log.names.code(of: name, in: .experiments).map { code in
            var times = own ? Self.selection(&random) : selection
            if random.chance(0.9) { times.from = selection.from }
            return PlannedExperiment(times, code, plans)
          }
        }
      let expected = try experiments.map {
        try Self.contents(LogReplay(log.reader, jobs: 1).evaluate([$0])[0])
      }
      for (jobs, memory) in [(1, nil), (2, nil), (7, nil), (2, 100)] {
        let replay = LogReplay(log.reader, jobs: jobs, memoryLimit: memory)
        let found = try replay.evaluate(experiments).map(Self.contents)
        #expect(found == expected, "seed \(seed), \(jobs) jobs, \(memory ?? 0) bytes")
      }
    }
  }

  @Test("is that of a log without other units, of which there may be many", arguments: 0..<6)
  func fewUnits(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let own = eventsOfSingles(&random)
    let others = (0..<4_000).map { decision(0, "other\($0)", "a", experiment: "e1", propensity: 0.5) }
    let plan = try SingleUnitEvaluationTests.plan(&random)
    func contents(_ events: [Event], jobs: Int) throws -> [[[UInt8]]] {
      let log = try WorldLog(events, perFrame: 1_500)
      let experiments = log.names.texts(.experiments).sorted().compactMap { name in
        log.names.code(of: name, in: .experiments).map {
          PlannedExperiment(UnitSelection(), $0, [plan])
        }
      }
      return try LogReplay(log.reader, jobs: jobs).evaluate(experiments).map {
        try SingleUnitEvaluationTests.contents($0[0])
      }
    }
    let expected = try contents(own, jobs: 1)
    for jobs in [1, 3] {
      #expect(try contents(own + others, jobs: jobs)[0] == expected[0], "\(jobs) jobs")
    }
  }

  @Test("counts conversions, which belong to no experiment, in each of them", arguments: [1, 3])
  func conversions(jobs: Int) throws {
    var events: [Event] = []
    for experiment: ExperimentID in ["e1", "e2"] {
      events.append(decision(1, "u1", "a", experiment: experiment, propensity: 0.5))
      events.append(decision(1, "u2", "b", experiment: experiment, propensity: 0.5))
    }
    events += [conversion(2, "u1", revenue: 10), conversion(3, "u2", revenue: 20)]
    let log = try WorldLog(events, perFrame: 2)
    var plan = try OffPolicyPlan.tabular(
      policies: [UniformTarget()], estimators: [InversePropensity()], intervals: [])
    plan.attribution.metric = try RewardMetric(parsing: "revenue")
    let experiments = ["e1", "e2"].map { name in
      PlannedExperiment(
        UnitSelection(), log.names.code(of: name, in: .experiments), [plan])
    }
    let replay = LogReplay(log.reader, jobs: jobs)
    let expected = try experiments.map { try Self.contents(replay.evaluate([$0])[0]) }
    #expect(try replay.evaluate(experiments).map(Self.contents) == expected)
    #expect(try replay.evaluate(experiments).allSatisfy { $0[0].rewards.creditedGoals == 2 })
  }

  @Test("of which one cannot be evaluated gives the error of the first one")
  func errors() throws {
    var events: [Event] = []
    for experiment in ["good", "bad", "worse"] {
      for unit in 0..<20 {
        var shown = Decision(
          experiment: ExperimentID(experiment), variant: "a", choices: ["a", "b"], propensity: 0.5)
        shown.context = experiment == "good" ? ["age": .number(Double(unit))] : nil
        events.append(event(Int64(unit), "u\(unit)", .decision(shown)))
      }
    }
    let log = try WorldLog(events, perFrame: 9)
    var plan = try OffPolicyPlan.tabular(
      policies: [UniformTarget()], estimators: [InversePropensity()], intervals: [])
    plan.features = try FeatureSpecification(parsing: "number(age)")
    let experiments = ["good", "bad", "worse"].map { name in
      PlannedExperiment(
        UnitSelection(), log.names.code(of: name, in: .experiments), [plan])
    }
    for jobs in [1, 3] {
      let error = #expect(throws: SpecificationError.self) {
        try LogReplay(log.reader, jobs: jobs).evaluate(experiments)
      }
      #expect(error?.description.contains("bad") == true)
    }
  }
}
