import EventLog
import Events
import Foundation
import Replay
import Reports
import Tables
import Testing

/// A projector and its report of another package, which sees the public interface only.
@Suite("A report of one's own")
struct AdopterReportTests {
  /// Units that came once, twice and three times; the goal of the first is refused.
  private static let events: [Event] = {
    let visits = [("u", 1, 1), ("v", 2, 1), ("w", 2, 2), ("x", 3, 0)]
    return visits.flatMap { unit, exposures, goals in
      (0..<exposures).map { number in
        Event(
          time: Timestamp(microseconds: Int64(number)), unit: UnitID(unit),
          payload: .decision(Decision(experiment: "shop", variant: "a")))
      }
        + (0..<goals).map { number in
          var goal = Goal(experiment: "shop", goal: "buy")
          if unit == "u" { goal.status = .refused }
          return Event(
            time: Timestamp(microseconds: 100 + Int64(number)), unit: UnitID(unit),
            payload: .goal(goal))
        }
    }
  }()

  @Test("it runs over a log, with a selection and any number of threads")
  func runs() throws {
    let path = NSTemporaryDirectory() + "adopter-\(UUID().uuidString).log"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writer = try LogWriter(path)
    try writer.append(Self.events)
    try writer.commit()
    let log = try LogReader(path)

    let table = try LoyaltyReport(most: 2).table(of: log)
    #expect(
      String(decoding: write(table, as: .csv), as: UTF8.self) == """
        exposures,units,goals_per_unit
        1,1,0
        2,3,1

        """)
    for jobs in 1...3 {
      #expect(try LoyaltyReport(most: 2).table(of: log, jobs: jobs) == table)
    }
    var early = UnitSelection()
    early.until = 100
    #expect(
      try LoyaltyReport().table(of: LogReplay(log), early).rows.map { $0[2] }
        == [0, 0, 0].map {
          .decimal($0)
        })
  }
}
