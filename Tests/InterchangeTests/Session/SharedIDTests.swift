import Events
import TestSupport
import Testing

@testable import Interchange

@Suite("Events that share an id")
struct SharedIDTests {
  private func mapping(_ entries: String...) throws -> EventMapping {
    try EventMapping(["id=id", "time=ts", "unit=user", "experiment:=e"] + entries)
  }

  @Test("the slots of an event share its id, and their names are the same in every event")
  func slots() throws {
    let line = { (event: Int, cost: Int) in
      #"{"Timestamp":"2026-01-01T00:0\#(event):00Z","EventId":"ev-\#(event)","c":{"_multi":[{"x":1},{"x":2}],"#
        + #""_slots":[{"_id":"top"},{"_id":"side"}]},"_outcomes":[{"_label_cost":\#(cost),"_id":"top","_a":[0,1],"#
        + #""_p":[0.5,0.5]},{"_label_cost":0,"_id":"side","_a":[1],"_p":[1]}]}"#
    }
    let text = line(1, -1) + "\n" + line(2, -5) + "\n"
    let imported = try ImportedFiles(("a.dsjson", text), ("a.dsjson", text), format: "dsjson")
    #expect(imported.events.count == 6)
    #expect(Set(imported.events.map(\.unit.rawValue)) == ["ev-1", "ev-2"])
    #expect(imported.summary.alreadyThere == 6 && imported.summary.refused == 0)
    // Without ids, the events of a line are told apart by its place.
    let anonymous = text.replacing(#""EventId":"ev-1","#, with: "").replacing(
      #""EventId":"ev-2","#, with: "")
    let others = try ImportedFiles(("a.dsjson", anonymous), format: "dsjson")
    #expect(others.events.count == 6)
    #expect(Set(others.events.map(\.unit.rawValue)) == ["a-1", "a-2"])
  }

  @Test("two tables with ids of their own: decisions and orders are different events")
  func twoTables() throws {
    let decisions = "id,ts,user,variant\n1,2026-01-01,a,A\n2,2026-01-01,b,B\n"
    let orders = "id,ts,user,amount\n1,2026-01-02,a,10\n2,2026-01-02,b,20\n"
    let first = try ImportedFiles(("a.csv", decisions), mapping: mapping("variant=variant"))
    let both = try ImportedFiles(
      ("b.csv", orders), mapping: mapping("goal:=order", "revenue=amount"), after: first.events)
    #expect(both.summary.eventsAppended == 2 && both.summary.alreadyThere == 0)
  }

  @Test(
    "the same id with other content is kept where ids are one's own, counted, and not added again")
  func kept() throws {
    let january = "id,ts,user,amount\n1,2026-01-02,a,10\n2,2026-01-02,b,20\n"
    let february = "id,ts,user,amount\n1,2026-02-02,a,5\n2,2026-02-02,b,7\n2,2026-02-02,b,7\n"
    let mapping = try mapping("goal:=order", "revenue=amount")
    let imported = try ImportedFiles(
      ("jan.csv", january), ("feb.csv", february), ("jan.csv", january), ("feb.csv", february),
      mapping: mapping)
    #expect(imported.events.count == 4)
    #expect(imported.summary.differingKept == 2 && imported.summary.refused == 0)
    #expect(imported.summary.alreadyThere == 1 + 2 + 3)
    #expect(
      imported.quality == [
        "2: id of another event with other content, kept as an event of its own, first on line 2 of feb.csv"
      ])
  }

  @Test(
    "the same id with other content is refused where the format promises unique ids, and counted")
  func refused() throws {
    let call = { (revenue: Int) in
      #"{"type":"track","messageId":"m-1","userId":"u","timestamp":"2026-01-05T10:00:00Z","event":"Order","#
        + #""properties":{"revenue":\#(revenue)}}"# + "\n"
    }
    let imported = try ImportedFiles(("a.json", call(1) + call(1) + call(2)))
    #expect(imported.events.count == 1)
    #expect(imported.summary.alreadyThere == 1 && imported.summary.refused == 1)
    #expect(
      imported.quality.first?.hasPrefix("1: id of another event with other content, not stored")
        == true)
  }

  @Test("Amplitude's uuid identifies an event, and an insert id only with its content")
  func amplitude() throws {
    let event = { (ids: String, day: Int) in
      #"{"event_type":"paid","event_properties":{},"user_id":"u","device_id":"d","#
        + #""event_time":"2026-01-0\#(day) 10:00:00",\#(ids)}"# + "\n"
    }
    let imported = try ImportedFiles(
      (
        "a.json",
        event(#""$insert_id":"i","uuid":"1""#, 1) + event(#""$insert_id":"i","uuid":"2""#, 9)
          + event(#""$insert_id":"i","uuid":"2""#, 9) + event(#""$insert_id":"k""#, 1)
          + event(#""$insert_id":"k""#, 1) + event(#""$insert_id":"k""#, 9)
      ))
    #expect(imported.events.map { $0.id?.rawValue } == ["1", "2", "k", "k"])
    #expect(imported.summary.alreadyThere == 2 && imported.summary.differingKept == 1)
  }
}
