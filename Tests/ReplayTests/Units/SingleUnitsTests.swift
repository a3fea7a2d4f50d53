import Events
import Specifications
import TestSupport
import Testing

@testable import EventLog
@testable import Replay

/// Random events of many units of which most have one decision, with goals before, at and after it, in and out of order.
func eventsOfSingles(_ random: inout SeededGenerator, units: Int = 40) -> [Event] {
  var events: [Event] = []
  for unit in 0..<1 + random.index(units) {
    let name = "u\(unit)"
    let start = Int64(random.index(30))
    for _ in 0..<(random.chance(0.8) ? 1 : random.index(4)) {
      var decision = Decision(
        experiment: "e0", point: random.chance(0.2) ? "p" : nil,
        slot: random.chance(0.2) ? "s" : nil, variant: VariantID("v\(random.index(3))"),
        choices: random.chance(0.7) ? [["v0", "v1", "v2"], ["v2", "v1"]][random.index(2)] : nil,
        policy: [nil, "A", "B"][random.index(3)])
      if random.chance(0.95) { decision.propensity = [0.25, 0.5, 1, 0.3][random.index(4)] }
      if let choices = decision.choices, random.chance(0.3) {
        decision.probabilities = choices.map { _ in 1 / Double(choices.count) }
      }
      if random.chance(0.1) {
        decision.status = [.provisional, .repeated, .excluded, .confirmed][random.index(4)]
      }
      decision.context = random.chance(0.5) ? ["device": .text("d\(random.index(2))")] : nil
      events.append(event(start + Int64(random.index(4)), name, .decision(decision)))
    }
    if random.chance(0.05) {
      events.append(event(start + 2, name, .decisionConfirmed(DecisionConfirmed(experiment: "e0"))))
    }
    for _ in 0..<(random.chance(0.5) ? 0 : random.index(5)) {
      var goal = Goal(experiment: "e0", goal: random.chance(0.7) ? "g" : "h")
      goal.value = [nil, 0, -0.0, 0.1, 0.2, 1e-300, -1.5, 3, 1e17][random.index(9)]
      if random.chance(0.05) { goal.status = .refused }
      if random.chance(0.2) {
        goal.point = [nil, "p", "point-1", "nowhere"][random.index(4)]
        goal.slot = [nil, "s", "decision-1"][random.index(3)]
      }
      events.append(event(start + Int64(random.index(9)) - 1, name, .goal(goal)))
    }
  }
  // Somewhat in the order of times, as logs are.
  return events.enumerated().map { ($0.element.time.microseconds + Int64(random.index(6)), $0) }
    .sorted { ($0.0, $0.1.offset) < ($1.0, $1.1.offset) }.map(\.1.element)
}

/// A random attribution.
func attributionOfSingles(_ random: inout SeededGenerator) -> Attribution {
  var attribution = Attribution(rule: Attribution.Rule.allCases[random.index(4)])
  if random.chance(0.4) { attribution.window = Int64(random.index(6)) }
  if random.chance(0.2) { attribution.delay = Int64(random.index(3)) }
  if random.chance(0.2) { attribution.limit = random.index(3) }
  if random.chance(0.1) { attribution.counting = .once }
  if random.chance(0.2) { attribution.minimum = 0.1 }
  if random.chance(0.2) { attribution.maximum = 2 }
  if random.chance(0.3) { attribution.end = Timestamp(microseconds: Int64(random.index(40))) }
  attribution.excludesInProgress = random.chance(0.5)
  return attribution
}

@Suite("Units with a single decision")
struct SingleUnitsTests {
  private static let needs: UnitNeeds = [
    .decisions, .goals, .propensities, .probabilities, .situations,
  ]

  /// Nil if the log does not have the experiment.
  private static func selection(_ log: WorldLog) -> UnitSelection? {
    var selection = UnitSelection()
    guard let experiment = log.names.code(of: "e0", in: .experiments) else { return nil }
    selection.experiments = [experiment]
    selection.contextAttributes = ["device"]
    return selection
  }

  /// The decisions and the counts of units, whose decisions are kept or whose events are read.
  private struct Decided: Equatable {
    var rows: [String] = []
    var ledgers = DecidedUnits.Ledgers()

    init(_ units: DecidedUnits) throws {
      let slot = UnitSlot(Rows(attribution: Attribution()))
      try units.fill([slot], jobs: 2)
      (rows, ledgers) = (slot.result(units.context).rows, units.ledgers)
    }

