import Events
import Foundation
import Statistics
import TestSupport
import Testing

@testable import EventLog
@testable import Replay

@Suite("Rewards")
struct RewardProjectorTests {
  // MARK: Rules

  @Test("a goal is credited to the latest decision of its unit at or before it")
  func latestDecision() throws {
    let tallies = try rewards([
      decision(1, "u", "a"), decision(5, "u", "b"), goal(4, "u", 2), goal(5, "u", 3),
      goal(9, "u", 4), goal(0, "u", 100),
    ])
    #expect(tallies["a"] == Row(decisions: 1, units: 1, rewards: 1, sum: 2))
    #expect(tallies["b"] == Row(decisions: 1, units: 1, rewards: 2, sum: 7))
    #expect(tallies.ledger.orphanGoals == 1)
    #expect(tallies.ledger.creditedGoals == 3)
  }

  @Test("at equal times decisions come before goals, and among themselves in log order")
  func ties() throws {
    let tallies = try rewards([
      goal(3, "u", 100), decision(3, "u", "a"), goal(3, "u", 1), decision(3, "u", "b"),
      goal(3, "u", 2), goal(2, "u", 9),
    ])
    #expect(tallies["a"]?.sum == 0)
    #expect(tallies["b"]?.sum == 103)
    #expect(tallies.ledger.orphanGoals == 1)
  }

  @Test("a limit applies to the goals of each code of a unit at a place, and to no others")
  func limit() throws {
    let events = [
      goal(0, "u", 64), decision(1, "u", "a"), decision(1, "u", "b", slot: "s"),
      goal(2, "u", 1), goal(2, "u", 2, goal: "h"), decision(6, "u", "a"), goal(4, "u", 4),
      goal(5, "u", 128),
      decision(1, "v", "a"), goal(4, "v", 8), decision(1, "u", "c", experiment: "f"),
      goal(2, "u", 16, experiment: "f"), goal(3, "u", 32, experiment: "f"),
    ]
    for rule in Attribution.Rule.allCases {
      let tallies = try rewards(events, ReplayForm.all[0], Attribution(rule: rule, limit: 2))
      #expect(tallies["a"]?.sum == 15, "\(rule)")
      #expect(tallies["b"]?.sum == 7, "\(rule)")
      #expect(tallies["c"]?.sum == 48, "\(rule)")
      #expect(tallies.ledger.uncreditedGoals == 1, "\(rule)")
      #expect(tallies.ledger.orphanGoals == 1, "\(rule)")
    }
  }

  @Test("a goal that cannot be credited does not count towards the limit")
  func limitOfCredited() throws {
    let tallies = try rewards(
      [
        decision(10, "u", "a"), goal(12, "u", 1), goal(30, "u", 2), decision(31, "u", "a"),
        goal(33, "u", 4), goal(34, "u", 8),
      ],
      ReplayForm.all[0], Attribution(window: 5, counting: .every, limit: 2))
    #expect(tallies["a"]?.sum == 5)
  }

