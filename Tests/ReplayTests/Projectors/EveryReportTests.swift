import EventLog
import Events
import Specifications
import Statistics
import TestSupport
import Testing

@testable import Replay

/// Every report over the same random logs: wherever two of them show units, exposures, credited goals or converters, they
/// agree with each other, and with a naive model of the rules that they share.
@Suite("Every report follows the same rules")
struct EveryReportTests {
  private static let ever: Int64 = 1 << 60

  /// What the projectors of all reports computed.
  private struct Results {
    var rewards: RewardTallies
    var series: SeriesTallies
    var adaptive: RewardLedger
    var metrics: MetricTallies
    var conversions: [ConversionSource: ConversionTallies]
    var quantiles: [ConversionSource: QuantileTallies]
    var health: HealthTallies
    var visits: VisitTallies
    var funnel: FunnelTallies
    var retention: RetentionTallies
  }

  private static let metrics: [Metric] = [
    Metric(.goals), Metric(.conversions), Metric(.converted),
    Metric(Metric.Term(.converted, goal: "c")),
    Metric(Metric.Term(.goals, goal: "g")), Metric(.reward),
  ]

  /// A random log and how it is read.
  private struct World: CustomStringConvertible {
    var seed: UInt64
    var events: [Event]
    var since: Int64?
    var attribution: Attribution
    var form: ReplayForm

    init(_ seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      self.seed = seed
      events = SmallWorld.events(&random, count: 120, namesPlaces: true)
      since = random.chance(0.4) ? Int64(random.index(8)) : nil
      attribution = SmallWorld.attribution(&random)
      attribution.rule = random.pick(Attribution.Rule.allCases, or: .last)
      form = ReplayForm.all[seed % 4 == 0 ? Int(seed / 4) % ReplayForm.all.count : 0]
    }

    var description: String {
      "seed \(seed), \(form), since \(since.map(String.init) ?? "ever"), \(attribution)"
    }
  }

  @Test(
    "units, exposures, credited goals and converters agree",
    arguments: LongTests.twins)
  func random(seed: UInt64) throws {
    let world = World(seed)
    let log = try WorldLog(world.events, perFrame: world.form.perFrame)
    let results = try run(world, log)
    let rules = NaiveRules(world.events, since: world.since, world.attribution)
    let plain = NaiveRules(
      world.events, since: world.since,
      Attribution(crossing: world.attribution.crossing).limited(to: world.attribution.window))
    expectUnits(results, rules, plain, log, world)
    expectRewards(results, rules, log, world)
    expectComparison(results, rules, log, world)
    expectConversions(results, rules, log, world)
    expectFollowing(results, plain, log, world)
  }

  @Test("a unit with a decision before --since is exposed at the repeated decision after it")
  func repeatedSince() throws {
    var world = World(0)
    world.events = [
      decision(1, "u", "a"), decision(5, "u", "a", status: .repeated), conversion(6, "u"),
      goal(6, "u", 1),
    ]
    world.since = 3
    world.attribution = Attribution()
    let log = try WorldLog(world.events)
    let results = try run(world, log)
    #expect(log.named(results.metrics.segments).values.map(\.units) == [1])
    #expect(log.named(results.visits.segments).values.map(\.units) == [1])
    #expect(log.named(results.funnel.segments).values.map(\.units) == [1])
    #expect(log.named(results.retention.segments).values.map { $0[0].returned } == [1])
    #expect(log.named(results.health.exposures).values.map(\.first.units) == [1])
    for source in ConversionSource.allCases {
      #expect(results.conversions[source]?.units.map(\.value) == [1])
      #expect(results.conversions[source]?.ledger[.counted] == 1)
      #expect(results.quantiles[source]?.segments.map(\.value.units) == [1])
    }
    #expect(results.rewards.segments.isEmpty)
    #expect(results.rewards.ledger.orphanGoals == 1)
  }

