import Events
import Foundation
import TestSupport
import Testing

@testable import Interchange

/// What an exporter writes.
struct Exported {
  var text = ""
  var omitted: [String: Int] = [:]
  var refusal: String?

  /// Exports events given as JSON Lines.
  init(_ lines: [String], _ format: any ExportFormat.Type) throws {
    var decoder = JSONLinesDecoder()
    var (record, bytes) = (EventRecord(), [UInt8]())
    var names = AttributeNames()
    for line in lines {
      try decoder.decode(Array(line.utf8).span, into: &record)
      names.add(record)
    }
    var exporter =
      (format as? any ColumnExportFormat.Type)?.makeExporter(names) ?? format.makeExporter()
    for line in lines {
      try decoder.decode(Array(line.utf8).span, into: &record)
      exporter.append(record, to: &bytes)
      text += String(decoding: bytes, as: UTF8.self)
      bytes.removeAll()
    }
    exporter.finish(to: &bytes)
    text += String(decoding: bytes, as: UTF8.self)
    (omitted, refusal) = (exporter.omitted, exporter.refusal)
  }
}

@Suite("Export as Decision Service JSON")
struct DecisionServiceExportTests {
  private let log = [
    #"{"type":"decision","id":"e-1","time":"2026-01-05T10:00:00.5Z","unit":"e-1","experiment":"x","variant":"3","choices":["1","2","3"],"propensity":0.5,"probabilities":[0.3,0.2,0.5],"policy":"m-1","context":{"hour":7,"user.plan":"a \"b\"\n","user.geo.country":"de","pdrop":0.25,"_skipLearn":true,"_ba":"[1]"},"features":{"1":{"_tag":"x","j.size":1},"3":{"j.hot":true}}}"#,
    #"{"type":"goal","id":"e-1/2","time":"2026-01-05T10:00:00.5Z","unit":"e-1","experiment":"x","goal":"reward","value":2.5,"metadata":{"_original_label_cost":-3,"o":"[{\"v\":2.5}]"}}"#,
    #"{"type":"goal","time":"2026-01-05T10:00:01Z","unit":"e-1","experiment":"x","goal":"reward","value":1,"metadata":{"Observations":"[{\"v\":1}]"}}"#,
    #"{"type":"decision","id":"e-2","time":"2026-01-05T10:00:02Z","unit":"e-2","experiment":"x","variant":"1","choices":["1","2"],"propensity":0.8,"status":"provisional"}"#,
    #"{"type":"decisionConfirmed","time":"2026-01-05T10:00:03Z","unit":"e-2","experiment":"x"}"#,
  ]

