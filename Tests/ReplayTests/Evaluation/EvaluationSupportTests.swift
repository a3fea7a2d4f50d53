import Bandits
import Events
import Specifications
import Statistics
import TestSupport
import Testing

@testable import EventLog
@testable import OffPolicy
@testable import Replay

/// The support of a log for a policy by the words of its definition, for one experiment.
private struct NaiveSupport {
  struct Row {
    var place: [String]
    var variant: String
    var choices: [String]
    var isListed: Bool
    var logged: [Double]?
    var propensity: Double
    var reward: Double
  }

  var rows: [Row] = []

  init(_ events: [Event], experiment: String) {
    for counted in NaiveRewards(events).decisions where counted.key.experiment == experiment {
      let choices = counted.decision.choices?.map(\.rawValue) ?? []
      let chosen = choices.firstIndex(of: counted.key.variant)
      guard let propensity = counted.propensity, choices.isEmpty || chosen != nil else { continue }
      // Probabilities that rule out what was chosen cannot be right.
      let logged = counted.decision.probabilities.flatMap { probabilities in
        chosen.flatMap { probabilities[$0] > 0 ? probabilities : nil }
      }
      rows.append(
        Row(
          place: [counted.key.point, counted.key.slot], variant: counted.key.variant,
          choices: choices, isListed: !choices.isEmpty, logged: logged, propensity: propensity,
          reward: counted.sum))
    }
    for index in rows.indices where rows[index].choices.isEmpty {
      rows[index].choices = chosen(at: rows[index].place).sorted()
    }
  }

  func chosen(at place: [String]) -> Set<String> {
    Set(rows.filter { $0.place == place }.map(\.variant))
  }

  func hasSupport(_ variant: String, _ row: Row) -> Bool {
    if let logged = row.logged, let index = row.choices.firstIndex(of: variant) {
      return logged[index] > 0
    }
    return chosen(at: row.place).contains(variant)
  }
}

@Suite("Support of a log for policies")
struct EvaluationSupportTests {
  /// Events whose decisions have probabilities, some of them zero.
  private static func events(_ random: inout SeededGenerator, count: Int = 150) -> [Event] {
    SmallWorld.changingDecisions(SmallWorld.situations(&random, count: count)) { decision in
      guard let choices = decision.choices, random.chance(0.6) else { return }
      decision.probabilities = (0..<choices.count).map { $0 == 0 ? 0.75 : 0 }
      decision.probabilities?[choices.count - 1] = 0.25
    }
  }

  private static func plan(_ policies: [String], versus: Int? = nil) throws -> OffPolicyPlan {
    var plan = OffPolicyPlan(
      policies: try policies.map {
        try TargetPolicyCatalog.standard.named($0) { _ throws(SpecificationError) in
          "device,variant,probability\ntv,v0,1\n2,v1,1\n"
        }
      }, estimators: try ["ips", "snips"].map { try EstimatorCatalog.standard.named($0) },
      rewardModel: TabularRewards())
    plan.versus = versus
    return plan
  }

  private static func uniform(_ row: NaiveSupport.Row) -> [String: Double] {
    Dictionary(row.choices.map { ($0, 1 / Double(row.choices.count)) }) { $1 }
  }

  private static func fixed(_ row: NaiveSupport.Row) -> [String: Double] {
    row.choices.contains("v1") ? ["v1": 1] : [:]
  }

  @Test(
    "is that of the definition, for any order and number of threads",
    arguments: LongTests.twins)
  func support(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = Self.events(&random)
    let naive = NaiveSupport(events, experiment: "e0")
    for form in ReplayForm.all {
      let log = try WorldLog(events, perFrame: form.perFrame)
      guard let experiment = log.names.code(of: "e0", in: .experiments) else { return }
      let evaluation = try form.replay(log).evaluate(
        UnitSelection(), experiment: experiment, Self.plan(["uniform", "fixed:variant=v1"]))
      for (tally, policy) in zip(evaluation.policies, [Self.uniform, Self.fixed]) {
        // A policy of which the experiment has no variant is not judged.
        guard !tally.isAbsent else {
          let isNamed = naive.rows.contains { !policy($0).isEmpty }
          #expect(tally.support.decisions == 0 && !isNamed, "seed \(seed)")
          continue
        }
        var (without, lacking) = (0.0, 0)
        for row in naive.rows {
          let targets = policy(row)
          let lost = targets.filter { !naive.hasSupport($0.key, row) }.values.reduce(0, +)
          let beside = 1 - targets.values.reduce(0, +)
          without += lost + (beside > 1e-9 ? beside : 0)
          lacking += lost + beside > 1e-9 ? 1 : 0
        }
        #expect(tally.support.decisions == naive.rows.count, "seed \(seed)")
        #expect(tally.support.decisionsWithoutSupport == lacking, "seed \(seed)")
        #expect(abs(tally.support.targetWithoutSupport - without) < 1e-9, "seed \(seed)")
        expectCells(tally.support, evaluation, naive, log, policy, seed)
      }
      expectPropensities(evaluation, naive, seed)
    }
  }

