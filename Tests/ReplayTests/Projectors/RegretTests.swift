import Events
import Statistics
import TestSupport
import Testing

@testable import EventLog
@testable import Replay

@Suite("Regret in hindsight")
struct RegretTests {
  // MARK: Rules

  @Test("each decision adds the best mean of the log minus that of the chosen variant")
  func byHand() throws {
    // Means: a (4 + 0) / 2 = 2, b (1 + 0 + 2) / 3 = 1, c 0.5.
    let curve = try onlyCurve(
      [
        decision(1, "u", "b"), goal(2, "u", 1), decision(3, "v", "a"), goal(4, "v", 4),
        decision(5, "w", "b"), decision(6, "x", "c"), goal(6, "x", 0.5), decision(7, "y", "b"),
        goal(100, "y", 2), decision(8, "z", "a"),
      ])
    #expect(curve.variants.map(\.mean) == [1, 2, 0.5])
    #expect(curve.variants.map(\.decisions) == [3, 2, 1])
    #expect(curve.bestMean == 2)
    #expect(curve.rows.map(\.decisions) == [1, 2, 5, 6])
    #expect(curve.rows.map(\.regret) == [1, 1, 4.5, 4.5])
    #expect(curve.rows.map(\.rewardSum) == [1, 5, 7.5, 7.5])
    #expect(curve.rows.map(\.counts) == [[1, 0, 0], [1, 1, 0], [3, 1, 1], [3, 2, 1]])
    #expect(curve.rows.allSatisfy { $0.interval == nil })
  }

  @Test("each place and each value of the dimension has its own curve")
  func places() throws {
    let events = [
      decision(1, "u", "a", point: "p", policy: "x"),
      decision(2, "u", "b", point: "q", policy: "y"),
      decision(3, "v", "b", point: "p", policy: "y"), goal(4, "v", 2),
      decision(1, "u", "a", experiment: "f"),
    ]
    let curves = try regret(events)
    #expect(curves.curves.map { $0.rows.map(\.decisions) } == [[1, 2], [1], [1]])
    #expect(curves.curves[0].rows.map(\.regret) == [2, 2])
    var selection = UnitSelection()
    selection.dimension = .policy
    let split = try regret(events, selection: selection)
    #expect(split.curves.map(\.value.text) == ["x", "y", "y", nil])
    // Of a single variant there is none.
    #expect(split.curves.allSatisfy { $0.rows.last?.regret == nil })
  }

