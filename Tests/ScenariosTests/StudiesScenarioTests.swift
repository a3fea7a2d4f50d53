import Events
import Platform
import Scenarios
import Specifications
import Testing

@Suite("The scenario studies")
struct StudiesScenarioTests {
  private func events(_ text: String, _ count: Int, seed: UInt64) throws -> ([Event], Truth) {
    var generator = try ScenarioCatalog.standard.named(text).generator(events: count, seed: seed)
    var events: [Event] = []
    var record = EventRecord()
    while generator.next(into: &record) {
      try record.validate()
      events.append(try Event(record))
    }
    return (events, generator.truth)
  }

  @Test(
    "it has the requested number of events, and the truth counts them", arguments: [0, 1, 2, 500])
  func counts(count: Int) throws {
    let (events, truth) = try events("studies:units=20,options=3", count, seed: 4)
    #expect(events.count == count)
    let takes = events.filter {
      if case .dataPoint = $0.payload { true } else { false }
    }
    #expect(truth.studies[0].takes == takes.count && takes.count == max(0, count - 1))
    #expect(truth.studies[0].units == Set(takes.map(\.unit)).count)
    #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect(truth.json.contains("\"entropy_rate\":"))
  }

  @Test("the same seed gives the same takes, and another one others")
  func seeds() throws {
    let (first, _) = try events("studies:units=5", 300, seed: 1)
    #expect(try events("studies:units=5", 300, seed: 1).0 == first)
    #expect(try events("studies:units=5", 300, seed: 2).0 != first)
  }

  @Test("the empirical conditional entropy after two takes matches the entropy rate")
  func entropyRate() throws {
    let (events, truth) = try events("studies:units=1,options=3,order=2", 60_001, seed: 7)
    var counts: [String: [String: Double]] = [:]
    var recent: [String] = []
    for event in events {
      guard case .dataPoint(let point) = event.payload, case .text(let option)? = point.value
      else { continue }
      if recent.count == 2 { counts[recent.joined(), default: [:]][option, default: 0] += 1 }
      recent = Array((recent + [option]).suffix(2))
    }
    var entropy = 0.0
    var total = 0.0
    for context in counts.values {
      let met = context.values.reduce(0, +)
      for count in context.values { entropy -= count * log(count / met) }
      total += met
    }
    let study = truth.studies[0]
    #expect(abs(entropy / total - study.entropyRate) < 0.01 * study.entropyRate)
    #expect(study.entropyRate < study.entropy && study.bestHitRate > 1.0 / 3)
  }

  @Test(
    "invalid parameters are refused",
    arguments: [
      "studies:units=0", "studies:options=1", "studies:options=27", "studies:order=4",
      "studies:days=3",
    ])
  func refusals(text: String) {
    let error = #expect(throws: SpecificationError.self) { try ScenarioCatalog.standard.named(text) }
    #expect(error?.description.contains("studies") == true)
  }
}
