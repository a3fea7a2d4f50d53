import Testing

@testable import Interchange

@Suite("Criteo counterfactual data")
struct CriteoTests {
  @Test("a banner of one slot is a decision with a propensity, and its click a goal")
  func oneSlot() throws {
    let imported = try Imported(
      """
      example 11: h7 1 0.25 1 2 1:300 2:250 5:8 5:9 5:9
      1 exid:11 11:27 12:3 12:3
      0 exid:11 11:28
      """, name: "banners.txt")
    #expect(
      imported.events == [
        #"{"type":"decision","time":"1970-01-01T00:00:01Z","unit":"banners-11","experiment":"banners","slot":"1","variant":"1","choices":["1","2"],"propensity":0.25,"context":{"hash":"h7","display.1":300,"display.2":250,"display.5":8,"display.5:9":2},"features":{"1":{"11:27":1,"12:3":2},"2":{"11:28":1}}}"#,
        #"{"type":"goal","time":"1970-01-01T00:00:01Z","unit":"banners-11","experiment":"banners","slot":"1","goal":"click","value":1}"#,
      ])
  }

  @Test("a banner of several slots has a decision for each, without a propensity of its own")
  func slots() throws {
    let imported = try Imported(
      """
      example 1: h 1 0.5 2 3 1:300
      0 exid:1 11:1
      1 exid:1 11:2
      0 exid:1 11:3

      example 2: h 1 0.5 2 2 1:300
      0 exid:2 11:1
      0 exid:2 11:2
      example 3: h 0 1 1 1
      0 exid:3
      """, name: "c")
    let features = #""features":{"1":{"11:1":1},"2":{"11:2":1},"3":{"11:3":1}}"#
    #expect(
      imported.events.prefix(3) == [
        #"{"type":"decision","time":"1970-01-01T00:00:01Z","unit":"c-1","experiment":"c","slot":"1","variant":"1","choices":["1","2","3"],"context":{"hash":"h","propensity":0.5,"display.1":300},\#(features)}"#,
        #"{"type":"decision","time":"1970-01-01T00:00:01Z","unit":"c-1","experiment":"c","slot":"2","variant":"2","choices":["1","2","3"],"context":{"hash":"h","propensity":0.5,"display.1":300},\#(features)}"#,
        #"{"type":"goal","time":"1970-01-01T00:00:01Z","unit":"c-1","experiment":"c","slot":"2","goal":"click","value":1}"#,
      ])
    #expect(
      imported.events.suffix(2) == [
        #"{"type":"goal","time":"1970-01-01T00:00:02Z","unit":"c-2","experiment":"c","goal":"click","value":1}"#,
        #"{"type":"decision","time":"1970-01-01T00:00:03Z","unit":"c-3","experiment":"c","slot":"1","variant":"1","choices":["1"],"propensity":1,"context":{"hash":"h"},"features":{"1":{}}}"#,
      ])
    #expect(imported.events.count == 7)
  }

  @Test("incomplete impressions are rejected, and reading continues at the next one")
  func rejected() throws {
    let imported = try Imported(
      """
      example 1: h 0 0.5 1 3 1:300
      0 exid:1 11:1
      example 2: h 0 0.5 1 1 1:300
      0 exid:9 11:1
      example 3: h 0 2 1 1
      0 exid:3 11:1
      example 4: h 0 0.5 2 1
      example 5: h x 0.5 1 1
      example 6: h 0 0.5 1 1 a
      0 exid:6
      example 7: h 0 0.5 1 1 1:1
      2 exid:7
      example 8: h 0 0.5 1 2 1:1
      0 exid:8
      """, name: "c")
    #expect(imported.events.isEmpty)
    #expect(
      imported.rejected == [
        "1: wrong column count: 1 lines of candidates where the first line says 3",
        "3: bad event: a candidate does not begin with a click and exid:2",
        #"5: bad number: the propensity is "2" and must be in (0, 1]"#,
        "7: bad number: 2 slots and only 1 candidates",
        #"8: bad click: the click is "x" and must be 0 or 1"#,
        #"9: bad number: the feature "a" must be a number, a colon and a value"#,
        #"11: bad click: the click is "2" and must be 0 or 1"#,
        "13: wrong column count: 1 lines of candidates where the first line says 2",
      ])
  }

  @Test(
    "a blank line ends an impression, and lines of candidates without a first line are one record")
  func separated() throws {
    let imported = try Imported(
      """
      example 1: h 0 0.5 1 2 1:300
      0 exid:1 11:1

      0 exid:1 11:1
      0 exid:1 11:2
      example 2: h 0 0.5 1 1 1:300
      0 exid:2
      """, name: "c")
    #expect(imported.events.count == 1)
    #expect(
      imported.rejected == [
        "1: wrong column count: 1 lines of candidates where the first line says 2",
        #"4: bad event: an impression begins with "example ID: HASH CLICKED PROPENSITY SLOTS CANDIDATES""#,
      ])
  }
}
