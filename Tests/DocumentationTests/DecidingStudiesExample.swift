import DecidingCore
import DecidingStudies
import Events
import TestSupport
import Testing

/// The example of the catalogue of `DecidingStudies`.
@Suite("Example of DecidingStudies")
struct DecidingStudiesExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() throws {
    let sink = MemorySink()
    let studies = Studies(unit: "user-7", surroundings: Surroundings(sink: sink))
    try studies.define(Study(description: "Tabs", optionDescriptions: ["Photos", "Messages"]))
    try studies.recordOptionTaken(withDescription: "Messages", in: "Tabs")
    if let prediction = try studies.mostLikelyPrediction(in: "Tabs") {
      print(prediction.option.description, prediction.confidence)
    }
    #expect(shown.lines == ["Messages 0.5"])
  }
}
