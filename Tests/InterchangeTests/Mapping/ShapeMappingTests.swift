import Specifications
import Testing

@testable import Interchange

@Suite("Formats as mappings")
struct ShapeMappingTests {
  /// A format, records of it that a mapping reads alike, and how many of the events are data points.
  struct Sample: Sendable, CustomTestStringConvertible {
    let format: any ShapedFormat.Type
    let records: String
    var shape = 0

    var testDescription: String { "\(format.info.name), shape \(shape)" }
  }

  static let samples = [
    Sample(
      format: Segment.self,
      records: """
        {"type":"track","event":"Experiment Viewed","messageId":"m-1","userId":"u-1","anonymousId":"a-1","timestamp":"2026-01-05T10:00:00.123Z","receivedAt":"2026-01-05T10:00:01Z","properties":{"experiment_id":"007","variation_id":"1","plan":"pro","revenue":3}}
        {"type":"track","event":"Order Completed","messageId":"m-2","anonymousId":"a-1","timestamp":1767607200000,"properties":{"total":12.5,"experiment_id":"7","products":[{"sku":"x"}]}}
        {"type":"track","event":"Order Refunded","messageId":"m-3","userId":"","anonymousId":"a-1","originalTimestamp":1767607200000,"properties":{"revenue":2}}
        {"type":"track","event":"Adjusted","messageId":"m-4","userId":"null","anonymousId":"a-1","sentAt":1767607200000,"properties":{"revenue":-2}}
        {"type":"track","event":"Eppo Randomization Event","messageId":"m-5","userId":"u-1","timestamp":"2026-01-05T10:00:00Z","properties":{"experiment":"flag-alloc","variation":"on","subject":"s-1"}}
        {"type":"identify","messageId":"m-6","userId":"u-1","timestamp":"2026-01-05T10:00:00Z","traits":{"plan":"pro","age":33,"empty":null}}
        {"type":"identify","messageId":"m-7","userId":"u-1","timestamp":"2026-01-05T10:00:00Z","context":{"traits":{"plan":"pro"}}}
        {"type":"page","messageId":"m-8","userId":"u-1","timestamp":"2026-01-05T10:00:00Z","event":"Seen"}
        """, shape: 1),
    Sample(
      format: Segment.self,
      records: """
        id,user_id,anonymous_id,received_at,timestamp,event,event_text,experiment_id,variation_id,revenue,plan
        r-1,001,a-1,2026-01-05 10:00:01.123 UTC,2026-01-05 10:00:00.123 UTC,,,checkout,1,,pro
        r-2,,a-2,2026-01-05 10:00:00+00:00,,experiment_viewed,Experiment Viewed,checkout,0,,
        r-3,,a-2,2026-01-05 10:00:00,,,Order Completed,,,12.5,pro
        """),
    Sample(
      format: Mixpanel.self,
      records: """
        {"event":"$experiment_started","properties":{"time":1767607200,"distinct_id":"u-1","Experiment name":"button","Variant name":"red","$insert_id":"i-1","$browser":"Firefox"}}
        {"event":"Purchase","properties":{"time":1767607201,"$device_id":"d-1","$amount":3,"$insert_id":"i-2"}}
        {"event":"Purchase","properties":{"time":1767607201,"distinct_id":"u-1","revenue":3,"$amount":4}}
        """),
    Sample(
      format: PostHog.self,
      records: """
        {"uuid":"1","event":"$feature_flag_called","distinct_id":"u-1","timestamp":"2026-01-05T10:00:00Z","properties":{"$feature_flag":"new-cart","$feature_flag_response":false,"$lib":"web"}}
        {"uuid":"2","event":"$feature_flag_called","distinct_id":"u-1","timestamp":"2026-01-05T10:00:00Z","properties":{"$feature_flag":"new-cart"}}
        {"uuid":"3","event":"paid","distinct_id":"u-1","timestamp":"2026-01-05T10:00:00Z","properties":{"$revenue":9,"revenue":8}}
        {"uuid":"4","event":"$identify","distinct_id":"u-1","timestamp":"2026-01-05T10:00:00Z","properties":{"$set":{"plan":"pro"}}}
        {"uuid":"5","event":"$groupidentify","distinct_id":"u-1","timestamp":"2026-01-05T10:00:00Z","properties":{}}
        """),
    Sample(
      format: Amplitude.self,
      records: """
        {"uuid":"1","event_type":"$exposure","user_id":"u-1","event_time":"2026-01-05 10:00:00.123456","event_properties":{"flag_key":"cart","variant":"on","experiment_key":"exp-1"},"amplitude_id":7}
        {"uuid":"2","event_type":"Order","user_id":null,"device_id":"d-1","event_time":"2026-01-05 10:00:00","event_properties":{"$revenue":9,"flag_key":"x"}}
        {"uuid":"3","event_type":"$identify","user_id":"u-1","event_time":"2026-01-05 10:00:00","event_properties":{},"user_properties":{"$set":{"plan":"pro"}}}
        {"uuid":"4","event_type":"$groupidentify","user_id":"u-1","event_time":"2026-01-05 10:00:00","event_properties":{}}
        """),
    Sample(
      format: Snowplow.self,
      records: """
        event_id,collector_tstamp,true_tstamp,user_id,domain_userid,event,se_action,se_label,se_property,se_value,tr_total
        1,2026-01-05 10:00:00,,,d-1,struct,Experiment Viewed,cart,red,,
        2,2026-01-05 10:00:00,2026-01-05 09:00:00,u-1,d-1,struct,Added,,,3,
        3,2026-01-05 10:00:00,,u-1,d-1,transaction,,,,,12.5
        """),
    Sample(
      format: Unleash.self,
      records: """
        {"eventType":"isEnabled","eventId":"1","featureName":"cart","enabled":true,"context":{"userId":"u-1","sessionId":"s-1","environment":"prod"},"timestamp":"2026-01-05T10:00:00Z"}
        {"eventType":"getVariant","eventId":"2","featureName":"cart","enabled":true,"variant":"red","context":{"sessionId":"s-1"},"time":"2026-01-05T10:00:00Z"}
        {"eventType":"getVariant","eventId":"3","featureName":"cart","enabled":true,"variant":{"name":"blue","enabled":true},"context":{"userId":"u-1"},"time":"2026-01-05T10:00:00Z"}
        {"eventType":"other","eventId":"4","featureName":"cart","enabled":true,"context":{"userId":"u-1"},"time":"2026-01-05T10:00:00Z"}
        """),
    Sample(
      format: GoFeatureFlag.self,
      records: """
        {"kind":"feature","contextKind":"user","userKey":"u-1","creationDate":1767607200,"key":"cart","variation":"red","value":true,"default":false}
        {"kind":"feature","contextKind":"user","userKey":"u-2","creationDate":1767607200,"key":"cart","value":"YES","default":true}
        {"kind":"tracking","userKey":"u-1","creationDate":1767607200,"key":"paid","trackingEventDetails":{"revenue":3,"page":"/"}}
        {"kind":"other","userKey":"u-1","creationDate":1767607200,"key":"paid"}
        """),
    Sample(
      format: Eppo.self,
      records: """
        {"timestamp":"2026-01-05T10:00:00Z","subject":"001","experiment":"cart-7","variation":"0","subjectAttributes":{"plan":"pro"},"action":"x"}
        {"timestamp":"2026-01-05T10:00:00Z","bandit_key":"shoes","subject":"s-1","action":"nike","action_probability":0.25,"model_version":"v3","subject_numeric_attributes":{"age":30},"action_numeric_attributes":{"price":80,"rank":null},"action_categorical_attributes":{"brand":"nike","price":"high"},"experiment":"y"}
        {"timestamp":"2026-01-05T10:00:01Z","bandit":"0","featureFlag":"f","subject":"s-2","action":"adidas","actionProbability":1,"modelVersion":"v3","actionNumericAttributes":{"price":2},"actionCategoricalAttributes":{}}
        {"timestamp":"2026-01-05T10:00:00Z","bandit_key":"shoes","subject":"s-1","action":null}
        """),
    Sample(
      format: Optimizely.self,
      records: """
        {"uuid":"d-1","timestamp":"2026-01-05T10:00:00Z","process_timestamp":"2026-01-05T10:01:00Z","visitor_id":"0700","campaign_id":"c","experiment_id":"0","variation_id":"v-2","is_holdback":true,"revenue":3,"attributes":[{"id":"1","name":"plan","type":"custom","value":"pro"},{"id":"2","name":null,"value":"x"},{"id":"3","name":"empty","value":null}]}
        {"uuid":"c-1","timestamp":1767607200000,"visitor_id":"v","entity_id":"77","event_type":"other","event_name":"purchase","revenue":1999,"experiment_id":"e","value":2.5,"tags":{"sku":"x"},"experiments":[{"experiment_id":"e-1"}]}
        {"uuid":"c-2","timestamp":1767607201000,"visitor_id":"v","entity_id":"77","event_name":null,"revenue":-50,"attributes":[]}
        {"uuid":"d-2","timestamp":1767607201000,"visitor_id":"v","variation_id":"v-2"}
        """),
    Sample(
      format: GoogleAnalytics.self,
      records: """
        {"event_date":"20260105","event_timestamp":"1767607200123456","event_name":"experiment_viewed","event_params":[{"key":"variation_id","value":{"int_value":"1"}},{"key":"experiment_id","value":{"string_value":"007","int_value":null}},{"key":"ga_session_id","value":{"int_value":"1767607100"}},{"key":"engaged","value":{}}],"user_properties":[{"key":"plan","value":{"string_value":"1","set_timestamp_micros":"1767600000000000"}}],"user_pseudo_id":"12.34","event_bundle_sequence_id":"-5","batch_event_index":"2","device":{"category":"mobile"}}
        {"event_timestamp":1767607200123456,"event_name":"purchase","user_id":"u-1","user_pseudo_id":"12.34","event_params":[{"key":"value","value":{"double_value":12.5}},{"key":"big","value":{"int_value":"9223372036854775807"}}],"ecommerce":{"purchase_revenue":12.5,"transaction_id":"t-1"},"event_value_in_usd":13.1,"items":[{"item_id":"x"}],"batch_event_index":"3"}
        {"event_timestamp":1767607200123456,"event_name":"refund","user_id":"0","event_value_in_usd":13.1,"ecommerce":{"refund_value":9}}
        {"event_timestamp":1767607200123456,"event_name":"page_view","user_pseudo_id":null}
        """),
  ]