  @Test("a goal is credited once for each point and slot of its experiment")
  func pointsAndSlots() throws {
    let tallies = try rewards([
      decision(1, "u", "a", point: "p", slot: "x"), decision(1, "u", "b", point: "p", slot: "y"),
      decision(1, "u", "c", point: "q"), decision(1, "v", "d"), goal(2, "u", 5),
      decision(1, "u", "e", experiment: "other"),
    ])
    for variant in ["a", "b", "c"] { #expect(tallies[variant]?.sum == 5) }
    #expect(tallies["d"]?.sum == 0)
    #expect(tallies["e"]?.sum == 0)
    #expect(tallies.ledger.creditedGoals == 1)
  }

  @Test("a goal that names a point or slot is credited only there")
  func namedPlaces() throws {
    func named(_ value: Double, _ point: PointID?, _ slot: SlotID?) -> Event {
      event(
        2, "u", .goal(Goal(experiment: "e", point: point, slot: slot, goal: "g", value: value)))
    }
    let tallies = try rewards([
      decision(1, "u", "a", point: "p", slot: "x"), decision(1, "u", "b", point: "p", slot: "y"),
      decision(1, "u", "c", point: "q", slot: "x"), decision(1, "u", "d"),
      named(1, "p", nil), named(2, nil, "x"), named(4, "p", "y"), named(8, "q", "y"),
      named(16, "point-1", nil), named(32, nil, "decision-1"), named(64, nil, nil),
    ])
    #expect(tallies["a"]?.sum == 67)
    #expect(tallies["b"]?.sum == 69)
    #expect(tallies["c"]?.sum == 66)
    #expect(tallies["d"]?.sum == 112)
    #expect(tallies.ledger.orphanGoals == 1)
  }

  @Test("a point or slot that is not named is point-1 and decision-1")
  func standardNames() throws {
    let tallies = try rewards([
      decision(1, "u", "a"), decision(2, "u", "b", point: "point-1", slot: "decision-1"),
      goal(3, "u", 1),
    ])
    #expect(tallies["a"]?.sum == 0)
    #expect(tallies["b"]?.sum == 1)
  }

  @Test(
    "sums do not depend on the order of the log", arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2]])
  func exactSums(order: [Int]) throws {
    let values = [1e16, 1, -1e16]
    let tallies = try rewards(
      [decision(1, "u", "a")] + order.map { goal(2, "u", values[$0]) }
        + [decision(3, "u", "a"), goal(4, "u", 0.25)])
    #expect(tallies["a"]?.sum == 1.25)
    let tally = try #require(tallies.tallies.segments.values.first)
    #expect(tally.perDecision.sum == 1.25)
    #expect(tally.perUnit.sum == 1.25)
  }

  @Test("a goal without a value counts as 1, a refused one does not count")
  func values() throws {
    var refused = Goal(experiment: "e", goal: "g", value: 50)
    refused.status = .refused
    let tallies = try rewards([
      decision(1, "u", "a"), goal(2, "u", nil), goal(3, "u", -0.5),
      event(4, "u", .goal(refused)),
    ])
    #expect(tallies["a"] == Row(decisions: 1, units: 1, rewards: 2, sum: 0.5))
    #expect(tallies.ledger.refusedGoals == 1)
  }

  @Test("repeated and excluded decisions never count, and do not end the one before them")
  func uncountedStatuses() throws {
    let tallies = try rewards([
      decision(1, "u", "a"), decision(2, "u", "a", status: .repeated),
      decision(3, "u", "b", status: .excluded), goal(4, "u", 1),
      decision(5, "v", "b", status: .excluded), goal(6, "v", 1),
    ])
    #expect(tallies["a"] == Row(decisions: 1, units: 1, rewards: 1, sum: 1))
    #expect(tallies["b"] == nil)
    #expect(tallies.ledger.repeatedDecisions == 1)
    #expect(tallies.ledger.excludedDecisions == 2)
    #expect(tallies.ledger.orphanGoals == 1)
  }

  @Test("a provisional decision counts from its confirmation on, and never without one")
  func provisional() throws {
    let tallies = try rewards([
      decision(1, "u", "a", status: .provisional), goal(2, "u", 10),
      event(3, "u", .decisionConfirmed(DecisionConfirmed(experiment: "e"))), goal(4, "u", 1),
      decision(1, "v", "b", status: .provisional), goal(5, "v", 1),
    ])
    #expect(tallies["a"] == Row(decisions: 1, units: 1, rewards: 1, sum: 1))
    #expect(tallies["b"] == nil)
    #expect(tallies.ledger.unconfirmedDecisions == 1)
    #expect(tallies.ledger.orphanGoals == 2)
  }

  @Test("a confirmation that names a slot is for that slot only")
  func confirmedSlot() throws {
    let tallies = try rewards([
      decision(1, "u", "a", slot: "x", status: .provisional),
      decision(1, "u", "b", slot: "y", status: .provisional),
      event(2, "u", .decisionConfirmed(DecisionConfirmed(experiment: "e", slot: "y"))),
      goal(3, "u", 1),
    ])
    #expect(tallies["a"] == nil)
    #expect(tallies["b"]?.sum == 1)
  }

  @Test("mean, variance and interval are over decisions, or over units")
  func perUnit() throws {
    let tallies = try rewards([
      decision(1, "u", "a"), goal(2, "u", 3), decision(3, "u", "a"), goal(4, "u", 1),
      decision(1, "v", "a"),
    ])
    let tally = try #require(tallies.tallies.segments.values.first)
    #expect(tally.perDecision.count == 3)
    #expect(tally.perUnit.count == 2)
    #expect(tally.perDecision.mean == 4.0 / 3)
    #expect(tally.perUnit.mean == 2)
    #expect(tally.perUnit.variance == 8)
  }

  // MARK: Against a naive model

  @Test(
    "agrees with a naive model on random logs, on any number of threads and within any memory",
    arguments: LongTests.twins)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = SmallWorld.events(&random)
    let expected = NaiveRewards(events)
    let form = ReplayForm.all[Int(seed) % ReplayForm.all.count]
    let tallies = try rewards(events, form)
    #expect(tallies.rows == expected.rows, "seed \(seed), \(form)")
    #expect(tallies.ledger.orphanGoals == expected.orphans)
    #expect(tallies.ledger.unconfirmedDecisions == expected.unconfirmed)
  }

  @Test("every form of replay gives the same tallies", arguments: 0..<50)
  func forms(seed: UInt64) throws {
    var random = SeededGenerator(seed: 1_000 + seed)
    let events = SmallWorld.events(&random, count: 200)
    let tallies = try ReplayForm.all.map { try rewards(events, $0).tallies }
    for other in tallies.dropFirst() { #expect(other == tallies[0], "seed \(1_000 + seed)") }
  }

  @Test("late events give the same result as sorted ones", arguments: 0..<50)
  func late(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var events = SmallWorld.events(&random)
    // Distinct times, so that the order is that of time alone.
    for index in events.indices { events[index].time.microseconds = Int64(index) }
    let inOrder = try rewards(events)
    let shuffled = try rewards(events.shuffled(using: &random))
    #expect(inOrder.rows == shuffled.rows)
    // The goals have other codes.
    #expect(inOrder.ledger.noted.map(\.count) == shuffled.ledger.noted.map(\.count))
  }

  // MARK: Helpers

  private struct Named {
    var tallies: RewardTallies
    var rows: [NaiveRewards.Key: Row]
    var ledger: RewardLedger { tallies.ledger }
    /// The row of a variant that has only one.
    subscript(variant: String) -> Row? { rows.first { $0.key.variant == variant }?.value }
  }

  private func rewards(
    _ events: [Event], _ form: ReplayForm = ReplayForm.all[0],
    _ attribution: Attribution = Attribution()
  ) throws -> Named {
    let log = try WorldLog(events, perFrame: form.perFrame)
    let tallies = try form.replay(log).run(UnitSelection(), units: RewardProjector(attribution))
    var rows: [NaiveRewards.Key: Row] = [:]
    for (segment, tally) in tallies.segments {
      let key = NaiveRewards.Key(
        experiment: log.experiment(segment.arm.experiment), point: log.point(segment.arm.point),
        slot: log.slot(segment.arm.slot), variant: log.variant(segment.arm.variant))
      rows[key] = Row(
        decisions: tally.decisions, units: tally.units, rewards: tally.rewards,
        sum: tally.total.value)
    }
    return Named(tallies: tallies, rows: rows)
  }
}

