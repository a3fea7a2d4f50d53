import EventLog
import Events
import TestSupport
import Testing

/// The example of the catalogue of `EventLog`.
@Suite("Example of EventLog")
struct EventLogExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() throws {
    let folder = try TemporaryFolder()
    let writer = try LogWriter(folder.path("shop.log"))
    try writer.append([
      Event(
        time: Timestamp(microseconds: 1_767_323_045_000_000), unit: "s-42",
        payload: .decision(Decision(experiment: "checkout", variant: "red", propensity: 0.5))),
      Event(
        time: Timestamp(microseconds: 1_767_323_100_000_000), unit: "s-42",
        payload: .goal(Goal(experiment: "checkout", goal: "purchase", value: 3.99))),
    ])
    try writer.commit()

    let log = try LogReader(folder.path("shop.log"))
    try log.forEachEvent { record, position in
      print(position, record.kind, record.time)
    }
    try #require(shown.lines.count == 2)
    #expect(shown.lines[0].hasPrefix("0 decision 2026-01-02T03:04:05Z"))
    #expect(shown.lines[1].hasPrefix("1 goal "))
  }
}
