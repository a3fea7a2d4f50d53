import Events
import TestSupport
import Testing

@testable import Interchange

@Suite("The same record in several files and imports")
struct SameRecordTests {
  private func segment(_ key: String?, _ event: String, time: String = "10:00:00") -> String {
    let key = key.map { #""messageId":"\#($0)","# } ?? ""
    return
      #"{"type":"track",\#(key)"userId":"u","event":"\#(event)","timestamp":"2026-01-05T\#(time)Z"}"#
  }

  @Test("a Segment call is stored once by its messageId, whatever else differs")
  func segmentKey() throws {
    let files = try ImportedFiles(
      ("a.json", segment("m1", "Buy") + "\n" + segment("m2", "Buy")),
      ("b.json", segment("m2", "Buy", time: "10:00:01") + "\n" + segment("m3", "Buy")),
      format: "segment")
    #expect(files.events.map(\.id) == ["m1", "m2", "m3"])
    #expect(files.summary.alreadyThere == 0 && files.summary.refused == 1)
    let again = try ImportedFiles(
      ("c.json", segment("m3", "Other") + "\n" + segment("m4", "Buy")), format: "segment",
      after: files.events)
    #expect(again.events.map(\.id) == ["m4"])
  }

  @Test("several events of one record are all stored, once")
  func eventsOfOneRecord() throws {
    let text =
      #"{"type":"identify","messageId":"m","userId":"u","traits":{"a":1,"b":2},"timestamp":"2026-01-05T10:00:00Z"}"#
    let files = try ImportedFiles(("a.json", text), ("b.json", text), format: "segment")
    #expect(files.events.map(\.id) == ["m", "m/2"])
    #expect(files.summary.alreadyThere == 2)
  }

  @Test("a CloudEvent is told apart by its source and id together")
  func cloudEvents() throws {
    let line = { (source: String, id: String) in
      #"{"specversion":"1.0","id":"\#(id)","source":"\#(source)","type":"segment","data":{"type":"track","userId":"u","event":"Buy","timestamp":"2026-01-05T10:00:00Z","messageId":"m"}}"#
    }
    let text = line("/web", "1") + "\n" + line("/app", "1") + "\n" + line("/web", "2")
    let files = try ImportedFiles(("a.json", text), ("b.json", text), format: "cloudevents")
    #expect(files.summary.rejected == 0)
    #expect(files.events.map(\.id) == ["/web#1", "/app#1", "/web#2"])
    #expect(files.summary.alreadyThere == 3)
  }

  @Test("without a key, equal records of one file are several, and further files add only more")
  func withoutKey() throws {
    let line = segment(nil, "Buy") + "\n"
    let files = try ImportedFiles(
      ("a.json", line + line), ("b.json", line), ("c.json", line + line + line), format: "segment")
    #expect(files.events.count == 3)
    #expect(files.summary.alreadyThere == 3)
    #expect(
      try ImportedFiles(("a.json", line), format: "segment", after: files.events).events == [])
  }

  @Test("the unit of numbers since 1970 is that of each file's first; 0 tells none")
  func epochUnits() throws {
    let line = { (time: String) in
      #"{"type":"track","userId":"u","event":"Buy","timestamp":\#(time)}"# + "\n"
    }
    let files = try ImportedFiles(
      ("s.json", line("1767607200") + line("1767607201")),
      ("ms.json", line("0") + line("1767607202000") + line("1767607203")),
      ("us.json", line("1767607204000000")), format: "segment")
    #expect(
      files.events.map { "\($0.time)" } == [
        "2026-01-05T10:00:00Z", "2026-01-05T10:00:01Z", "1970-01-01T00:00:00Z",
        "2026-01-05T10:00:02Z", "2026-01-05T10:00:04Z",
      ])
    #expect(files.summary.rejections.map(\.count) == [1])
    #expect(files.summary.quality[.impossibleTime]?.count == 1)
  }
}
