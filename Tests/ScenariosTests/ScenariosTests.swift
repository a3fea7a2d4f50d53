import Events
import Scenarios
import Specifications
import Testing

@Suite("Scenarios by name")
struct ScenariosTests {
  @Test("every scenario is found by its name, which is unique, describes itself, and has an example that runs")
  func names() throws {
    let scenarios = ScenarioCatalog.standard
    for info in scenarios.all {
      #expect(!info.summary.isEmpty && !info.summary.contains("\n"))
      let scenario = try scenarios.named(info.name)
      #expect(scenario.fullSpecification.parameters.map(\.value) == info.parameters.map(\.standard))
      for parameter in scenario.fullSpecification.parameters {
        let text = "\(info.name):\(parameter.key)=\(parameter.value)"
        #expect(try scenarios.named(text).fullSpecification == scenario.fullSpecification)
      }
      var generator = try scenarios.named(info.example).generator(events: 100, seed: 1)
      var record = EventRecord()
      for _ in 0..<100 {
        let isThere = generator.next(into: &record)
        #expect(isThere)
        try record.validate()
      }
      #expect(generator.truth.scenario == info.name)
    }
    #expect(Set(scenarios.all.map(\.name)).count == scenarios.all.count)
  }

  @Test("an unknown name is refused with a list of known ones")
  func unknownName() {
    let error = #expect(throws: SpecificationError.self) { try ScenarioCatalog.standard.named("shopfront") }
    #expect(error?.description.contains("\"shopfront\"") == true)
    #expect(error?.description.contains("storefront") == true)
    #expect(throws: SpecificationError.self) { try ScenarioCatalog.standard.named("") }
  }

  @Test("a parameter is set by name=value, once")
  func parameters() throws {
    let scenario = try ScenarioCatalog.standard.named("storefront:days=7")
    #expect(scenario.fullSpecification.parameters.map(\.value) == ["7", "0"])
    let error = #expect(throws: SpecificationError.self) {
      try ScenarioCatalog.standard.named("storefront:days=7,days=9")
    }
    #expect(error?.description.contains("given twice") == true)
  }

  @Test(
    "an invalid parameter or value is refused with a remedy",
    arguments: [
      "storefront:", "storefront:days", "storefront:day=3", "storefront:days=0",
      "storefront:days=3651", "storefront:tests=101", "storefront:days=x", "storefront:days=3,", "storefront:days=1=2",
    ])
  func badParameters(text: String) {
    let error = #expect(throws: SpecificationError.self) { try ScenarioCatalog.standard.named(text) }
    #expect(error?.description.contains("storefront") == true)
  }

  @Test("a number of events out of range is refused", arguments: [-1, Int.min, Int.max])
  func badCounts(events: Int) throws {
    let scenario = try ScenarioCatalog.standard.named("storefront")
    #expect(throws: SpecificationError.self) { try scenario.generator(events: events, seed: 1) }
  }

  @Test("the largest log begins like any other, and the smallest seeds do too")
  func extremes() throws {
    for seed in [0, 1, UInt64.max] {
      var generator = try ScenarioCatalog.standard.named("storefront:days=3650").generator(
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