  @Test("decisions at the same time are in the order of the hashes of their units' names")
  func ties() throws {
    // The last two have the same hash, and the bytes of the name decide.
    let names = ["u", "v", "late", "7mohtcOFVz", "c1E51sSEyx"]
    let sorted = names.sorted(by: NaiveUnitOrder.isBefore)
    #expect(sorted != names && sorted != Array(names.reversed()))
    for names in [names, names.reversed(), sorted] {
      let events = names.flatMap { name in
        [decision(5, name, "v\(name)"), decision(5, name, "z"), goal(9, name, 1)]
      }
      let log = try WorldLog(events)
      let curve = try onlyCurve(events)
      let chosen = curve.rows.map { row in
        Set(zip(curve.variants, row.counts).filter { $1 > 0 }.map { log.variant($0.0.code) })
      }
      // After 1, 2, 5 and 10 decisions.
      #expect(
        chosen
          == [1, 1, 3, 5].enumerated().map { index, count in
            Set(sorted.prefix(count).map { "v\($0)" } + (index > 0 ? ["z"] : []))
          })
    }
  }

  @Test("a provisional decision is placed at its confirmation")
  func provisional() throws {
    let curve = try onlyCurve([
      decision(1, "u", "a", status: .provisional), decision(2, "v", "b"),
      event(3, "u", .decisionConfirmed(DecisionConfirmed(experiment: "e"))),
      decision(4, "w", "b", status: .provisional), decision(5, "x", "b", status: .excluded),
    ])
    #expect(curve.rows.map(\.counts) == [[0, 1], [1, 1]])
  }

  @Test("weighted means: sums of r/p over the decisions of the place, or over the sum of 1/p")
  func weighted() throws {
    let events = [
      decision(1, "u", "a", propensity: 0.5), goal(1, "u", 1),
      decision(2, "v", "a", propensity: 0.25),
      decision(3, "w", "b", propensity: 0.5), goal(3, "w", 2), decision(4, "x", "b"),
      goal(4, "x", 50),
    ]
    let ips = try onlyCurve(events, RegretRules(means: .ips, hasIntervals: false))
    #expect(ips.variants.map(\.mean) == [2.0 / 3, 4.0 / 3])
    #expect(ips.variants.map(\.withPropensity) == [2, 1])
    let snips = try onlyCurve(events, RegretRules(means: .snips, hasIntervals: false))
    #expect(snips.variants.map(\.mean) == [2.0 / 6, 2])
    #expect(snips.rows.last?.regret == 2 * (2 - 2.0 / 6))
    let plain = try onlyCurve(events)
    #expect(plain.variants.map(\.mean) == [0.5, 26])
    #expect(plain.variants.map(\.withPropensity) == [nil, nil])
  }

  @Test("there is no regret where a variant has no decision with a propensity")
  func withoutPropensity() throws {
    let events = [
      decision(1, "u", "a", propensity: 0.5), decision(2, "v", "b"), decision(3, "w", "b"),
    ]
    let curve = try onlyCurve(events, RegretRules(means: .ips))
    #expect(curve.variants.map(\.mean) == [0, nil])
    #expect(curve.bestMean == nil)
    #expect(curve.rows.map(\.decisions) == [1, 2, 3])
    #expect(curve.rows.allSatisfy { $0.regret == nil && $0.interval == nil })
  }

  @Test("rewards that overflow give no regret, and no trap")
  func hostile() throws {
    let huge = Double.greatestFiniteMagnitude
    for value in [huge, -huge] {
      let events = [
        decision(-1 << 50, "u", "a", propensity: 1e-300), goal(0, "u", value), goal(1, "u", value),
        decision(1 << 50, "v", "b", propensity: 1), decision(0, "w", "b", propensity: 1),
      ]
      for means in RegretMeans.allCases {
        let curve = try onlyCurve(events, RegretRules(means: means))
        #expect(curve.rows.allSatisfy { $0.regret?.isFinite ?? true && $0.interval == nil })
        #expect(curve.rows.map(\.decisions) == [1, 2, 3])
      }
    }
    #expect(try regret([]).curves.isEmpty)
    #expect(try regret([goal(1, "u", 1)]).ledger.orphanGoals == 1)
  }

  // MARK: Against a naive model

  @Test(
    "agrees with its definition on random logs, on any number of threads, however narrow the look",
    arguments: LongTests.twins)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    // Enough of one place for rows in the middle.
    let events = SmallWorld.events(
      &random, count: seed % 40 == 0 ? 400 : 60, times: [1, 12, 500][random.index(3)],
      step: random.chance(0.5) ? 1 : 86_400_000_000)
    var rules = RegretRules(
      means: RegretMeans.allCases[random.index(3)], hasIntervals: seed % 5 == 0)
    rules.orderRanges = [2, 5, 60, 4_096][random.index(4)]
    rules.keptDecisions = [0, 4, 1 << 20][random.index(3)]
    // A frame for each event takes its time.
    let form = ReplayForm.all[random.chance(0.8) ? 0 : random.index(ReplayForm.all.count)]
    let log = try WorldLog(events, perFrame: form.perFrame)
    let found = named(try form.replay(log).regret(UnitSelection(), rules), log)
    let expected = NaiveRegret(events, rules).rows
    #expect(found.keys == expected.keys)
    for (place, rows) in expected {
      let same = zip(rows, found[place] ?? []).allSatisfy { $0.isSame(as: $1) }
      #expect(
        same && rows.count == found[place]?.count,
        "seed \(seed), \(form), \(rules.means), \(place):\n\(rows)\n\(found[place] ?? [])")
    }
  }

  @Test("every form of replay (threads, frames, memory) gives the same curves", arguments: 0..<12)
  func forms(seed: UInt64) throws {
    var random = SeededGenerator(seed: 2_000 + seed)
    let events = SmallWorld.events(&random, count: 400, times: 40)
    let attribution = Attribution(
      rule: Attribution.Rule.allCases[Int(seed) % 4], window: seed % 3 == 0 ? 5 : nil)
    let rules = RegretRules(attribution)
    let curves = try ReplayForm.all.map { form in
      try form.replay(WorldLog(events, perFrame: form.perFrame)).regret(UnitSelection(), rules)
    }
    for other in curves.dropFirst() { #expect(other == curves[0], "seed \(2_000 + seed)") }
  }

  @Test("late events give the same result as sorted ones, intervals included", arguments: 0..<30)
  func late(seed: UInt64) throws {
    var random = SeededGenerator(seed: 3_000 + seed)
    var events = SmallWorld.events(&random)
    for index in events.indices { events[index].time.microseconds = Int64(index) }
    let rules = RegretRules()
    let curves = try [events, events.shuffled(using: &random)].map { events in
      let log = try WorldLog(events)
      return named(try LogReplay(log.reader, jobs: 2).regret(UnitSelection(), rules), log)
    }
    #expect(curves[0] == curves[1], "seed \(3_000 + seed)")
  }

  @Test("the last row agrees with the report rewards", arguments: 0..<20)
  func rewards(seed: UInt64) throws {
    var random = SeededGenerator(seed: 4_000 + seed)
    let log = try WorldLog(SmallWorld.events(&random))
    let attribution = Attribution(rule: .linear)
    let tallies = try LogReplay(log.reader).run(
      UnitSelection(), units: RewardProjector(attribution))
    let curves = try LogReplay(log.reader).regret(
      UnitSelection(), RegretRules(attribution, hasIntervals: false))
    #expect(curves.ledger == tallies.ledger)
    for curve in curves.curves {
      var sum = ExactSum()
      for variant in curve.variants {
        var arm = curve.place
        arm.variant = variant.code
        let tally = try #require(tallies.segments[Segment(arm: arm)])
        #expect(tally.decisions == variant.decisions)
        #expect(tally.perDecision.mean == variant.mean)
        sum.merge(tally.total)
      }
      #expect(curve.rows.last?.rewardSum == sum.value)
    }
  }

  // MARK: Helpers

  private func regret(
    _ events: [Event], _ rules: RegretRules = RegretRules(hasIntervals: false),
    selection: UnitSelection = UnitSelection()
  ) throws -> RegretCurves {
    try LogReplay(WorldLog(events).reader, jobs: 2).regret(selection, rules)
  }

  private func onlyCurve(
    _ events: [Event], _ rules: RegretRules = RegretRules(hasIntervals: false)
  ) throws -> RegretCurve {
    let curves = try regret(events, rules).curves
    #expect(curves.count == 1)
    return try #require(curves.first)
  }

  private func named(_ curves: RegretCurves, _ log: WorldLog) -> [NaiveRegret.Place: [NaiveRegret
    .Row]]
  {
    var rows: [NaiveRegret.Place: [NaiveRegret.Row]] = [:]
    for curve in curves.curves {
      let place = NaiveRegret.Place(
        experiment: log.experiment(curve.place.experiment), point: log.point(curve.place.point),
        slot: log.slot(curve.place.slot))
      rows[place] = curve.rows.map { row in
        var counts: [String: Int] = [:]
        for (variant, count) in zip(curve.variants, row.counts) where count > 0 {
          counts[log.variant(variant.code)] = count
        }
        return NaiveRegret.Row(
          counts: counts, rewardSum: row.rewardSum, regret: row.regret, interval: row.interval)
      }
    }
    return rows
  }
}