struct Row: Equatable {
  var decisions: Int
  var units: Int
  var rewards: Int
  var sum: Double
}

/// Rewards by the words of their definition: decisions that count, each with the moment from which it does;
/// for each goal and place the latest of them.
struct NaiveRewards {
  struct Key: Hashable {
    var experiment: String
    var point: String
    var slot: String
    var variant: String
  }

  struct Counted {
    var key: Key
    var unit: String
    var propensity: Double?
    var decision: Decision
    /// Time, rank among events of the same time, and position.
    var moment: (Int64, Int, Int)
    var sum = 0.0
    var goals = 0
  }

  var rows: [Key: Row] = [:]
  /// The decisions that count.
  var decisions: [Counted] = []
  var orphans = 0
  var unconfirmed = 0

  init(_ events: [Event]) {
    let ordered = EventOrder.sorted(events)
    var counted = Self.countedDecisions(ordered, &unconfirmed)
    for (index, event) in ordered {
      guard case .goal(let goal) = event.payload, goal.status != .refused else { continue }
      let moment = (event.time.microseconds, 1, index * 1_000)
      let before = counted.indices.filter {
        counted[$0].unit == event.unit.rawValue && counted[$0].moment < moment
          && counted[$0].key.experiment == goal.experiment.rawValue
      }
      if before.isEmpty { orphans += 1 }
      for place in Set(before.map { [counted[$0].key.point, counted[$0].key.slot] }) {
        let latest = before.filter { [counted[$0].key.point, counted[$0].key.slot] == place }.max {
          counted[$0].moment < counted[$1].moment
        }
        if let latest {
          counted[latest].sum += goal.value ?? 1
          counted[latest].goals += 1
        }
      }
    }
    decisions = counted
    for (key, group) in Dictionary(grouping: counted, by: \.key) {
      rows[key] = Row(
        decisions: group.count, units: Set(group.map(\.unit)).count,
        rewards: group.reduce(0) { $0 + $1.goals }, sum: group.reduce(0) { $0 + $1.sum })
    }
  }

  private static func countedDecisions(
    _ ordered: [(offset: Int, element: Event)], _ unconfirmed: inout Int
  ) -> [Counted] {
    var counted: [Counted] = []
    var held: [Counted] = []
    for (index, event) in ordered {
      let moment = (event.time.microseconds, 0, index * 1_000)
      switch event.payload {
      case .decision(let decision):
        let key = Key(
          experiment: decision.experiment.rawValue,
          point: (decision.point ?? .standard).rawValue,
          slot: (decision.slot ?? .standard).rawValue, variant: decision.variant.rawValue)
        let entry = Counted(
          key: key, unit: event.unit.rawValue, propensity: decision.propensity,
          decision: decision, moment: moment)
        switch decision.status {
        case nil, .confirmed: counted.append(entry)
        case .provisional: held.append(entry)
        default: break
        }
      case .decisionConfirmed(let confirmed):
        let isConfirmed = { (entry: Counted) in
          entry.unit == event.unit.rawValue
            && entry.key.experiment == confirmed.experiment.rawValue
            && entry.key.point == (confirmed.point ?? .standard).rawValue
            && (confirmed.slot == nil || entry.key.slot == confirmed.slot?.rawValue)
        }
        // Held decisions of the same place count in the order in which they were made.
        for (number, var entry) in held.filter(isConfirmed).enumerated() {
          entry.moment = (moment.0, 0, moment.2 + number)
          counted.append(entry)
        }
        held.removeAll(where: isConfirmed)
      default: break
      }
    }
    unconfirmed = held.count
    return counted
  }
}
