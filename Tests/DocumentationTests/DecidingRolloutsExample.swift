import DecidingCore
import DecidingRollouts
import Events
import TestSupport
import Testing

/// The example of the catalogue of `DecidingRollouts`.
@Suite("Example of DecidingRollouts")
struct DecidingRolloutsExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() throws {
    let sink = MemorySink()
    let rollouts = Rollouts(unit: "install-7", surroundings: Surroundings(sink: sink))
    try rollouts.setup(
      RolloutConfiguration(json: ["search": ["Variants": ["on": 30, "off": 70]]]))
    let value = rollouts.variant(experiment: "search", default: "search_off")
    print(value)
    #expect(shown.lines == ["search_on"] || shown.lines == ["search_off"])
    #expect(rollouts.variant(experiment: "search", default: "search_off") == value)
    #expect(!sink.events.isEmpty)
  }
}