/// Regret by the words of its definition: decisions in order, and for each the best mean less its own.
struct NaiveRegret {
  struct Place: Hashable {
    var experiment: String
    var point: String
    var slot: String
  }

  struct Row: Equatable {
    var counts: [String: Int] = [:]
    var rewardSum = 0.0
    var regret: Double?
    var interval: Interval?

    /// Spreads are not summed exactly here.
    func isSame(as other: Row) -> Bool {
      guard let mine = interval, let theirs = other.interval else { return self == other }
      let tolerance = 1e-7 * (1 + mine.high)
      return abs(mine.low - theirs.low) < tolerance && abs(mine.high - theirs.high) < tolerance
        && (counts, rewardSum, regret) == (other.counts, other.rewardSum, other.regret)
    }
  }

  var rows: [Place: [Row]] = [:]

  init(_ events: [Event], _ rules: RegretRules) {
    let decisions = NaiveRewards(events).inOrder
    let places = Dictionary(grouping: decisions) {
      Place(experiment: $0.key.experiment, point: $0.key.point, slot: $0.key.slot)
    }
    for (place, decisions) in places {
      let counted = [1, 2, 5, 10, 20, 50, 100, 200, 500].filter { $0 < decisions.count }
      rows[place] = (counted + [decisions.count]).map { row(decisions, $0, rules) }
    }
  }