    init(_ units: CollectedUnits, _ source: LogUnits, _ attribution: Attribution) throws {
      let state = try source.show(units, to: Rows(attribution: attribution))
      rows = state.rows
      ledgers = DecidedUnits.Ledgers(
        ledger: state.units.ledger, rewards: state.units.rewardLedger)
    }
  }

  /// Collects decisions as texts.
  private struct Rows: DecisionProjector {
    struct State: Sendable {
      var units: EvaluationRows
      let situations: SituationRegister
      var rows: [String] = []
    }

    let attribution: Attribution
    var needs: UnitNeeds { SingleUnitsTests.needs }
    var distinguishesUnits: Bool { true }

    func makeState(_ context: UnitContext) -> State {
      State(units: EvaluationRows(context, attribution), situations: context.situations)
    }

    func apply(_ history: Span<UnitEvent>, to state: inout State) {
      state.units.take(history, state.situations)
      if !state.units.rows.isEmpty { apply(state.units.rows, of: history[0].unit, to: &state) }
    }

    func apply(_ rows: [CreditedDecision], of unit: UInt32, to state: inout State) {
      let texts = rows.map { row in
        var row = row
        row.index = 0
        return "\(row)"
      }
      state.rows.append("\(unit) \(texts)")
    }

    func apply(_ single: SingleUnit, to state: inout State) {
      apply(Array(repeating: single.row, count: single.times), of: single.unit, to: &state)
    }

    func merge(_ other: State, into state: inout State) {
      state.rows += other.rows
      state.units.merge(other.units)
    }

    func result(of state: State, _ context: UnitContext) -> State {
      var state = state
      state.rows.sort()
      return state
    }
  }

  @Test(
    "have the decisions of their histories, for any order and attribution",
    arguments: LongTests.chunks(20, of: 60))
  func decisions(part: UInt64) throws {
    for seed in part * 50..<part * 50 + 50 {
      var random = SeededGenerator(seed: seed)
      let attribution = attributionOfSingles(&random)
      let events = eventsOfSingles(&random)
      let form = ReplayForm.all[[0, 1, 3][random.index(3)]]
      let log = try WorldLog(events, perFrame: form.perFrame)
      guard let selection = Self.selection(log) else { continue }
      let replay = form.replay(log)
      let whole = try replay.collect(selection, Self.needs)
      let expected = try Decided(whole, LogUnits(replay, selection), attribution)
      for singleUnits in [attribution, nil] {
        let units = try replay.collect(selection, Self.needs, singleUnits: singleUnits)
        let found = try Decided(DecidedUnits(units, attribution, jobs: form.jobs))
        #expect(found == expected, "seed \(seed), \(attribution)")
      }
    }
  }

  @Test("are those that have one, and no other events that count")
  func which() throws {
    let events = [
      decision(1, "one", "a", experiment: "e0", propensity: 0.5),
      goal(2, "one", 0.5, experiment: "e0"), goal(2, "one", 0.25, experiment: "e0"),
      decision(1, "two", "a", experiment: "e0", propensity: 0.5),
      decision(2, "two", "a", experiment: "e0", propensity: 0.5),
      goal(1, "early", 1, experiment: "e0"),
      decision(2, "early", "a", experiment: "e0", propensity: 0.5),
      decision(1, "unknown", "a", experiment: "e0"),
      decision(4, "last", "b", experiment: "e0", propensity: 0.5),
    ]
    let log = try WorldLog(events)
    let selection = try #require(Self.selection(log))
    let units = try LogReplay(log.reader, jobs: 1).collect(
      selection, Self.needs, singleUnits: Attribution())
    let singleUnits = try #require(units.singleUnits)
    var goals = CreditedGoals()
    let goal = try #require(log.names.code(of: "g", in: .goals))
    goals.count(goal, in: try #require(selection.experiments?.first), 2)
    #expect(
      singleUnits.summary
        == SingleSummary(
          decisions: 2, creditedGoals: 2, goals: goals, firstTime: 1, lastTime: 4))
    var rewards: [Double] = []
    for range in 0..<singleUnits.rangeCount {
      singleUnits.forEach(range) { row, _ in rewards.append(row.reward) }
    }
    #expect(rewards == [0.75, 0])
    #expect(units.eventCount == 2 * 2 + 3 + 2)
    let conversions = try LogReplay(log.reader).collect(
      selection, Self.needs.union(.conversions), singleUnits: Attribution())
    #expect(conversions.singleUnits == nil)
  }

