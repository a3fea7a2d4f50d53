import Events
import Specifications
import TestSupport
import Testing

@testable import Replay

@Suite("Retention")
struct RetentionProjectorTests {
  private static let day: Int64 = 86_400_000_000

  // MARK: Rules

  @Test("a unit is retained on day d if it has an event from d days on, before d + 1 days")
  func bounds() throws {
    let day = Self.day
    let tallies = try retention(
      [
        decision(5, "at", "a"), dataPoint(5 + day, "at", kind: "k", key: nil, value: nil),
        decision(5, "before", "a"), goal(4 + 2 * day, "before", 1),
        decision(5, "after", "a"), conversion(5 + 2 * day, "after"),
        decision(5 + 9 * day, "last", "b"),
      ], days: [1, 2])
    #expect(tallies["a"] == [Self.row(3, 2, 0), Self.row(3, 1, 0)])
  }

  @Test("a unit counts for a day only if that day is over at the end of the data")
  func tooYoung() throws {
    let day = Self.day
    let events = [
      decision(0, "old", "a"), decision(1, "young", "a"), goal(day, "young", 1),
      goal(2 * day, "old", 1),
    ]
    #expect(
      try retention(events, days: [0, 1, 2])["a"] == [
        Self.row(2, 1, 0), Self.row(1, 0, 1), Self.row(0, 0, 2),
      ])
    let ended = try retention(
      events, days: [0, 1], projector: { RetentionProjector(days: $0, end: day) })
    #expect(ended["a"] == [Self.row(1, 0, 1), Self.row(0, 0, 2)])
  }

  @Test("only goals of the experiment, conversions or decisions count if requested")
  func signals() throws {
    let day = Self.day
    let events = [
      decision(0, "u", "a"), goal(day, "u", 1, experiment: "other"),
      conversion(2 * day, "u", negative: true), conversion(2 * day, "u", revenue: -1),
      decision(3 * day, "u", "a", status: .repeated),
      goal(4 * day, "u", nil), decision(9 * day, "v", "b"),
    ]
    let expected: [(RetentionProjector.Signal, [Int])] = [
      (.any, [1, 1, 1, 1]), (.goals, [0, 0, 0, 1]), (.conversions, [0, 0, 0, 0]),
      (.decisions, [0, 0, 1, 0]),
    ]
    for (signal, returned) in expected {
      let tallies = try retention(
        events, days: [1, 2, 3, 4], projector: { RetentionProjector(days: $0, signal: signal) })
      #expect(tallies["a"]?.map(\.returned) == returned, "\(signal)")
    }
  }

  @Test("days beyond the range of time are reached by no unit")
  func hugeDays() throws {
    let tallies = try retention(
      [
        decision(Timestamp.latest.microseconds, "u", "a"),
        decision(Timestamp.earliest.microseconds, "v", "a"),
      ], days: [0, .max],
      projector: { RetentionProjector(days: $0, windowDays: .max) })
    #expect(tallies["a"]?.map(\.returned) == [0, 0])
  }

  // MARK: A naive model

  static func naive(_ events: [Event], _ projector: RetentionProjector)
    -> [ArmName: [RetentionTally]]
  {
    let end = projector.end ?? events.map(\.time.microseconds).max() ?? 0
    var result: [ArmName: [RetentionTally]] = [:]
    for history in NaiveHistories.of(events).values {
      let assignments = NaiveHistories.assignments(
        history, keepsCrossed: projector.crossing == .first, end: end)
      for unit in assignments {
        let tallies = projector.days.map { day -> RetentionTally in
          let from = unit.time + Int64(day) * Self.day
          let to = from + Int64(projector.windowDays) * Self.day
          guard to <= end else { return row(0, 0, 1) }
          let hasReturned = history.dropFirst(unit.index + 1).contains {
            $0.time >= from && $0.time < to && isSignal($0, projector.signal, unit.arm.experiment)
          }
          return row(1, hasReturned ? 1 : 0, 0)
        }
        for (day, tally) in tallies.enumerated() {
          result[unit.arm, default: projector.days.map { _ in RetentionTally() }][day].merge(tally)
        }
      }
    }
    return result
  }

  private static func isSignal(
    _ event: NaiveEvent, _ signal: RetentionProjector.Signal, _ experiment: String
  ) -> Bool {
    switch signal {
    case .any: return true
    case .goals: return event.goal(of: experiment) != nil
    case .conversions: return event.conversion != nil
    case .decisions:
      guard case .decision(let decision) = event.payload else { return false }
      return decision.experiment.rawValue == experiment
        && (event.counts || decision.status == .repeated)
    }
  }

  // MARK: Helpers

  private static func row(_ units: Int, _ returned: Int, _ tooYoung: Int) -> RetentionTally {
    var tally = RetentionTally()
    (tally.units, tally.returned, tally.tooYoung) = (units, returned, tooYoung)
    return tally
  }

  private func retention(
    _ events: [Event], days: [Int],
    projector: ([Int]) -> RetentionProjector = { RetentionProjector(days: $0) }
  ) throws -> [String: [RetentionTally]] {
    let log = try WorldLog(events)
    let tallies = try LogReplay(log.reader).run(UnitSelection(), units: projector(days))
    return Dictionary(
      uniqueKeysWithValues: log.named(tallies.segments).map { ($0.variant, $1) })
  }
}
