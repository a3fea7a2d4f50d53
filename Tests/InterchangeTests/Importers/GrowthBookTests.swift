import Testing

@testable import Interchange

@Suite("GrowthBook tables")
struct GrowthBookTests {
  @Test("a row of an assignment table is a decision, with the dimensions as its context")
  func assignments() throws {
    let imported = try Imported(
      """
      user_id,anonymous_id,timestamp,experiment_id,variation_id,browser,country
      001,a-1,2026-01-05 10:00:00,checkout,0,Firefox,
      002,,2026-01-05 10:00:01.5,checkout,1,,DE

      """)
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"001","experiment":"checkout","variant":"0","context":{"anonymous_id":"a-1","browser":"Firefox"}}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:01.500000Z","unit":"002","experiment":"checkout","variant":"1","context":{"country":"DE"}}"#,
      ])
  }

  @Test("rows without the identifier are rejected, whichever other ones they have")
  func noIdentifier() throws {
    let imported = try Imported(
      """
      anonymous_id,user_id,timestamp,experiment_id,variation_id
      a-1,,2026-01-05 10:00:00,checkout,0
      a-1,u-1,2026-01-05 10:00:00,checkout,0
      """)
    #expect(imported.events.count == 1)
    #expect(imported.events.first?.contains(#""unit":"u-1""#) == true)
    #expect(imported.rejected == [#"2: missing unit: "user_id", the identifier, is empty"#])
  }

  @Test("the identifier can be given, and one that is not there is an error")
  func unit() throws {
    let text = """
      {"user_id":"u-1","company_id":7,"timestamp":"2026-01-05 10:00:00 UTC","experiment_id":"checkout","variation_id":1}
      {"user_id":"u-2","company_id":null,"timestamp":"2026-01-05 10:00:00 UTC","experiment_id":"checkout","variation_id":1}
      """
    let imported = try Imported(text, format: "growthbook:unit=company_id")
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"7","experiment":"checkout","variant":"1","context":{"user_id":"u-1"}}"#
      ])
    #expect(imported.rejected == [#"2: missing unit: "company_id", the identifier, is empty"#])
    let missing = try Imported(text, format: "growthbook:unit=company")
    #expect(
      missing.rejected.first
        == #"1: bad event: there is no "company"; name the identifier with unit=COLUMN"#)
  }

  @Test("rows without experiment, variation or time are rejected")
  func rejected() throws {
    let imported = try Imported(
      """
      id,timestamp,experiment_id,variation_id
      1,2026-01-05,,0
      1,2026-01-05,checkout,
      1,,checkout,0
      1,soon,checkout,0
      """)
    #expect(imported.events.isEmpty)
    #expect(
      imported.rejected == [
        #"2: bad event: there is no "experiment_id""#,
        #"3: bad event: there is no "variation_id""#,
        #"4: bad time: there is no "timestamp""#,
        #"5: bad time: "timestamp" is "soon", which is no time; write 2026-01-05, 2026-01-05T10:00:00Z (UTC without an offset, or one such as +02:00), or a number since 1970"#,
      ])
  }

  @Test("a row of a fact table is a conversion, named after the file or as given")
  func facts() throws {
    let text = """
      timestamp,user_id,amount,device
      1767607200,u-1,12.5,phone
      1767607201,u-2,,
      1767607201,,3,
      1767607202,u-3,many,
      """
    let imported = try Imported(text, name: "orders.csv")
    #expect(
      imported.events == [
        #"{"type":"conversion","time":"2026-01-05T10:00:00Z","unit":"u-1","goal":"orders","revenue":12.5,"metadata":{"device":"phone"}}"#,
        #"{"type":"conversion","time":"2026-01-05T10:00:01Z","unit":"u-2","goal":"orders"}"#,
      ])
    #expect(
      imported.rejected == [
        #"4: missing unit: "user_id", the identifier, is empty"#,
        #"5: bad number: the value is "many" and must be a number"#,
      ])
    let named = try Imported(text, format: "growthbook-facts:goal=order,unit=device,value=amount")
    #expect(
      named.events == [
        #"{"type":"conversion","time":"2026-01-05T10:00:00Z","unit":"phone","goal":"order","revenue":12.5,"metadata":{"user_id":"u-1"}}"#
      ])
    let absent = try Imported(text, format: "growthbook-facts:value=total")
    #expect(
      absent.rejected.first
        == #"2: bad event: there is no "total"; name the column with value=COLUMN"#)
  }

  @Test("the goal is that of the column, unless one is given; an empty value is no revenue")
  func goals() throws {
    let text = "timestamp,user_id,goal,value,amount\n2026-01-05,u,order,,7\n2026-01-05,u,,2,\n"
    let start = #"{"type":"conversion","time":"2026-01-05T00:00:00Z","unit":"u","goal":"#
    #expect(
      try Imported(text, name: "facts.csv").events == [
        start + #""order","metadata":{"amount":7}}"#, start + #""facts","revenue":2}"#,
      ])
    #expect(
      try Imported(text, format: "growthbook-facts:goal=buy").events == [
        start + #""buy","metadata":{"goal":"order","amount":7}}"#, start + #""buy","revenue":2}"#,
      ])
  }

  @Test("tables of other systems are not taken for fact tables")
  func notFacts() {
    for header in [
      "timestamp,user_id,event_name,value", "timestamp,user_id,experiment_id,value",
      "timestamp,visitor_id,uuid,value", "timestamp,user_id,count", "time,user_id,value",
    ] {
      let match = GrowthBookFacts.match(InputSample(Array(header.utf8)))
      guard case .mismatch = match else {
        Issue.record("\(header): \(match)")
        continue
      }
    }
  }
}
