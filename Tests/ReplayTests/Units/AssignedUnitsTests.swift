import Events
import Specifications
import TestSupport
import Testing

@testable import Replay

@Suite("Assigned units")
struct AssignedUnitsTests {
  private let context = UnitContext(arms: [
    Arm(experiment: 1, point: 1, slot: 1, variant: 1),
    Arm(experiment: 1, point: 1, slot: 1, variant: 2),
    Arm(experiment: 1, point: 1, slot: 2, variant: 1),
    Arm(experiment: 2, point: 1, slot: 1, variant: 1),
    Arm(experiment: 2, point: 1, slot: 1, variant: 3),
  ])

  private func event(_ time: Int64, _ arm: UInt32, _ kind: UnitEvent.Kind = .decision) -> UnitEvent {
    UnitEvent(
      time: time, number: .nan, unit: 1,
      experiment: kind.isDecision ? context.arms[Int(arm)].experiment : 0, subject: arm, kind: kind)
  }

  @Test("at each point and slot a unit is assigned to the variant of its first exposure")
  func first() {
    var units = AssignedUnits(context, Attribution())
    var ledger = AssignmentLedger()
    let history = [
      event(2, 1, .excluded), event(3, 0, .repeated), event(4, 2), event(5, 0),
      event(6, 1, .provisional), event(7, 3), event(8, 4, .repeated),
    ]
    units.load(history.span, &ledger)
    #expect(units.all.map(\.arm) == [0, 2, 3])
    #expect(units.all.map(\.time) == [3, 4, 7])
    #expect(units.all.map(\.index) == [1, 2, 5])
    #expect(units.all.map(\.experiment) == [1, 1, 2])
    #expect(units.all.map(\.isCrossed) == [false, false, true])
    #expect(ledger.assignments == 3)
    #expect(ledger.crossedAssignments == 1)
    #expect(ledger.confirmedDecisions == 3)
    #expect(ledger.repeatedDecisions == 2)
    #expect(ledger.excludedDecisions == 1)
    #expect(ledger.unconfirmedDecisions == 1)
  }

  @Test("exposures after the end neither assign nor cross, and the dimension is that of the first")
  func end() {
    var units = AssignedUnits(context, Attribution(end: Timestamp(microseconds: 8)))
    var ledger = AssignmentLedger()
    let history = [event(1, 7, .dimension), event(1, 0), event(9, 8, .dimension), event(9, 1)]
    units.load(history.span, &ledger)
    #expect(units.all.map(\.value) == [7])
    #expect(units.all.map(\.isCrossed) == [false])
    #expect(ledger.decisionsAfterEnd == 1)
  }

  @Test("state of one unit does not leak into the next", arguments: 0..<300)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var shared = AssignedUnits(context, Attribution())
    var total = AssignmentLedger()
    var merged = AssignmentLedger()
    var state = AssignedState(0, context, Attribution())
    for _ in 0..<5 {
      let kinds: [UnitEvent.Kind] = [.decision, .decision, .repeated, .goal, .leftOut, .unknown]
      let history = (0..<random.index(8)).map {
        event(Int64($0), UInt32(random.index(5)), random.pick(kinds, or: .goal))
      }
      shared.load(history.span, &total)
      state.add(history.span) { _, assignments in assignments += 1 }
      var ledger = AssignmentLedger()
      var fresh = AssignedUnits(context, Attribution())
      fresh.load(history.span, &ledger)
      merged.merge(ledger)
      #expect(shared.all == fresh.all, "seed \(seed)")
      let exposures = history.filter { $0.kind == .decision || $0.kind == .repeated }
      for place in Set(context.arms.map { [$0.experiment, $0.slot] }) {
        let there = exposures.filter {
          let arm = context.arms[Int($0.subject)]
          return [arm.experiment, arm.slot] == place
        }
        let found = shared.all.first { place == [$0.experiment, context.arms[Int($0.arm)].slot] }
        #expect(found?.arm == there.first?.subject, "seed \(seed)")
        #expect(found?.time == there.first?.time)
        #expect(found?.isCrossed ?? false == (Set(there.map(\.subject)).count > 1))
      }
    }
    #expect(total == merged)
    #expect(state.ledger.units == 5)
    #expect(state.table.tallies.reduce(0, +) == total.countedAssignments)
  }

  @Test(
    "a history that goes on is counted as the whole, unless it crosses earlier assignments",
    arguments: 0..<300)
  func extended(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let attribution = Attribution(
      window: 3, end: Timestamp(microseconds: 6), excludesInProgress: random.chance(0.5),
      crossing: random.chance(0.5) ? .first : .drop)
    let kinds: [UnitEvent.Kind] = [.decision, .repeated, .excluded, .goal, .dimension]
    let history = (0..<2 + random.index(8)).map {
      event(Int64($0), UInt32(random.index(5)), random.pick(kinds, or: .goal))
    }
    let start = 1 + random.index(history.count - 1)
    var (whole, expected) = (AssignedUnits(context, attribution), AssignmentLedger())
    whole.load(history.span, &expected)
    var (units, ledger) = (AssignedUnits(context, attribution), AssignmentLedger())
    units.load(history.span.extracting(..<start), &ledger)
    let (earlier, counted) = (units.all, ledger)
    if units.load(history.span, from: start, &ledger) {
      #expect(units.all == whole.all && units.counting == whole.counting, "seed \(seed)")
      #expect(Array(units.new) == Array(whole.all.dropFirst(earlier.count)), "seed \(seed)")
      #expect(ledger == expected, "seed \(seed)")
    } else {
      #expect(zip(whole.all, earlier).contains { $0.isCrossed != $1.isCrossed }, "seed \(seed)")
      #expect(ledger == counted, "seed \(seed)")
    }
  }
}