  @Test("in several parts of a log are collected with all their events")
  func parts() throws {
    var events: [Event] = []
    for unit in 0..<3_000 {
      events.append(decision(Int64(unit), "u\(unit)", "a", experiment: "e0", propensity: 0.5))
    }
    for unit in stride(from: 0, to: 3_000, by: 7) {
      events.append(goal(Int64(5_000 + unit), "u\(unit)", 2, experiment: "e0"))
    }
    let log = try WorldLog(events, perFrame: 500)
    let selection = try #require(Self.selection(log))
    for jobs in [1, 2, 5] {
      let units = try LogReplay(log.reader, jobs: jobs).collect(
        selection, Self.needs, singleUnits: Attribution())
      let summary = try #require(units.singleUnits?.summary)
      // A situation, a decision and a goal each.
      #expect(summary.decisions + units.eventCount / 3 == 3_000, "\(jobs) jobs")
      #expect(jobs > 1 || units.eventCount == 0)
    }
  }

  @Test("are collected with all their events where most units have several decisions")
  func givenUp() throws {
    var random = SeededGenerator(seed: 1)
    var events: [Event] = []
    for unit in 0..<12_000 {
      for _ in 0..<(unit < 9_000 ? 2 : 1) {
        let variant = ["a", "b"][random.index(2)]
        events.append(
          decision(Int64(unit), "u\(unit)", variant, experiment: "e0", propensity: 0.5))
      }
      let time = Int64(unit + random.index(3) - 1)
      if random.chance(0.5) { events.append(goal(time, "u\(unit)", 0.5, experiment: "e0")) }
    }
    let log = try WorldLog(events, perFrame: 700)
    let selection = try #require(Self.selection(log))
    for jobs in [1, 2, 5] {
      let replay = LogReplay(log.reader, jobs: jobs)
      let units = try replay.collect(selection, Self.needs, singleUnits: Attribution())
      // Parts of few units do not show what most units are like.
      if jobs < 5 { #expect(units.singleUnits?.summary.decisions == 0, "\(jobs) jobs") }
      let expected = try Decided(
        replay.collect(selection, Self.needs), LogUnits(replay, selection), Attribution())
      #expect(try Decided(DecidedUnits(units, Attribution(), jobs: jobs)) == expected)
    }
  }

  @Test("are collected with all their events where they are few among the units of the log")
  func few() {
    var singleUnits = SingleDecisions(Attribution(), experiment: 1, leastRoom: 1_000)
    var events: [UnitEvent] = []
    let situations = SituationRegister()
    for unit in [UInt32(5), 2_000_000, 6, 3_000_000, 2_000_000] {
      let decision = CollectedDecision(
        time: Int64(unit), unit: unit, experiment: 1, arm: 0, propensity: 0.5)
      let isTaken = singleUnits.take(decision, of: 1, situations, &events)
      #expect(isTaken == (unit < 10), "unit \(unit)")
    }
    #expect(singleUnits.unitsWithoutRoom == [2_000_000, 3_000_000, 2_000_000] && events.isEmpty)
    #expect(singleUnits.slot(of: 5)?.isSingle == true && singleUnits.slot(of: 7)?.kind == 0)
    #expect(singleUnits.slot(of: 2_000_000) == nil && singleUnits.summary.decisions == 2)
  }

  @Test("are counted by kind and reward, whatever their number", arguments: UInt64(0)..<40)
  func counts(seed: UInt64) {
    struct Key: Hashable {
      var (variant, reward): (UInt32, UInt64)
    }
    var random = SeededGenerator(seed: seed)
    let rows = (0..<7).map { kind in
      CreditedDecision(
        index: 0, place: 0, variant: UInt32(kind), situation: 0, propensity: 1, reward: 0)
    }
    var counts = SingleCounts(rows)
    var (found, expected): ([Key: Int], [Key: Int]) = ([:], [:])
    let take = { (single: SingleUnit) in
      found[Key(variant: single.row.variant, reward: single.row.reward.bitPattern), default: 0] +=
        single.times
    }
    let distinct = seed == 0 ? 3_000_000 : [1, 3, 3_000_000][random.index(3)]
    for _ in 0..<(seed == 0 ? 600_000 : 20_000) {
      let kind = random.index(7)
      let reward = [0.5, -0.0, Double(1 + random.index(distinct)) / 8][random.index(3)]
      expected[Key(variant: UInt32(kind), reward: reward.bitPattern), default: 0] += 1
      counts.add(kind, reward, take)
    }
    counts.empty(take)
    #expect(found == expected)
    counts.empty { _ in Issue.record("they were forgotten") }
    let totals = expected.reduce(into: Array(repeating: 0, count: rows.count)) {
      $0[Int($1.key.variant)] += $1.value
    }
    #expect(counts.counted == totals)
  }
}
