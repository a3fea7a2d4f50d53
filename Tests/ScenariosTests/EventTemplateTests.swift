import Events
import Testing

@testable import Scenarios

@Suite("Templates of events")
struct EventTemplateTests {
  @Test("a filled record has the contents of the template, with unit, time and id")
  func fills() throws {
    var template = EventTemplate(.goal, texts: [(.experiment, "x"), (.goal, "buy")])
    template.hasID = true
    template.record.value = 2.5
    var record = EventRecord()
    template.fill(&record, time: 17, unit: 90, id: 1_000)
    let expected = Event(
      time: Timestamp(microseconds: 17), unit: "u-90", id: "e-1000",
      payload: .goal(Goal(experiment: "x", goal: "buy", value: 2.5)))
    #expect(try Event(record) == expected)
  }

  @Test(
    "numbers are written with all their digits",
    arguments: [0, 9, 10, 12_305, 1_000_000, UInt64.max])
  func numbers(number: UInt64) {
    var record = EventRecord()
    let slice = record.add(numbered: UInt8(ascii: "u"), number)
    #expect(record.string(slice) == "u-\(number)")
  }
}
