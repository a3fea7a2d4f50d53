import Testing

@testable import Interchange

@Suite("GO Feature Flag events")
struct GoFeatureFlagTests {
  @Test("a feature event is a decision, in seconds or milliseconds, and defaults are excluded")
  func json() throws {
    let imported = try Imported(
      """
      {"kind":"feature","contextKind":"anonymousUser","userKey":"0123","creationDate":1767607200,"key":"checkout",\
      "variation":"new","value":{"color":"red"},"default":false,"version":"","source":"SERVER"}
      {"kind":"feature","contextKind":"user","userKey":"u-2","creationDate":1767607201,"key":"checkout","variation":"SdkDefault",\
      "value":true,"default":true,"source":"PROVIDER_CACHE","metadata":{"team":"a"}}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"0123","experiment":"checkout","variant":"new","context":{"contextKind":"anonymousUser","value.color":"red","version":"","source":"SERVER"}}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:01Z","unit":"u-2","experiment":"checkout","variant":"SdkDefault","status":"excluded","context":{"contextKind":"user","value":true,"source":"PROVIDER_CACHE","metadata.team":"a"}}"#,
      ])
    let milliseconds = try Imported(
      #"{"kind":"feature","userKey":"u","creationDate":1767607200123,"key":"f","value":3}"#)
    #expect(
      milliseconds.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00.123000Z","unit":"u","experiment":"f","variant":"3","context":{"value":3}}"#
      ])
  }

  @Test("a tracking event is a conversion, and other kinds are counted")
  func tracking() throws {
    let imported = try Imported(
      """
      {"kind":"tracking","contextKind":"user","userKey":"u-1","creationDate":1767607200,"key":"order",\
      "evaluationContext":{"plan":"pro"},"trackingEventDetails":{"revenue":9.5,"items":2}}
      {"kind":"summary","userKey":"u-1","creationDate":1767607200,"key":"order"}
      {"kind":"feature","userKey":"u-1","creationDate":1767607200,"key":"order"}
      """)
    #expect(
      imported.events == [
        #"{"type":"conversion","time":"2026-01-05T10:00:00Z","unit":"u-1","goal":"order","revenue":9.5,"metadata":{"contextKind":"user","evaluationContext.plan":"pro","trackingEventDetails.items":2}}"#
      ])
    #expect(imported.ignored == ["events other than feature and tracking": 1])
    #expect(imported.rejected == [#"3: bad event: there is no "variation" or "value""#])
  }

  @Test("CSV has a header or, by default, none")
  func table() throws {
    let rows = """
      feature;user;0123;1767607200;checkout;new;a,b;false;SERVER
      feature;user;u-2;1767607201;checkout;old;x;true;SERVER
      feature;user;u-3;1767607202;checkout;old
      """
    let expected = [
      #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"0123","experiment":"checkout","variant":"new","context":{"contextKind":"user","value":"a,b","source":"SERVER"}}"#,
      #"{"type":"decision","time":"2026-01-05T10:00:01Z","unit":"u-2","experiment":"checkout","variant":"old","status":"excluded","context":{"contextKind":"user","value":"x","source":"SERVER"}}"#,
    ]
    let imported = try Imported(rows)
    #expect(imported.events == expected)
    #expect(
      imported.rejected == ["3: wrong column count: 6 fields where the header has 9"])
    let header = "kind;contextKind;userKey;creationDate;key;variation;value;default;source\n"
    #expect(try Imported(header + rows).events == expected)
    let older = try Imported("feature;user;u;1767607200;f;a;1;false\n")
    #expect(
      older.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"u","experiment":"f","variant":"a","context":{"contextKind":"user","value":1}}"#
      ])
  }
}