  @Test("a mapping makes the events of its format, but for what its comments say", arguments: samples)
  func same(_ sample: Sample) throws {
    let shape = try #require(sample.format.shapes.dropFirst(sample.shape).first)
    let mapping = try EventMapping(ShapeMapping(shape).entries)
    let isTable = !sample.records.hasPrefix("{")
    let name = isTable ? "rows.csv" : "rows.jsonl"
    let own = try Imported(sample.records, name: name, format: sample.format.info.name)
    let mapped = try Imported(sample.records, name: name, format: "csv", mapping: mapping)
    #expect(own.rejected.isEmpty)
    #expect(mapped.rejected.isEmpty)
    #expect(own.events.count > 2)
    let (wanted, got) = (own.events.map(Self.comparable).sorted(), mapped.events.map(Self.comparable).sorted())
    #expect(got == wanted)
  }

  /// Returns an event with its parts in one order, without an id of several fields, which a mapping cannot make.
  private static func comparable(_ event: String) -> String {
    var text = event.replacing(/"properties\.\$insert_id":"[^"]*",?/, with: "")
    text.replace(/"(context|metadata)":/, with: "")
    if text.contains("#") { text = text.replacing(/"id":"[^"]*",/, with: "") }
    return text.filter { !"{}".contains($0) }.split(separator: ",").sorted().joined(separator: ",")
  }

  @Test("the names of a shape are those that are written: none is one too many")
  func names() {
    for sample in Self.samples {
      for shape in sample.format.shapes {
        var all = [shape.time, shape.unit] + shape.idScope + shape.members.flatMap { [$0.list, $0.name, $0.value] }
        all += [shape.what, shape.received, shape.id, shape.looseID, shape.kept].compactMap(\.self)
        for part in shape.cases {
          all += part.conditions.flatMap { [$0.field, $0.contents].compactMap(\.self) }
          switch part.content {
          case .ignored: break
          case .decision(let experiment, let variant): all += [experiment, variant]
          case .decisions(_, let object, _), .dataPoints(_, let object, _): all.append(object)
          case .conversion(let goal, let revenue, let ofRefunds): all += [goal, revenue, ofRefunds ?? goal]
          }
          all += part.features + [part.propensity, part.policy].compactMap(\.self)
        }
        for names in all { #expect(names.strings.joined(separator: " | ") == names.text) }
      }
    }
  }

  @Test("a format prints its mapping; one that a mapping cannot say has none")
  func text() throws {
    let text = try #require(FormatCatalog.standard.mapping(of: "snowplow"))
    #expect(
      text == """
        # What --format snowplow does, as a mapping: copy it and change what your records have otherwise,
        # then bandolier import FILE --map MAPPING.yaml. Of a table, delete the lines of columns that it lacks.
        # The fields of conditions are no attributes here.
        time: "true_tstamp | derived_tstamp | dvce_created_tstamp | collector_tstamp"
        unit: "user_id | domain_userid | network_userid"
        id: event_id
        unique: "=true"
        type: =decision
        when: "se_action == Experiment Viewed | experiment_viewed | Viewed Experiment | viewed_experiment"
        experiment: se_label
        variant: se_property
        "context.*": "*"
        2.id: event_id
        2.type: =conversion
        2.unless: "se_action == Experiment Viewed | experiment_viewed | Viewed Experiment | viewed_experiment"
        2.goal: "se_action | event_name | event"
        2.revenue: tr_total
        2.negative: "={refund}"
        "2.metadata.*": "*"

        """)
    for (name, line) in [
      ("optimizely", "members.attributes: \"name | id, value\""), ("optimizely", "revenue: \"revenue / 100\""),
      ("optimizely", "2.unless: \"event_name | entity_id | event_type == *\""), ("eppo", "# --format counts bandits"),
      ("eppo", "action_numeric_attributes.* | actionNumericAttributes.*, action_categorical_attributes.* | "),
      ("ga4", "members.event_params: \"key, value.string_value | value.int_value | "),
      ("ga4", "# and of goals that are named as refunds, with --format: ecommerce.refund_value | "),
    ] {
      #expect(FormatCatalog.standard.mapping(of: name)?.contains(line) == true, "\(line)")
    }
    #expect(FormatCatalog.standard.mapping(of: "statsig") == nil)
  }
}
