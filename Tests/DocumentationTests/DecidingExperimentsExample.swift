import DecidingCore
import DecidingExperiments
import Events
import TestSupport
import Testing

/// The example of the catalogue of `DecidingExperiments`.
@Suite("Example of DecidingExperiments")
struct DecidingExperimentsExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() throws {
    struct Bundled: ExperimentLoader {
      func load(siteCode: String) -> ExperimentConfiguration {
        let variations = [
          ExperimentVariation("reference", deviation: 0.5),
          ExperimentVariation("blue", deviation: 0.5),
        ]
        return ExperimentConfiguration(
          siteCode: siteCode, experiments: [Experiment("button", variations: variations)])
      }
    }

    let sink = MemorySink()
    let factory = ClientFactory(loader: Bundled(), surroundings: Surroundings(sink: sink))
    let client = factory.create(siteCode: "shop")
    try client.apply(Bundled().load(siteCode: "shop"))
    try client.addData(userID: "visitor-1", data: VisitorDevice.phone)
    print(try client.triggerExperiment("visitor-1", "button"))
    #expect(shown.lines == ["blue"])
    #expect(sink.events.last?.unit == "visitor-1")
  }
}
