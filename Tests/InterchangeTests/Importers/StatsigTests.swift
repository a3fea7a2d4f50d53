import Testing

@testable import Interchange

@Suite("Statsig exposures and events")
struct StatsigTests {
  @Test("exposures of the webhook are decisions of their gate, layer, experiment or configuration")
  func webhook() throws {
    let imported = try Imported(
      """
      [{"eventName":"statsig::experiment_exposure","user":{"userID":"001"},"userID":"001","timestamp":"1767607200123",\
      "statsigMetadata":{},"value":"","metadata":{"config":"checkout","ruleID":"r-1","experimentGroupName":"Control"},\
      "timeUUID":"t-1","unitID":"userID"},
      {"eventName":"statsig::gate_exposure","user":{"userID":"001","customIDs":{"companyID":"c-9"}},"userID":"001",\
      "timestamp":1767607200123,"metadata":{"gate":"beta","gateValue":"true","ruleID":"default"},"timeUUID":"t-2",\
      "unitID":"companyID"},
      {"eventName":"statsig::layer_exposure","user":{"customIDs":{"stableID":"s-1"}},"timestamp":1767607200123,\
      "metadata":{"config":"layer","allocatedExperiment":"color","ruleID":"r-2"},"timeUUID":"t-3"},
      {"eventName":"statsig::config_exposure","userID":"u","timestamp":1767607200123,\
      "metadata":{"config":"limits","allocatedExperiment":"","ruleID":"","experimentGroupName":"B"},"timeUUID":"t-4"},
      {"eventName":"statsig::config_change","userID":"u","timestamp":1767607200123,"metadata":{},"timeUUID":"t-5"},
      {"eventName":"statsig::holdout_exposure","userID":"u","timestamp":1767607200123,"metadata":{},"timeUUID":"t-6"}]
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"t-1","time":"2026-01-05T10:00:00.123000Z","unit":"001","experiment":"checkout","variant":"r-1","context":{"user.userID":"001","value":"","metadata.experimentGroupName":"Control","unitID":"userID"}}"#,
        #"{"type":"decision","id":"t-2","time":"2026-01-05T10:00:00.123000Z","unit":"c-9","experiment":"beta","variant":"true","context":{"user.userID":"001","userID":"001","metadata.ruleID":"default","unitID":"companyID"}}"#,
        #"{"type":"decision","id":"t-3","time":"2026-01-05T10:00:00.123000Z","unit":"s-1","experiment":"color","variant":"r-2","context":{"metadata.config":"layer"}}"#,
        #"{"type":"decision","id":"t-4","time":"2026-01-05T10:00:00.123000Z","unit":"u","experiment":"limits","variant":"B"}"#,
      ])
    #expect(
      imported.ignored == ["events of the system, such as changes of configurations": 1])
    #expect(
      imported.rejected == [
        #"6: bad event: there is no "metadata.gate" or "metadata.config""#
      ])
  }

  @Test("requests of the webhook stand for the events in their list, whatever follows it")
  func requests() throws {
    let event = { (number: Int) in
      #"{"eventName":"buy","userID":"u","timestamp":1767607200123,"timeUUID":"t-\#(number)"}"#
    }
    let text = """
      {"data":[\(event(1)),\(event(2))]}
      { "data" :
       [ \(event(3)), {"eventName":"buy"}
       ], "more": [{"a":"]}"}], "b": {} }
      {"batch":[]}
      \(event(4))
      {"data":[\(event(5))]}

      """
    let imported = try Imported(text)
    #expect(
      imported.events.compactMap { $0.firstMatch(of: /t-\d/)?.output } == [
        "t-1", "t-2", "t-3", "t-4", "t-5",
      ])
    #expect(imported.rejected == [#"3: bad time: there is no "timestamp""#])
    for broken in [#"{"data":["#, #"{"data":[\#(event(1))"#, #"{"data":[\#(event(1))]"#] {
      #expect(throws: ImportError.self, "\(broken)") { try Imported(broken, format: "statsig") }
    }
    let other = try Imported(#"{"data":{"x":1}}"#, format: "statsig")
    #expect(other.rejected.count == 1)
  }

  @Test("custom events are conversions; a value is revenue only with a currency")
  func events() throws {
    let webhook = try Imported(
      """
      {"eventName":"purchase","userID":"u","timestamp":1767607200123,"value":12.5,"metadata":{"currency":"EUR"},"timeUUID":"t-7"}
      {"eventName":"page_load","userID":"u","timestamp":1767607200123,"value":"250","metadata":{"page":"home"},"timeUUID":"t-8"}
      """)
    #expect(
      webhook.events == [
        #"{"type":"conversion","id":"t-7","time":"2026-01-05T10:00:00.123000Z","unit":"u","goal":"purchase","revenue":12.5,"metadata":{"metadata.currency":"EUR"}}"#,
        #"{"type":"conversion","id":"t-8","time":"2026-01-05T10:00:00.123000Z","unit":"u","goal":"page_load","metadata":{"value":"250","metadata.page":"home"}}"#,
      ])
    let table = try Imported(
      """
      user_id,stable_id,timestamp,event_name,event_value,company_metadata
      ,s-1,2026-01-05 10:00:00.123,purchase,12.5,"{""currency"":""EUR""}"
      """)
    #expect(
      table.events == [
        #"{"type":"conversion","time":"2026-01-05T10:00:00.123000Z","unit":"s-1","goal":"purchase","revenue":12.5,"metadata":{"company_metadata.currency":"EUR"}}"#
      ])
  }

  @Test("the export repeats an exposure in the files of later days, with the same id")
  func export() throws {
    let imported = try Imported(
      """
      company_id,unit_id,unit_type,exposure_type,name,rule,experiment_group,first_exposure_utc,as_of_pst_date,group_id
      c,001,userID,get_experiment,checkout,,Control,2026-01-05 10:00:00,2026-01-05,g-1
      c,001,userID,check_gate,beta,rule-1,,2026-01-05 10:00:00 UTC,2026-01-06,
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"checkout#g-1#001#2026-01-05 10:00:00","time":"2026-01-05T10:00:00Z","unit":"001","experiment":"checkout","variant":"g-1","context":{"company_id":"c","unit_type":"userID","exposure_type":"get_experiment","experiment_group":"Control","as_of_pst_date":"2026-01-05"}}"#,
        #"{"type":"decision","id":"beta#rule-1#001#2026-01-05 10:00:00 UTC","time":"2026-01-05T10:00:00Z","unit":"001","experiment":"beta","variant":"rule-1","context":{"company_id":"c","unit_type":"userID","exposure_type":"check_gate","as_of_pst_date":"2026-01-06"}}"#,
      ])
  }

  @Test("forwarded exposures may have ids of their own kind and dimensions as JSON text")
  func forwarded() throws {
    let imported = try Imported(
      """
      experiment_id,group_id,group_name,stable_id,teamID,timestamp,user_dimensions
      checkout,g-1,Control,s-1,t-1,2026-01-05T10:00:00Z,"{""country"":""DE""}"
      checkout,,Test,,t-1,2026-01-05T10:00:00Z,
      checkout,,Test,,,2026-01-05T10:00:00Z,
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"s-1","experiment":"checkout","variant":"g-1","context":{"group_name":"Control","teamID":"t-1","user_dimensions.country":"DE"}}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"t-1","experiment":"checkout","variant":"Test"}"#,
      ])
    #expect(
      imported.rejected == [
        #"4: missing unit: there is no "user_id", "stable_id" or other column with an id"#
      ])
  }
}
