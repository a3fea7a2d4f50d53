import Events
import TestSupport
import Testing

/// The example of the catalogue of `Events`.
@Suite("Example of Events")
struct EventsExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() throws {
    let event = try Event(
      jsonLine:
        #"{"type":"goal","time":"2026-01-02T03:05:00Z","unit":"s-42","experiment":"checkout","goal":"purchase","value":3.99}"#
    )
    if case .goal(let goal) = event.payload {
      print(event.unit, goal.experiment, goal.value ?? 1)
    }

    let decision = Event(
      time: event.time, unit: "s-42",
      payload: .decision(Decision(experiment: "checkout", variant: "red", propensity: 0.5)))
    print(try decision.jsonLine)
    #expect(shown.lines.first == "s-42 checkout 3.99")
    #expect(
      shown.lines.last?.hasPrefix(#"{"type":"decision","time":"2026-01-02T03:05:00Z""#) == true)
  }
}