  @Test("a decision with its reward is a line, and later rewards and confirmations are lines")
  func lines() throws {
    let exported = try Exported(log, DecisionServiceJSON.self)
    #expect(
      exported.text.split(separator: "\n") == [
        #"{"_label_cost":-2.5,"_original_label_cost":-3,"o":[{"v":2.5}],"_label_probability":0.5,"_label_Action":3,"_labelIndex":2,"Timestamp":"2026-01-05T10:00:00.500000Z","Version":"1","EventId":"e-1","a":[3,1,2],"c":{"_multi":[{"_tag":"x","j":{"size":1}},{},{"j":{"hot":true}}],"hour":7,"user":{"plan":"a \"b\"\u000a","geo.country":"de"}},"p":[0.5,0.3,0.2],"VWState":{"m":"m-1"},"pdrop":0.25,"_skipLearn":true,"_ba":[1]}"#,
        #"{"RewardValue":1,"EnqueuedTimeUtc":"2026-01-05T10:00:01Z","EventId":"e-1","Observations":[{"v":1}]}"#,
        #"{"_label_cost":0,"_label_probability":0.8,"_label_Action":1,"_labelIndex":0,"Timestamp":"2026-01-05T10:00:02Z","Version":"1","EventId":"e-2","_deferred":true,"a":[1,2],"c":{"_multi":[{},{}]}}"#,
        #"{"RewardValue":null,"EnqueuedTimeUtc":"2026-01-05T10:00:03Z","EventId":"e-2","DeferredAction":false}"#,
      ])
    #expect(exported.omitted.isEmpty)
  }

  @Test("importing what was exported gives the same events")
  func roundTrip() throws {
    let exported = try Exported(log, DecisionServiceJSON.self)
    let again = try Imported(exported.text, name: "x.json")
    let events = log.map { $0.replacing(".5Z", with: ".500000Z") }
    #expect(again.events == events)
  }

  @Test(
    "a log of slots, of a slate, or of actions that are not listed comes back as it was",
    arguments: [
      #"{"EventId":"e-1","Timestamp":"2026-01-05T10:00:00Z","c":{"s":{"x":1},"_multi":[{"a":{"v":0}},{},{}],"_slots":[{"z":1},{"z":2,"_inc":[0,1,2]},{}]},"_outcomes":[{"_id":"o-1","_label_cost":-1,"_a":[1,0],"_p":[0.75,0.25],"_o":[1],"extra":9},{"_label_cost":0,"_a":2,"_p":0.5},{"_a":[0],"_p":[1]}],"VWState":{"m":"N/A"}}"#,
      #"{"EventId":"e-1","Timestamp":"2026-01-05T10:00:00Z","_label_cost":-0.5,"c":{"_multi":[{"_slot_id":0,"k":"a"},{"_slot_id":1,"k":"b"},{"_slot_id":0,"k":"c"},{"_slot_id":1}],"_slots":[{"q":1},{}]},"_outcomes":[{"_a":1,"_p":0.8},{"_a":[0,1],"_p":[0.6,0.4]}]}"#,
      #"{"EventId":"e-1","Timestamp":"2026-01-05T10:00:00Z","_label_cost":2,"a":[5,2],"p":[0.6,0.4],"c":{"x":{"y":1}}}"#,
      #"{"EventId":"e-1","_label_cost":2,"_label_Action":2,"_label_probability":0.25,"c":{"_multi":[{},{}]}}"#,
    ])
  func others(line: String) throws {
    let first = try Imported(line)
    #expect(!first.events.isEmpty && first.rejected.isEmpty)
    let exported = try Exported(first.events, DecisionServiceJSON.self)
    #expect(try Imported(exported.text) == first, "\(exported.text)")
  }

  @Test("variants with names are tags")
  func tags() throws {
    let events = [
      #"{"type":"decision","id":"u-1","time":"2026-01-05T10:00:00Z","unit":"u-1","experiment":"log","variant":"red","choices":["blue","red"],"propensity":0.5,"features":{"red":{"size":2}}}"#
    ]
    let exported = try Exported(events, DecisionServiceJSON.self)
    #expect(exported.text.contains(#""_multi":[{"_tag":"blue"},{"_tag":"red","size":2}]"#))
    #expect(try Imported(exported.text, format: "dsjson:actions=tag").events == events)
  }

  @Test("what the format cannot express is counted")
  func omitted() throws {
    let exported = try Exported(
      [
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"u-1","experiment":"x","variant":"1","status":"excluded"}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"u-1","experiment":"x","variant":"1","status":"repeated"}"#,
        #"{"type":"goal","time":"2026-01-05T10:00:00Z","unit":"u-1","experiment":"x","goal":"g","status":"refused"}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"u-1","experiment":"x","variant":"3","choices":["1","2"]}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"u-1","experiment":"x","variant":"1","choices":["1","1"]}"#,
        #"{"type":"goal","time":"2026-01-05T10:00:00Z","unit":"u-1","experiment":"x","goal":"g"}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"u-1","experiment":"y","variant":"1"}"#,
        #"{"type":"conversion","time":"2026-01-05T10:00:00Z","unit":"u-1","goal":"g"}"#,
        #"{"type":"dataPoint","time":"2026-01-05T10:00:00Z","unit":"u-1","kind":"k"}"#,
        #"{"type":"sessionExpired","time":"2026-01-05T10:00:00Z","unit":"u-1"}"#,
        #"{"type":"decisionConfirmed","time":"2026-01-05T10:00:00Z","unit":"","experiment":"x"}"#,
      ], DecisionServiceJSON.self)
    #expect(
      exported.omitted == [
        "excluded decisions": 1, "repeated decisions": 1, "refused goals": 1,
        "events of further experiments": 1, "conversions": 1, "data points": 1,
        "life-cycle events": 1, "confirmations without a unit": 1,
        "decisions with other variants than their choices": 2,
      ])
    #expect(
      exported.text
        == #"{"RewardValue":1,"EnqueuedTimeUtc":"2026-01-05T10:00:00Z","EventId":"u-1"}"# + "\n")
  }

  @Test(
    "the logs of Vowpal Wabbit come back as they were",
    .enabled(
      if: Datasets.hasDecisionService,
      "needs the files dsjson in ../shared/datasets or in the folder BANDOLIER_DATASETS"),
    arguments: ["dsjson_cb.json", "ccb_reuse_medium.dsjson"])
  func published(name: String) throws {
    let text = try String(contentsOfFile: "\(Datasets.folder)/dsjson/\(name)", encoding: .utf8)
    let first = try Imported(text, name: name)
    #expect(first.events.count > 20)
    let exported = try Exported(first.events, DecisionServiceJSON.self)
    // Events without an id get their unit as one.
    let again = try Imported(exported.text, name: name)
    let hasIDs = first.events.contains { $0.contains(#""id":"#) }
    let withoutIDs = { (line: String) in line.replacing(/"id":"[^"]*",/, with: "") }
    #expect(again.events.map(hasIDs ? { $0 } : withoutIDs) == first.events)
    #expect(again.rejected == first.rejected && again.ignored == first.ignored)
  }
}

@Suite("Export as Vowpal Wabbit text")
struct VowpalWabbitExportTests {
  @Test("decisions with their rewards are blocks of lines, and come back from them")
  func blocks() throws {
    let text = """
      shared |user age:33 plan=pro | x
      | size:1.5
      2:-2.5:0.25 |item hot

      shared 'all |
      1:0:0.5 'up |
      'down | size:2

      ccb shared |u x
      ccb action |i a
      ccb action |i b
      ccb action |
      ccb slot 1:-0.5:0.75,0:0.25 1,0 |s one
      ccb slot 2:0:0.5 2,0 |


      """
    let first = try Imported(text)
    let exported = try Exported(first.events, VowpalWabbitText.self)
    #expect(exported.text == text)
    #expect(exported.omitted.isEmpty)
    #expect(try Imported(exported.text) == first)
  }

  @Test("texts, names that are no numbers, and what cannot be expressed")
  func names() throws {
    let exported = try Exported(
      [
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"u-1","experiment":"x","variant":"dark red","choices":["blue","dark red"],"propensity":0.5,"context":{"plan":"a:b|c d","user.new":true,"pdrop":0.5},"features":{"blue":{"id":12345678901234567}}}"#,
        #"{"type":"goal","time":"2026-01-05T11:00:00Z","unit":"u-1","experiment":"x","goal":"g"}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"u-1","experiment":"x","variant":"1"}"#,
      ], VowpalWabbitText.self)
    #expect(
      exported.text
        == "shared | plan=a_b_c_d |user new=true\n'blue | id:12345678901234567\n2:0:0.5 'dark_red |\n\n"
    )
    #expect(exported.omitted == ["later rewards": 1, "decisions without a propensity": 1])
  }
}