  private func row(_ all: [NaiveRewards.Counted], _ count: Int, _ rules: RegretRules) -> Row {
    let first = all.prefix(count)
    var row = Row(rewardSum: first.reduce(0) { $0 + $1.sum })
    for decision in first { row.counts[decision.key.variant, default: 0] += 1 }
    let means = Self.means(all, rules.means) { _ in 1 }
    row.regret = Self.regret(first, means, means)
    guard rules.hasIntervals, row.regret != nil else { return row }
    row.interval = NaiveRegretBounds(all, rules)?.interval(row.counts)
    return row
  }

  /// The sum of the gaps, with the log's mean for a variant that has none.
  private static func regret(
    _ decisions: ArraySlice<NaiveRewards.Counted>, _ means: [String: Double?],
    _ whole: [String: Double?]
  ) -> Double? {
    let known = means.merging(whole) { $0 ?? $1 }.compactMapValues { $0 }
    guard known.count == whole.count, whole.count > 1, let best = known.values.max() else {
      return nil
    }
    return ExactSum(decisions.map { best - (known[$0.key.variant] ?? 0) }).value
  }

  /// The mean of every variant, each decision as often as its weight says; nil where there is none.
  private static func means(
    _ all: [NaiveRewards.Counted], _ kind: RegretMeans, _ weight: (NaiveRewards.Counted) -> Int
  ) -> [String: Double?] {
    let weighed = all.filter { kind == .plain || $0.propensity != nil }
    let total = weighed.reduce(0) { $0 + weight($1) }
    var means: [String: Double?] = [:]
    for (variant, own) in Dictionary(grouping: all, by: \.key.variant) {
      let decisions = own.filter { kind == .plain || $0.propensity != nil }
      let sum = decisions.reduce(0) {
        $0 + Double(weight($1)) * ($1.sum / (kind == .plain ? 1 : $1.propensity ?? 1))
      }
      let below: Double =
        switch kind {
        case .plain: Double(decisions.reduce(0) { $0 + weight($1) })
        case .ips: Double(total)
        case .snips: decisions.reduce(0) { $0 + Double(weight($1)) / ($1.propensity ?? 1) }
        }
      means[variant] = .some(decisions.isEmpty || below == 0 ? nil : sum / below)
    }
    return means
  }
}