  private func expectCells(
    _ support: SupportTally, _ evaluation: Evaluation, _ naive: NaiveSupport, _ log: WorldLog,
    _ policy: (NaiveSupport.Row) -> [String: Double], _ seed: UInt64
  ) {
    for (key, cell) in support.cells {
      let names = evaluation.places[Int(key.place)]
      let variant = log.names.string(key.variant, in: .variants) ?? ""
      let offered = naive.rows.filter {
        $0.place == [names.point, names.slot] && $0.choices.contains(variant)
      }
      let own = offered.filter { $0.variant == variant }
      #expect(cell.offered == offered.count && cell.decisions == own.count, "seed \(seed)")
      let target = offered.reduce(0) { $0 + (policy($1)[variant] ?? 0) }
      let weight = own.reduce(0) { $0 + (policy($1)[variant] ?? 0) / $1.propensity }
      #expect(abs(cell.target - target) < 1e-9 && abs(cell.weight - weight) < 1e-9, "seed \(seed)")
    }
  }

  private func expectPropensities(
    _ evaluation: Evaluation, _ naive: NaiveSupport, _ seed: UInt64
  ) {
    let decisions = evaluation.logging.places.reduce(0) { $0 + $1.inverses.count }
    #expect(decisions == naive.rows.count, "seed \(seed)")
    for (number, place) in evaluation.logging.places.enumerated() {
      // The places of other experiments have none.
      guard place.inverses.count > 0 else { continue }
      let names = evaluation.places[number]
      let rows = naive.rows.filter { $0.place == [names.point, names.slot] }
      #expect(place.inverses.count == rows.count, "seed \(seed)")
      let count = Double(rows.count)
      let mean = rows.reduce(0) { $0 + 1 / $1.propensity } / count
      let choices =
        rows.reduce(0) { $0 + Double($1.logged.map { $0.count { $0 > 0 } } ?? $1.choices.count) }
        / count
      #expect(abs((place.inverses.mean ?? 0) - mean) < 1e-9, "seed \(seed)")
      #expect(abs((place.meanChoices ?? 0) - choices) < 1e-9, "seed \(seed)")
      #expect(
        place.statistic.map { ($0 > 0) == (mean > choices) || abs(mean - choices) < 1e-9 } ?? true,
        "seed \(seed)")
      let found = evaluation.logging.variants.filter { Int($0.key.place) == number }
      #expect(
        found.values.map(\.distinct).sorted()
          == Dictionary(grouping: rows, by: \.variant).values.map {
            Set($0.map(\.propensity)).count
          }.sorted(), "seed \(seed)")
    }
  }

  @Test(
    "differences are those of the decisions that both policies decide", arguments: UInt64(0)..<40)
  func differences(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = Self.events(&random)
    let log = try WorldLog(events)
    guard let experiment = log.names.code(of: "e0", in: .experiments) else { return }
    let evaluation = try LogReplay(log.reader).evaluate(
      UnitSelection(), experiment: experiment,
      Self.plan(["uniform", "fixed:variant=v1", "table:path=t.csv"], versus: 1))
    let values = evaluation.policies.map { $0.estimates.map(\.sums.value) }
    #expect(evaluation.policies[1].differences.allSatisfy { $0 == nil })
    for estimator in 0..<2 {
      let difference = try #require(evaluation.policies[0].differences[estimator])
      // Both decide everywhere.
      #expect(difference.count == evaluation.ledger.decisions)
      if let a = values[0][estimator], let b = values[1][estimator] {
        #expect(abs(try #require(difference.value) - (a - b)) < 1e-12, "seed \(seed)")
      }
      let table = try #require(evaluation.policies[2].differences[estimator])
      #expect(table.count == evaluation.policies[2].weights.count, "seed \(seed)")
    }
  }

  @Test("periods are the same for any order and number of threads", arguments: UInt64(0)..<20)
  func periods(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    // A day between moments, so that there are several periods.
    let events = Self.events(&random).map { event in
      var event = event
      event.time = Timestamp(microseconds: event.time.microseconds * 86_400_000_000)
      return event
    }
    var plan = try Self.plan(["uniform"])
    plan.divides = true
    var first: [Int64: PeriodTally]?
    for form in ReplayForm.all {
      let log = try WorldLog(events, perFrame: form.perFrame)
      guard let experiment = log.names.code(of: "e0", in: .experiments) else { return }
      let evaluation = try form.replay(log).evaluate(
        UnitSelection(), experiment: experiment, plan)
      let tallies = evaluation.policies[0].periods
      #expect(tallies.values.reduce(0) { $0 + $1.decisions } == evaluation.ledger.decisions)
      if let first { #expect(tallies == first, "seed \(seed), \(form)") }
      first = tallies
    }
  }

  @Test("periods are whole, at most 60, and of the shortest length with which they are")
  func lengths() {
    let day: Int64 = 86_400_000_000
    for (span, length) in [
      (0, 60_000_000), (59 * 60_000_000, 60_000_000), (2 * day, 3_600_000_000), (59 * day, day),
      (61 * day, 7 * day), (500 * day, 28 * day), (30 * 365 * day, 364 * day),
    ] as [(Int64, Int64)] {
      let start = 20_000 * day
      let periods = EvaluationPeriods(start...start + span)
      #expect(periods.length == length, "\(span / day) days")
      #expect(periods.index(of: start + span) - periods.index(of: start) < 60)
    }
    let weeks = EvaluationPeriods(0...100 * day)
    #expect(weeks.start(weeks.index(of: 0)).description.hasPrefix("1969-12-29"))
    let all = EvaluationPeriods(.min ... .max)
    #expect(all.index(of: .max) - all.index(of: .min) < 60)
  }

  @Test("distinct propensities are counted up to a limit, however parts are merged")
  func distinct() {
    var (whole, left, right) = (LoggingTally(), LoggingTally(), LoggingTally())
    for index in 0..<1_500 {
      let row = CreditedDecision(
        index: 0, place: 0, variant: 3, situation: 0, probabilities: nil,
        propensity: 1 / Double(index + 1), reward: 0, time: 0)
      whole.add(row, choices: 2, times: 1)
      if index % 2 == 0 {
        left.add(row, choices: 2, times: 1)
      } else {
        right.add(row, choices: 2, times: 1)
      }
    }
    left.merge(right)
    #expect(left.variants == whole.variants)
    #expect(whole.variants.values.first?.distinct == LoggingTally.mostDistinct)
  }

  @Test("the true values of experiments are those of each of them alone", arguments: UInt64(0)..<20)
  func truths(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = Self.events(&random)
    let bootstrap = try BootstrapInterval { $0.replicates = 20 }
    for form in ReplayForm.all {
      let log = try WorldLog(events, perFrame: form.perFrame)
      let replay = form.replay(log)
      let experiments = log.names.texts(.experiments).compactMap {
        log.names.code(of: $0, in: .experiments)
      }
      for metric in ["reward", "revenue"] {
        var attribution = Attribution()
        attribution.metric = try RewardMetric(parsing: metric)
        let truths = try replay.trueValues(
          experiments, attribution, bootstrap, ofWholeDecisions: false)
        let alone = try experiments.map {
          try replay.trueValue(experiment: $0, attribution, bootstrap)
        }
        for (truth, alone) in zip(truths, alone) {
          let about: Comment = "seed \(seed), \(form), \(metric)"
          #expect(truth.sums.count == alone.sums.count && truth.sums.units == alone.sums.units, about)
          #expect(truth.sums.value == alone.sums.value, about)
          #expect(truth.sums.standardError == alone.sums.standardError, about)
          #expect(truth.bootstrap?.replicates == alone.bootstrap?.replicates, about)
        }
      }
    }
  }

  @Test("the true value is the mean reward of all counted decisions", arguments: UInt64(0)..<20)
  func truth(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = Self.events(&random)
    let decisions = NaiveRewards(events).decisions.filter { $0.key.experiment == "e0" }
    for form in ReplayForm.all {
      let log = try WorldLog(events, perFrame: form.perFrame)
      guard let experiment = log.names.code(of: "e0", in: .experiments) else { return }
      let truth = try form.replay(log).trueValue(
        experiment: experiment, Attribution(), BootstrapInterval { $0.replicates = 50 })
      #expect(truth.sums.count == decisions.count, "seed \(seed)")
      #expect(truth.bootstrap?.replicates.count == 50)
      guard !decisions.isEmpty else { continue }
      let mean = decisions.reduce(0) { $0 + $1.sum } / Double(decisions.count)
      #expect(abs(try #require(truth.sums.value) - mean) < 1e-9, "seed \(seed)")
    }
  }
}
