import Testing

@testable import Interchange

@Suite("Snowplow events")
struct SnowplowTests {
  @Test("Experiment Viewed is a decision, from TSV")
  func exposure() throws {
    let imported = try Imported(
      """
      event_id\tcollector_tstamp\tderived_tstamp\tuser_id\tdomain_userid\tse_category\tse_action\tse_label\tse_property\tse_value\tgeo_country
      s-1\t2026-01-05 10:00:01.000\t2026-01-05 10:00:00.250\t001\td-1\tab\tExperiment Viewed\tcheckout\t1\t0.5\tDE
      s-2\t2026-01-05 10:00:01.000\t\t\td-1\tui\tClick\tbutton\t\t2\t
      s-3\t2026-01-05 10:00:01.000\t\t\t\tui\tClick\tbutton\t\t2\t
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"s-1","time":"2026-01-05T10:00:00.250000Z","unit":"001","experiment":"checkout","variant":"1","context":{"collector_tstamp":"2026-01-05 10:00:01.000","domain_userid":"d-1","se_category":"ab","se_value":0.5,"geo_country":"DE"}}"#,
        #"{"type":"conversion","id":"s-2","time":"2026-01-05T10:00:01Z","unit":"d-1","goal":"Click","metadata":{"se_category":"ui","se_label":"button","se_value":2}}"#,
      ])
    #expect(
      imported.rejected == [
        #"4: missing unit: there is no "user_id" or "domain_userid" or "network_userid""#
      ])
  }

  @Test("transactions are conversions with their total, from JSON")
  func transaction() throws {
    let imported = try Imported(
      """
      {"event_id":"s-4","collector_tstamp":"2026-01-05T10:00:01.000Z","dvce_created_tstamp":"2026-01-05T10:00:00Z",\
      "domain_userid":"d-1","event":"transaction","event_name":"transaction","tr_orderid":"o-1","tr_total":12.5,\
      "contexts_com_acme_user_1":[{"plan":"pro"}]}
      """)
    #expect(
      imported.events == [
        #"{"type":"conversion","id":"s-4","time":"2026-01-05T10:00:00Z","unit":"d-1","goal":"transaction","revenue":12.5,"metadata":{"collector_tstamp":"2026-01-05T10:00:01.000Z","event":"transaction","tr_orderid":"o-1","contexts_com_acme_user_1":"[{\"plan\":\"pro\"}]"}}"#
      ])
  }
}
