import Events
import Scenarios
import Testing

@Suite("Scenarios by name")
struct ScenariosTests {
  @Test("every scenario is found by its name, which is unique, and describes itself")
  func names() throws {
    for scenario in ScenarioCatalog.all {
      #expect(try ScenarioCatalog.named(scenario.name).name == scenario.name)
      #expect(!scenario.summary.isEmpty && !scenario.summary.contains("\n"))
      for parameter in scenario.parameters {
        let text = "\(scenario.name):\(parameter.name)=\(parameter.value)"
        #expect(try ScenarioCatalog.named(text).parameters == scenario.parameters)
      }
    }
    #expect(Set(ScenarioCatalog.all.map { $0.name }).count == ScenarioCatalog.all.count)
  }

  @Test("an unknown name is refused with a list of known ones")
  func unknownName() {
    let error = #expect(throws: ScenarioError.self) { try ScenarioCatalog.named("shopfront") }
    #expect(error?.description.contains("\"shopfront\"") == true)
    #expect(error?.description.contains("storefront") == true)
    #expect(throws: ScenarioError.self) { try ScenarioCatalog.named("") }
  }

  @Test("a parameter is set by name=value, and the last of two is used")
  func parameters() throws {
    let scenario = try ScenarioCatalog.named("storefront:days=7,days=9")
    #expect(scenario.parameters.map { $0.value } == ["9"])
  }

  @Test(
    "an invalid parameter or value is refused with a remedy",
    arguments: [
      "storefront:", "storefront:days", "storefront:day=3", "storefront:days=0",
      "storefront:days=3651", "storefront:days=x", "storefront:days=3,", "storefront:days=1=2",
    ])
  func badParameters(text: String) {
    let error = #expect(throws: ScenarioError.self) { try ScenarioCatalog.named(text) }
    #expect(error?.description.contains("storefront") == true)
  }

  @Test("a number of events out of range is refused", arguments: [-1, Int.min, Int.max])
  func badCounts(events: Int) throws {
    let scenario = try ScenarioCatalog.named("storefront")
    #expect(throws: ScenarioError.self) { try scenario.generator(events: events, seed: 1) }
  }

  @Test("the largest log begins like any other, and the smallest seeds do too")
  func extremes() throws {
    for seed in [0, 1, UInt64.max] {
      var generator = try ScenarioCatalog.named("storefront:days=3650").generator(
        events: ScenarioCatalog.largestCount, seed: seed)
      var record = EventRecord()
      for _ in 0..<1_000 {
        let more = generator.next(into: &record)
        #expect(more)
        try record.validate()
      }
    }
  }
}
