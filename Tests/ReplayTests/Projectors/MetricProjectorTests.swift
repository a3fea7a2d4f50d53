import EventLog
import Events
import Specifications
import Statistics
import TestSupport
import Testing

@testable import Replay

@Suite("Metrics of units")
struct MetricProjectorTests {
  private static let minute: Int64 = 60_000_000

  // MARK: How metrics are written

  @Test(
    "the text of a metric parses to the same metric",
    arguments: [
      "reward", "reward:goal=g", "goals", "goals:goal=a b=c", "converted", "converted:goal=",
      "conversions:goal=x", "revenue", "decisions", "visits",
      "ratio:of=revenue:goal=g,over=conversions:goal=h", "ratio:of=reward,over=decisions",
    ])
  func reading(text: String) throws {
    #expect(try Metric(parsing: text).description == text)
  }

  @Test(
    "an invalid metric is refused, and the error lists the available ones",
    arguments: [
      ("", "no name"), ("clicks", #"unknown metric "clicks"; available: "reward", "goals""#),
      ("visits:goal=g", #"it takes "direction""#),
      ("reward:gaol=g", "did you mean \"goal\"?"), ("ratio", "ratio:of=METRIC"),
      ("ratio:of=revenue", "is incomplete"),
      ("ratio:of=revenue,over=ratio", #"unknown metric "ratio""#),
      ("reward:goal=a,b", "is not a parameter"),
    ])
  func refusing(text: String, reason: String) {
    do {
      let metric = try Metric(parsing: text)
      Issue.record("\(metric) was read")
    } catch {
      #expect(error.description.contains(reason), "\(error)")
    }
  }

  // MARK: Rules

  @Test(
    "a unit is assigned to the variant of its first exposure; one in several variants is excluded")
  func assignment() throws {
    let events = [
      decision(1, "u", "a"), goal(2, "u", 3), decision(3, "u", "a"), goal(4, "u", 4),
      decision(1, "v", "a"), decision(2, "v", "b"), goal(3, "v", 100),
      decision(1, "w", "b", status: .repeated), decision(1, "x", "b", status: .excluded),
      goal(5, "x", 100),
    ]
    let measured = try measure(events, ["reward"])
    #expect(measured.sums("a") == [7])
    #expect(measured.units("a") == 1)
    #expect(measured.sums("b") == [0])
    #expect(measured.units("b") == 1)
    #expect(measured.ledger.assigned.droppedAssignments == 1)
    #expect(measured.ledger.assigned.countedAssignments == 2)
    #expect(measured.ledger.assigned.excludedDecisions == 1)
    #expect(measured.ledger.countedGoals == 2)
    #expect(measured.ledger.uncountedGoals == 2)

    let kept = try measure(events, ["reward"]) { $0.attribution.crossing = .first }
    #expect(kept.sums("a") == [107])
    #expect(kept.units("a") == 2)
  }

  @Test("every metric has the value of its definition")
  func counts() throws {
    let minute = Self.minute
    let events = [
      decision(0, "u", "a"), goal(minute, "u", 2), goal(2 * minute, "u", nil, goal: "h"),
      conversion(3 * minute, "u", goal: "g", revenue: 10),
      conversion(4 * minute, "u", goal: "c", revenue: 4, negative: true),
      decision(5 * minute, "u", "a"), goal(36 * minute, "u", 1, experiment: "other"),
      conversion(67 * minute, "u", goal: "g"),
      decision(0, "v", "a"),
    ]
    let metrics = [
      "reward", "reward:goal=g", "goals", "goals:goal=h", "converted", "converted:goal=h",
      "conversions", "conversions:goal=g", "revenue", "revenue:goal=c", "decisions", "visits",
      "reward:goal=nobody",
    ]
    let measured = try measure(events, metrics)
    #expect(measured.sums("a") == [3, 2, 2, 1, 1, 1, 3, 2, 6, -4, 3, 4, 0])
    #expect(measured.tallies("a").map(\.converters) == [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 0])
    #expect(measured.units("a") == 2)
  }

  @Test("a goal or conversion before the exposure does not count, one of the same time does")
  func ties() throws {
    let measured = try measure(
      [
        goal(5, "u", 1), conversion(5, "u", revenue: 2), decision(5, "u", "a"), goal(5, "u", 4),
        conversion(4, "u", revenue: 8),
      ], ["reward", "revenue"])
    #expect(measured.sums("a") == [5, 2])
  }

  @Test("goals and conversions have separate windows; delay, bounds and limits apply to both")
  func windows() throws {
    let events = [
      decision(0, "u", "a"), goal(2, "u", 1), goal(10, "u", 2), goal(11, "u", 4),
      conversion(3, "u", revenue: 8), conversion(5, "u", revenue: 16),
      conversion(6, "u", revenue: 32),
    ]
    let plain = try measure(events, ["reward", "revenue"], conversionWindow: 5) {
      $0.attribution.window = 10
    }
    #expect(plain.sums("a") == [3, 24])
    let delayed = try measure(events, ["reward", "revenue"], conversionWindow: 3) {
      $0.attribution.delay = 3
    }
    #expect(delayed.sums("a") == [6, 56])
    let limited = try measure(events, ["reward", "revenue", "goals"]) {
      $0.attribution.limit = 2
      $0.attribution.minimum = 2
    }
    #expect(limited.sums("a") == [6, 24, 2])
    let once = try measure(events, ["conversions", "goals"]) { $0.attribution.counting = .once }
    #expect(once.sums("a") == [1, 1])
  }

  @Test("a limit applies to the goals of each code at a place, whatever goal a metric is of")
  func limit() throws {
    let events = [
      decision(0, "u", "a"), decision(4, "u", "b", slot: "s"), goal(1, "u", 1, goal: "h"),
      goal(5, "u", 2), goal(6, "u", 4), goal(6, "u", 8, goal: "h"),
      conversion(5, "u", goal: "g", revenue: 16), conversion(6, "u", goal: "h", revenue: 32),
    ]
    let measured = try measure(
      events, ["reward", "reward:goal=g", "reward:goal=h", "revenue", "revenue:goal=h"]
    ) {
      $0.attribution.limit = 1
    }
    #expect(measured.sums("a") == [3, 2, 1, 48, 32])
    #expect(measured.sums("b") == [10, 2, 8, 48, 32])
    #expect(measured.ledger.countedGoals == 5)
  }

  @Test(
    "a unit with only negative conversions is no converter, whether they are marked or below zero",
    arguments: [(5, true), (-5, true), (-5, nil), (-5, false)] as [(Double, Bool?)])
  func negative(revenue: Double, negative: Bool?) throws {
    let back = { conversion(1, $0, revenue: revenue, negative: negative) }
    let events = [
      decision(0, "u", "a"), back("u"), decision(0, "v", "a"), back("v"), conversion(2, "v"),
    ]
    let measured = try measure(
      events, ["converted", "conversions", "revenue", "converted:goal=c"])
    #expect(measured.sums("a") == [1, 3, -10, 1])
    // A refund is no conversion, and it is a value.
    #expect(measured.tallies("a").map(\.converters) == [1, 2, 2, 1])
    #expect(measured.tallies("a").map(\.reversers) == [2, 2, 2, 2])
  }

  @Test("bounds are of the amount of a conversion, whichever way it goes, and of the value of a goal")
  func bounds() throws {
    let events = [
      decision(0, "u", "a"), goal(1, "u", -20), goal(1, "u", 5), conversion(2, "u", revenue: 20),
      conversion(3, "u", revenue: 20, negative: true), conversion(4, "u", revenue: -5), conversion(5, "u", revenue: 5),
    ]
    let least = try measure(events, ["conversions", "revenue", "reward"]) { $0.attribution.minimum = 10 }
    #expect(least.sums("a") == [2, 0, 0])
    let most = try measure(events, ["conversions", "revenue", "reward"]) { $0.attribution.maximum = 10 }
    #expect(most.sums("a") == [2, 0, -15])
  }

  @Test("units in progress at the end can be excluded")
  func inProgress() throws {
    let events = [
      decision(0, "u", "a"), decision(6, "v", "a"), decision(20, "w", "a"), goal(11, "u", 1),
      conversion(1, "u", revenue: 1),
    ]
    let measured = try measure(events, ["reward"]) {
      $0.attribution.window = 5
      $0.attribution.end = Timestamp(microseconds: 10)
      $0.attribution.excludesInProgress = true
    }
    #expect(measured.units("a") == 1)
    #expect(measured.ledger.assigned.inProgressAssignments == 1)
    #expect(measured.ledger.assigned.decisionsAfterEnd == 1)
    #expect(measured.sums("a") == [0])
  }

  @Test("values are capped; a covariate is the same metric before exposure")
  func capAndCovariate() throws {
    let measured = try measure(
      [
        goal(3, "u", 50), goal(5, "u", 7), goal(9, "u", 1), decision(10, "u", "a"),
        goal(11, "u", 30), decision(10, "v", "a"), goal(12, "v", 2),
        conversion(4, "u", revenue: 5),
      ], ["reward", "ratio:of=reward,over=decisions", "conversions", "converted"]
    ) {
      $0.cap = 10
      $0.covariatePeriod = 5
    }
    #expect(measured.sums("a") == [12, 12, 0, 2])
    let cuped = try #require(measured.tallies("a")[0].cuped)
    #expect(cuped.metric.sum == 12)
    #expect(cuped.covariate.sum == 8)
    #expect(measured.tallies("a")[1].cuped == nil)
    #expect(measured.tallies("a")[1].ratio?.denominator.sum == 2)
    #expect(measured.tallies("a")[3].cuped?.covariate.sum == 1)
  }

  @Test("extreme times and values do not trap")
  func extremes() throws {
    // The first and the last microsecond that a log takes.
    let (first, last) = (-62_135_596_800_000_000 as Int64, 253_402_300_799_999_999 as Int64)
    let times = [first, first + 1, -1, 0, 1, last - 1, last]
    let values = [Double.greatestFiniteMagnitude, -1e308, .leastNonzeroMagnitude, 0]
    let events = times.flatMap { time in
      [decision(time, "u", "a")] + values.map { goal(time, "u", $0) }
        + [conversion(time, "u", revenue: values[0])]
    }
    let measured = try measure(events, ["reward", "revenue", "visits", "decisions", "converted"]) {
      $0.covariatePeriod = .max
      $0.attribution.window = .max
      $0.attribution.delay = .max
      $0.countsDays = true
    }
    #expect(measured.units("a") == 1)
    #expect(measured.tallies("a")[3].moments.sum == 7)
  }

  // MARK: Against a naive model

  private static let metricTexts = [
    "reward", "reward:goal=h", "goals:goal=g", "converted", "converted:goal=c",
    "conversions", "conversions:goal=d", "revenue", "decisions", "visits",
    "ratio:of=revenue,over=visits", "ratio:of=reward:goal=g,over=goals",
  ]

  @Test(
    "agrees with a naive model on random logs, each by several random rules",
    arguments: LongTests.twins)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let step = [1, 10 * Self.minute][random.index(2)]
    let events = SmallWorld.events(&random, step: step)
    let metrics = try Self.metricTexts.map { try Metric(parsing: $0) }
    let form = ReplayForm.all[Int(seed) % ReplayForm.all.count]
    let log = try WorldLog(events, perFrame: form.perFrame)
    for round in 0..<8 {
      let rules = MetricRules(&random, step)
      let measured = try measure(log, Self.metricTexts, form) { projector in
        projector.attribution = rules.attribution
        projector.cap = rules.cap
        projector.covariatePeriod = rules.covariatePeriod
        projector.keepsValues = true
      }
      let expected = NaiveMetrics(events, metrics, rules)
      let label = "seed \(seed), round \(round), \(form)"
      #expect(measured.ledger.assigned.droppedAssignments == expected.crossed, "\(label)")
      #expect(measured.ledger.assigned.inProgressAssignments == expected.inProgress, "\(label)")
      #expect(measured.named.count == expected.groups.count, "\(label)")
      for (key, units) in expected.groups {
        let list = try #require(measured.named[key], "\(label), \(key)")
        let tallies = metrics.indices.map { index in
          Self.tally(units.map { $0[index] }, metrics[index], rules)
        }
        #expect(list.units == units.count, "\(label), \(key)")
        #expect(list.metrics == tallies, "\(label), \(key)")
      }
    }
  }

  private static func tally(
    _ units: [NaiveMetrics.Value], _ metric: Metric, _ rules: MetricRules
  ) -> MetricTally {
    var tally = MetricTally()
    tally.moments = Moments(units.map(\.after))
    tally.converters = units.count(where: \.isConverter)
    tally.reversers = units.count(where: \.isReversed)
    if metric.denominator != nil {
      var ratio = RatioMoments()
      for unit in units { ratio.add(unit.after, over: unit.over) }
      tally.ratio = ratio
      if rules.covariatePeriod != nil {
        var cuped = CupedRatioMoments()
        for unit in units {
          cuped.add((unit.after, unit.over), covariate: (unit.before, unit.beforeOver))
        }
        tally.cupedRatio = cuped
      }
    } else {
      tally.values = units.map(\.after).sorted()
      if rules.covariatePeriod != nil {
        var cuped = CupedMoments()
        for unit in units { cuped.add(unit.after, covariate: unit.before) }
        tally.cuped = cuped
      }
    }
    return tally
  }

  @Test("every form of replay gives the same result, also with a dimension", arguments: 0..<20)
  func forms(seed: UInt64) throws {
    var random = SeededGenerator(seed: 5_000 + seed)
    let events = SmallWorld.events(&random, count: 200)
    let results = try ReplayForm.all.map { form in
      let log = try WorldLog(events, perFrame: form.perFrame)
      var projector = MetricProjector([Metric(.reward), Metric(.visits)], names: log.names)
      projector.keepsValues = true
      projector.countsDays = true
      var selection = UnitSelection()
      selection.dimension = .data(kind: "custom", key: "k")
      return try form.replay(log).run(selection, units: projector)
    }
    for other in results.dropFirst() { #expect(other == results[0], "seed \(5_000 + seed)") }
    let days = results[0].days.values.flatMap(\.values).reduce(0, +)
    #expect(days == results[0].ledger.assigned.countedAssignments)
  }

  // MARK: Helpers

  private struct Measured {
    var named: [NaiveMetrics.Key: MetricTallyList] = [:]
    var ledger = MetricLedger()

    private func list(_ variant: String) -> MetricTallyList? {
      named.first { $0.key.variant == variant }?.value
    }
    func units(_ variant: String) -> Int? { list(variant)?.units }
    func tallies(_ variant: String) -> [MetricTally] { list(variant)?.metrics ?? [] }
    func sums(_ variant: String) -> [Double] { tallies(variant).map(\.moments.sum) }
  }

  private func measure(
    _ events: [Event], _ metrics: [String], _ form: ReplayForm = ReplayForm.all[0],
    conversionWindow: Int64? = nil, _ change: (inout MetricProjector) -> Void = { _ in }
  ) throws -> Measured {
    try measure(try WorldLog(events, perFrame: form.perFrame), metrics, form) { projector in
      projector.attribution.conversionWindow = conversionWindow
      change(&projector)
    }
  }

  private func measure(
    _ log: WorldLog, _ metrics: [String], _ form: ReplayForm,
    _ change: (inout MetricProjector) -> Void
  ) throws -> Measured {
    var projector = MetricProjector(
      try metrics.map { try Metric(parsing: $0) }, names: log.names)
    change(&projector)
    let tallies = try form.replay(log).run(UnitSelection(), units: projector)
    var measured = Measured(ledger: tallies.ledger)
    for (segment, list) in tallies.segments {
      let key = NaiveMetrics.Key(
        experiment: log.experiment(segment.arm.experiment), point: log.point(segment.arm.point),
        slot: log.slot(segment.arm.slot), variant: log.variant(segment.arm.variant))
      measured.named[key] = list
    }
    return measured
  }
}
