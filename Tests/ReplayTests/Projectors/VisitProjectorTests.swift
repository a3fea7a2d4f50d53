import Events
import Statistics
import TestSupport
import Testing

@testable import Replay

@Suite("Visits")
struct VisitProjectorTests {
  // MARK: Rules

  @Test("a visit continues as long as no gap exceeds the inactivity timeout")
  func gaps() throws {
    let visits = try visits(
      [
        decision(0, "u", "a"), goal(10, "u", 1),
        dataPoint(20, "u", kind: "k", key: nil, value: nil), conversion(31, "u"),
        decision(5, "v", "a"),
      ], inactivity: 10)
    let tally = visits.overall
    #expect([tally.units, tally.visits, tally.events] == [2, 3, 5])
    #expect([tally.ofOneEvent, tally.withGoal, Int(tally.duration)] == [2, 2, 20])
  }

  @Test("a variant has the visits from the first exposure on, which begins one")
  func sinceExposure() throws {
    let visits = try visits(
      [
        goal(0, "u", 1), goal(8, "u", 1, experiment: "other"), decision(9, "u", "a"),
        goal(10, "u", 1, experiment: "other"), goal(99, "u", 1),
      ], inactivity: 10)
    let tally = try #require(visits.variants["a"])
    #expect([tally.visits, tally.events, tally.ofOneEvent, tally.withGoal] == [2, 3, 1, 1])
    #expect(tally.duration == 1)
    #expect([visits.overall.visits, visits.overall.events, visits.overall.withGoal] == [2, 5, 2])
  }

  @Test("units in several variants are excluded, unexposed units are in the overall result")
  func crossed() throws {
    let visits = try visits(
      [decision(0, "u", "a"), decision(1, "u", "b"), goal(0, "v", 1)], inactivity: 10)
    #expect(visits.variants.isEmpty)
    #expect(visits.overall.units == 2)
    #expect(visits.ledger.crossedAssignments == 1)
  }

  @Test("refused goals and negative conversions are events, but not goals")
  func refused() throws {
    var refused = Goal(experiment: "e", goal: "g")
    refused.status = .refused
    let visits = try visits(
      [
        event(0, "u", .goal(refused)), conversion(1, "u", negative: true),
        conversion(2, "u", revenue: -1),
      ], inactivity: 10)
    #expect([visits.overall.events, visits.overall.withGoal] == [3, 0])
  }

  @Test("durations of visits over the whole time range do not overflow")
  func longest() throws {
    let (earliest, latest) = (Timestamp.earliest.microseconds, Timestamp.latest.microseconds)
    let visits = try visits(
      (0..<40).flatMap { [goal(earliest, "u\($0)", 1), goal(latest, "u\($0)", 1)] },
      inactivity: .max)
    #expect(visits.overall.visits == 40)
    #expect(visits.overall.duration == 40 * Int128(latest - earliest))
  }

  // MARK: A naive model

  static func naive(_ events: [Event], _ projector: VisitProjector) -> (
    overall: VisitTally, variants: [ArmName: VisitTally]
  ) {
    var overall = VisitTally()
    var variants: [ArmName: VisitTally] = [:]
    for history in NaiveHistories.of(events).values {
      add(history, nil, projector.inactivity, &overall)
      let keepsCrossed = projector.crossing == .first
      for unit in NaiveHistories.assignments(history, keepsCrossed: keepsCrossed) {
        add(
          Array(history.dropFirst(unit.index)), unit.arm.experiment, projector.inactivity,
          &variants[unit.arm, default: VisitTally()])
      }
    }
    return (overall, variants)
  }

  private static func add(
    _ history: [NaiveEvent], _ experiment: String?, _ inactivity: Int64, _ tally: inout VisitTally
  ) {
    var visits: [[NaiveEvent]] = []
    for event in history {
      if let last = visits.last?.last, event.time - last.time <= inactivity {
        visits[visits.count - 1].append(event)
      } else {
        visits.append([event])
      }
    }
    guard !visits.isEmpty else { return }
    tally.perUnit.add(Double(history.count), over: Double(visits.count))
    for visit in visits {
      tally.duration += Int128((visit.last?.time ?? 0) - visit[0].time)
      tally.ofOneEvent += visit.count == 1 ? 1 : 0
      let isGoal = { (event: NaiveEvent) in
        event.conversion != nil
          || (experiment.map { [$0] } ?? ["e0", "e1"]).contains { event.goal(of: $0) != nil }
      }
      tally.withGoal += visit.contains(where: isGoal) ? 1 : 0
    }
  }

  // MARK: Helpers

  private struct Visits {
    var overall: VisitTally
    var variants: [String: VisitTally]
    var ledger: AssignmentLedger
  }

  private func visits(_ events: [Event], inactivity: Int64) throws -> Visits {
    let log = try WorldLog(events)
    let tallies = try LogReplay(log.reader).run(
      UnitSelection(), units: VisitProjector(inactivity: inactivity))
    let variants = log.named(tallies.segments).map { ($0.variant, $1) }
    return Visits(
      overall: tallies.overall, variants: Dictionary(uniqueKeysWithValues: variants),
      ledger: tallies.ledger)
  }
}