  private func run(_ world: World, _ log: WorldLog) throws -> Results {
    let attribution = world.attribution
    var last = attribution
    last.rule = .last
    var selection = UnitSelection()
    selection.since = world.since
    let window = attribution.window
    let (
      rewards, series, adaptive, metrics, conversions, goals, values, goalValues, health, visits,
      funnel, retention
    ) = try world.form.replay(log).run(
      selection, units: RewardProjector(attribution), SeriesProjector(last),
      CreditedDecisionProjector(attribution, .probabilities, grouped: true),
      MetricProjector(Self.metrics, names: log.names, attribution: attribution),
      ConversionProjector(attribution), ConversionProjector(attribution, of: .goals),
      QuantileProjector(attribution), QuantileProjector(attribution, of: .goals),
      HealthProjector(), VisitProjector(inactivity: .max, crossing: attribution.crossing),
      FunnelProjector(
        steps: [log.names.code(of: "c", in: .goals)], window: window,
        crossing: attribution.crossing),
      RetentionProjector(
        days: [0], signal: .conversions, windowDays: 1_000_000, end: Self.ever,
        crossing: attribution.crossing))
    return Results(
      rewards: rewards, series: series, adaptive: adaptive.units.ledger, metrics: metrics,
      conversions: [.conversions: conversions, .goals: goals],
      quantiles: [.conversions: values, .goals: goalValues], health: health, visits: visits,
      funnel: funnel, retention: retention)
  }

  // MARK: Units and exposures

  private func expectUnits(
    _ results: Results, _ rules: NaiveRules, _ plain: NaiveRules, _ log: WorldLog, _ world: World
  ) {
    let assigned = count(rules.histories.flatMap { rules.assigned($0) }.map(\.arm))
    #expect(log.named(results.metrics.segments).mapValues(\.units) == assigned, "\(world)")
    let crossed = rules.histories.flatMap { rules.first($0) }.count(where: \.isCrossed)
    let dropped = world.attribution.crossing == .drop ? crossed : 0
    #expect(results.metrics.ledger.assigned.droppedAssignments == dropped, "\(world)")
    for tallies in results.conversions.values {
      #expect(tallies.ledger.assigned.droppedAssignments == dropped, "\(world)")
      #expect(
        tallies.ledger.assigned.countedAssignments == results.metrics.ledger.assigned.countedAssignments, "\(world)")
      #expect(
        tallies.ledger.assigned.inProgressAssignments == results.metrics.ledger.assigned.inProgressAssignments,
        "\(world)")
      #expect(tallies.ledger.assigned.exposures == rules.exposures.count, "\(world)")
    }
    let ofPlain = count(plain.histories.flatMap { plain.assigned($0) }.map(\.arm))
    #expect(log.named(results.visits.segments).mapValues(\.units) == ofPlain, "\(world)")
    #expect(log.named(results.funnel.segments).mapValues(\.units) == ofPlain, "\(world)")
    #expect(log.named(results.retention.segments).mapValues { $0[0].units } == ofPlain, "\(world)")
    let first = plain.histories.flatMap { plain.first($0) }
    let health = log.named(results.health.exposures)
    #expect(health.mapValues(\.first.units) == count(first.map(\.arm)), "\(world)")
    #expect(
      health.values.reduce(0) { $0 + $1.first.crossedUnits } == first.count(where: \.isCrossed),
      "\(world)")
    let ledger = results.visits.ledger
    #expect(results.funnel.ledger == ledger && results.retention.ledger == ledger, "\(world)")
    #expect(
      ledger.confirmedDecisions + ledger.repeatedDecisions == plain.exposures.count, "\(world)")
    #expect(ledger.exposedUnits == results.health.units.exposedUnits, "\(world)")
  }

  // MARK: Rewards of decisions

  private func expectRewards(
    _ results: Results, _ rules: NaiveRules, _ log: WorldLog, _ world: World
  ) {
    var last = rules
    last.attribution.rule = .last
    #expect(log.named(results.rewards.segments).mapValues(Row.init) == rewards(rules), "\(world)")
    let ofSeries = log.named(results.series.segments).mapValues { periods in
      periods.values.reduce(into: SeriesTally()) { $0.merge($1) }
    }
    let expected = rewards(last)
    #expect(ofSeries.mapValues(\.decisions) == expected.mapValues(\.decisions), "\(world)")
    #expect(ofSeries.mapValues(\.rewards) == expected.mapValues(\.rewards), "\(world)")
    #expect(ofSeries.mapValues(\.rewardSum.value) == expected.mapValues(\.sum), "\(world)")
    #expect(results.series.ledger == results.rewards.ledger, "\(world)")
    #expect(results.adaptive == results.rewards.ledger, "\(world)")
    #expect(results.rewards.ledger.creditedGoals == credited(rules), "\(world)")
    let experiments = results.health.experiments.values
    if world.attribution.end == nil {
      #expect(
        experiments.reduce(0) { $0 + $1.orphanGoals } == results.rewards.ledger.orphanGoals,
        "\(world)")
    }
  }

  private func credited(_ rules: NaiveRules) -> Int {
    rules.histories.reduce(0) { sum, history in
      let decisions = rules.decisions(history)
      return Set(decisions.map(\.arm.experiment)).reduce(sum) {
        $0 + rules.credited(history, .goals, $1, to: decisions).count
      }
    }
  }

  private func rewards(_ rules: NaiveRules) -> [ArmName: Row] {
    var rows: [ArmName: Row] = [:]
    var parts: [ArmName: [Double]] = [:]
    for history in rules.histories {
      let decisions = rules.decisions(history)
      for (arm, own) in Dictionary(grouping: decisions, by: \.arm) {
        rows[arm, default: Row(decisions: 0, units: 0, rewards: 0, sum: 0)].decisions += own.count
        rows[arm]?.units += 1
      }
      for experiment in Set(decisions.map(\.arm.experiment)) {
        for goal in rules.credited(history, .goals, experiment, to: decisions) {
          let value = goal.event.goal(of: experiment)?.value ?? .nan
          for there in Dictionary(grouping: goal.targets, by: \.arm.place).values {
            let chosen =
              switch rules.attribution.rule {
              case .last: there.suffix(1)
              case .first: there.prefix(1)
              case .all, .linear: there[...]
              }
            let part = rules.attribution.rule == .linear ? Double(chosen.count) : 1
            for target in chosen {
              rows[target.arm]?.rewards += 1
              parts[target.arm, default: []].append(value / part)
            }
          }
        }
      }
    }
    for (arm, parts) in parts { rows[arm]?.sum = ExactSum(parts).value }
    return rows
  }

  // MARK: Goals and converters of units

  /// What counts for a unit at each place, of goals and conversions.
  private func counted(
    _ history: [NaiveEvent], _ rules: NaiveRules
  ) -> (all: [NaiveRules.Credited], byTarget: [NaiveRules.Target: [NaiveEvent]]) {
    let targets = rules.assigned(history)
    var all: [NaiveRules.Credited] = []
    var byTarget: [NaiveRules.Target: [NaiveEvent]] = [:]
    for experiment in Set(targets.map(\.arm.experiment)) {
      for source in ConversionSource.allCases {
        let credited = rules.credited(history, source, experiment, to: targets)
        all += credited
        for goal in credited {
          for target in goal.targets { byTarget[target, default: []].append(goal.event) }
        }
      }
    }
    return (all, byTarget)
  }

  private func expectComparison(
    _ results: Results, _ rules: NaiveRules, _ log: WorldLog, _ world: World
  ) {
    var sums: [ArmName: [Double]] = [:]
    for history in rules.histories {
      let byTarget = counted(history, rules).byTarget
      for target in rules.assigned(history) {
        let events = byTarget[target] ?? []
        let goals = events.compactMap { $0.goal(of: target.arm.experiment) }
        let own: [Double] = [
          Double(goals.count), Double(events.count - goals.count),
          events.contains(where: \.isConverting) ? 1 : 0,
          events.contains { $0.conversion == "c" } ? 1 : 0,
          Double(goals.count { $0.name == "g" }), goals.reduce(0) { $0 + $1.value },
        ]
        sums[target.arm] = zip(sums[target.arm] ?? own.map { _ in 0 }, own).map { $0 + $1 }
      }
    }
    let named = log.named(results.metrics.segments)
    #expect(named.mapValues { $0.metrics.map(\.moments.sum) } == sums, "\(world)")
    #expect(
      named.mapValues { $0.metrics[2].converters } == sums.mapValues { Int($0[2]) }, "\(world)")
  }

  private func expectConversions(
    _ results: Results, _ rules: NaiveRules, _ log: WorldLog, _ world: World
  ) {
    for (source, tallies) in results.conversions {
      var units: [[String]: Int] = [:]
      var counted: [[String]: Int] = [:]
      var converters: [[String]: Int] = [:]
      var total = 0
      for history in rules.histories {
        let targets = rules.assigned(history)
        for experiment in Set(targets.map(\.arm.experiment)) {
          let own = targets.filter { $0.arm.experiment == experiment }
          for target in NaiveRules.earliestOfVariants(own) {
            units[[experiment, target.arm.variant], default: 0] += 1
          }
          let credited = rules.credited(
            history, source, experiment, to: own, pick: NaiveRules.earliestOfVariants)
          if source == .goals { total += credited.count }
          var converted: Set<[String]> = []
          for goal in credited {
            for target in goal.targets {
              let name = goal.event.signal(source, of: experiment)?.name ?? ""
              counted[[experiment, target.arm.variant, name], default: 0] += 1
              guard goal.event.isConverting else { continue }
              converted.insert([experiment, target.arm.variant, name])
            }
          }
          for key in converted { converters[key, default: 0] += 1 }
        }
      }
      expect(tallies, units, counted, converters, log, world)
      #expect(results.quantiles[source]?.ledger == tallies.ledger, "\(world)")
      #expect(results.quantiles[source]?.segments.mapValues(\.units) == tallies.units, "\(world)")
      if source == .goals { #expect(tallies.ledger[.counted] == total, "\(world)") }
    }
  }

  private func expect(
    _ tallies: ConversionTallies, _ units: [[String]: Int], _ counted: [[String]: Int],
    _ converters: [[String]: Int], _ log: WorldLog, _ world: World
  ) {
    for (segment, number) in tallies.units {
      let key = [log.experiment(segment.experiment), log.variant(segment.variant)]
      #expect(number == units[key] ?? 0, "\(world)")
      for goal in tallies.goals(of: segment.experiment) {
        let tally = tallies.tally(segment, goal: goal)
        let key = key + [log.goal(goal)]
        #expect(tally.conversions == counted[key] ?? 0, "\(key), \(world)")
        #expect(tally.converters == converters[key] ?? 0, "\(key), \(world)")
      }
    }
    #expect(
      Set(units.keys).isSubset(
        of: tallies.units.keys.map {
          [log.experiment($0.experiment), log.variant($0.variant)]
        }))
  }

  // MARK: What follows the first exposure

  private func expectFollowing(
    _ results: Results, _ plain: NaiveRules, _ log: WorldLog, _ world: World
  ) {
    var ever = plain
    ever.attribution = plain.attribution.limited(to: nil)
    let withGoal = converters(ever) { $0.isConverting }
    let returned = converters(ever) { $0.conversion != nil }
    let reached = converters(plain) { $0.conversion == "c" }
    #expect(
      log.named(results.visits.segments).mapValues(\.withGoal).filter { $0.value > 0 } == withGoal,
      "\(world)")
    #expect(
      log.named(results.retention.segments).mapValues { $0[0].returned }.filter { $0.value > 0 }
        == returned, "\(world)")
    #expect(
      log.named(results.funnel.segments).mapValues { $0.reached(0) }.filter { $0.value > 0 }
        == reached, "\(world)")
  }

  /// How many units of each arm have a goal or conversion that counts and is one of those.
  private func converters(
    _ rules: NaiveRules, _ isOne: (NaiveEvent) -> Bool
  ) -> [ArmName: Int] {
    count(
      rules.histories.flatMap { history in
        counted(history, rules).byTarget.filter { $0.value.contains(where: isOne) }.map(\.key.arm)
      })
  }

  private func count(_ arms: [ArmName]) -> [ArmName: Int] {
    Dictionary(arms.map { ($0, 1) }, uniquingKeysWith: +)
  }
}

extension Row {
  init(_ tally: RewardTally) {
    self.init(
      decisions: tally.decisions, units: tally.units, rewards: tally.rewards,
      sum: tally.total.value)
  }
}
