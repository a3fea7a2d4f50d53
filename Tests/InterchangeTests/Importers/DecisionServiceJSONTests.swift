import Events
import Foundation
import Testing

@testable import Interchange

@Suite("Decision Service JSON")
struct DecisionServiceJSONTests {
  @Test("an event is a decision with its context, features and probabilities, and a goal")
  func event() throws {
    let imported = try Imported(
      """
      {"_label_cost":-2.5,"_label_probability":0.5,"_label_Action":3,"_labelIndex":2,"o":[{"v":2.5,"EventId":"e-1"}],\
      "Timestamp":"2026-01-05T10:00:00.1230000Z","Version":"1","EventId":"e-1","a":[3,1,2],"p":[0.5,0.3,0.2],\
      "c":{"user":{"plan":"pro","age":33,"geo":{"country":"de"}},"hour":7,"none":null,\
      "_multi":[{"_tag":"x","j":[{"size":1},{"hot":true}]},{"i":{"id":"y","constant":1}},{}]},\
      "VWState":{"m":"model-1"},"_original_label_cost":-3,"pdrop":0.25,"_skipLearn":true,"_ba":[1]}
      """, name: "coffee.json")
    #expect(
      imported.events == [
        #"{"type":"decision","id":"e-1","time":"2026-01-05T10:00:00.123000Z","unit":"e-1","experiment":"coffee","variant":"3","choices":["1","2","3"],"propensity":0.5,"probabilities":[0.3,0.2,0.5],"policy":"model-1","context":{"user.plan":"pro","user.age":33,"user.geo.country":"de","hour":7,"pdrop":0.25,"_skipLearn":true,"_ba":"[1]"},"features":{"1":{"_tag":"x","j.size":1,"j.hot":true},"2":{"i.id":"y","i.constant":1}}}"#,
        #"{"type":"goal","id":"e-1/2","time":"2026-01-05T10:00:00.123000Z","unit":"e-1","experiment":"coffee","goal":"reward","value":2.5,"metadata":{"_original_label_cost":-3,"o":"[{\"v\":2.5,\"EventId\":\"e-1\"}]"}}"#,
      ])
    #expect(imported.ignored.isEmpty && imported.rejected.isEmpty)
  }

  @Test("keys in any order, the later of p and _p, a cost of NaN, and actions numbered from 0")
  func variations() throws {
    let imported = try Imported(
      """
      {"p":[0.1,0.9],"c":{"_multi":[{},{}]},"_label_cost":"NaN","VWState":{},"_p":[0.8,0.2],"a":[1,0],\
      "EventId":"e-1","Timestamp":"2026-01-05T10:00:00Z"}
      {"_p":[0.1,0.9],"c":{"_multi":[{},{}]},"_label_cost":0.0,"p":[0.8,0.2],"a":[1,2],\
      "EventId":"e-2","Timestamp":"2026-01-05T10:00:00Z"}
      {"c":{"_multi":[{},{}]},"_label_cost":1,"_label_Action":2,"_label_probability":0.5,\
      "Timestamp":"2026-01-05T10:00:00Z"}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"e-1","time":"2026-01-05T10:00:00Z","unit":"e-1","experiment":"log","variant":"2","choices":["1","2"],"propensity":0.8,"probabilities":[0.2,0.8],"context":{"p":"[0.1,0.9]"}}"#,
        #"{"type":"decision","id":"e-2","time":"2026-01-05T10:00:00Z","unit":"e-2","experiment":"log","variant":"1","choices":["1","2"],"propensity":0.8,"probabilities":[0.8,0.2],"context":{"_p":"[0.1,0.9]"}}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"log-3","experiment":"log","variant":"2","choices":["1","2"],"propensity":0.5}"#,
        #"{"type":"goal","time":"2026-01-05T10:00:00Z","unit":"log-3","experiment":"log","goal":"reward","value":-1}"#,
      ])
  }

  @Test("namespaces are objects, lists and texts; a repeated name gets the index of its object")
  func namespaces() throws {
    let imported = try Imported(
      """
      {"EventId":"e-1","Timestamp":"2026-01-05T10:00:00Z","a":[1],"VWState":"v",\
      "c":{"_text":"free","list":[{"a":1,"b":2},{"b":3},{"c":{"b":4}}],"words":["x","y"],"dense":[0.5,[1]],"one":"t",\
      "_multi":[{"s":[{"k":1},{"k":2},{"k":3}]}]}}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"e-1","time":"2026-01-05T10:00:00Z","unit":"e-1","experiment":"log","variant":"1","choices":["1"],"context":{"_text":"free","list.a":1,"list.b":2,"list.1.b":3,"list.c.b":4,"words.0":"x","words.1":"y","dense.0":0.5,"dense.1.0":1,"one":"t","VWState":"v"},"features":{"1":{"s.k":1,"s.1.k":2,"s.2.k":3}}}"#
      ])
  }

  @Test("actions called by their tag, or by the id in the namespace i")
  func tags() throws {
    let imported = try Imported(
      """
      {"EventId":"e-1","Timestamp":"2026-01-05T10:00:00Z","a":[2,1],"p":[0.7,0.3],\
      "c":{"_multi":[{"_tag":"tea","i":{"id":"t"}},{"i":{"constant":1,"id":"milk"}}]}}
      {"EventId":"e-2","Timestamp":"2026-01-05T10:00:00Z","a":[2,1],"c":{"_multi":[{"_tag":"tea"},{}]}}
      {"EventId":"e-3","Timestamp":"2026-01-05T10:00:00Z","a":[2,1],"c":{"_multi":[{"_tag":"tea"},{"_tag":"tea"}]}}
      """, format: "dsjson:actions=tag")
    #expect(
      imported.events == [
        #"{"type":"decision","id":"e-1","time":"2026-01-05T10:00:00Z","unit":"e-1","experiment":"log","variant":"milk","choices":["tea","milk"],"propensity":0.7,"probabilities":[0.3,0.7],"features":{"tea":{"i.id":"t"},"milk":{"i.constant":1}}}"#
      ])
    #expect(
      imported.rejected == [
        #"2: bad item: action 2 has neither "_tag" nor "i.id"; import with actions=number"#,
        #"3: bad item: two actions have the name "tea"; import with actions=number"#,
      ])
  }

  @Test("a deferred decision is provisional until its action was taken")
  func deferred() throws {
    let imported = try Imported(
      """
      {"EventId":"e-1","Timestamp":"2026-01-05T10:00:00Z","_label_cost":-1,"a":[1],"c":{"_multi":[{}]},"_deferred":true}
      {"EventId":"e-2","Timestamp":"2026-01-05T10:00:00Z","_label_cost":-1,"a":[1],"c":{"_multi":[{}]},"_deferred":true,\
      "o":[{"v":1,"EventId":"e-2","ActionTaken":false},{"EventId":"e-2","DeferredAction":false}]}
      """)
    #expect(
      imported.events.map { String($0.prefix(45)) } == [
        #"{"type":"decision","id":"e-1","time":"2026-01"#,
        #"{"type":"goal","id":"e-1/2","time":"2026-01-0"#,
        #"{"type":"decision","id":"e-2","time":"2026-01"#,
        #"{"type":"decisionConfirmed","id":"e-2/2","tim"#,
        #"{"type":"goal","id":"e-2/3","time":"2026-01-0"#,
      ])
    #expect(imported.events[0].contains(#""status":"provisional""#))
  }

  @Test("outcomes whose decision is elsewhere are goals or confirmations")
  func outcomes() throws {
    let imported = try Imported(
      """
      {"RewardValue":1.5,"EnqueuedTimeUtc":"2026-01-05T10:00:01Z","EventId":"e-1","Observations":[{"v":1.5,"EventId":"e-1","ActionId":null}]}
      {"Timestamp":"2026-01-05T09:00:00Z","RewardValue":null,"EnqueuedTimeUtc":"2026-01-05T10:00:02Z","EventId":"e-1","DeferredAction":false}
      {"RewardValue":null,"EnqueuedTimeUtc":"2026-01-05T10:00:03Z","EventId":"e-1"}
      {"RewardValue":0,"EventId":"e-2"}
      {"RewardValue":1,"EnqueuedTimeUtc":"2026-01-05T10:00:03Z"}
      {"RewardValue":"much","EnqueuedTimeUtc":"2026-01-05T10:00:03Z","EventId":"e-1"}
      """)
    #expect(
      imported.events == [
        #"{"type":"goal","time":"2026-01-05T10:00:01Z","unit":"e-1","experiment":"log","goal":"reward","value":1.5,"metadata":{"Observations":"[{\"v\":1.5,\"EventId\":\"e-1\",\"ActionId\":null}]"}}"#,
        #"{"type":"decisionConfirmed","time":"2026-01-05T10:00:02Z","unit":"e-1","experiment":"log"}"#,
        #"{"type":"goal","time":"2026-01-05T10:00:03Z","unit":"e-2","experiment":"log","goal":"reward","value":0,"metadata":{"time":"assumed"}}"#,
      ])
    #expect(imported.ignored == ["outcomes without a reward": 1])
    #expect(
      imported.rejected == [
        #"5: bad event: there is no "EventId""#,
        #"6: bad number: "RewardValue" is "much" and must be a number"#,
      ])
  }

  @Test("slots without times: each a decision, with the actions of its list as choices")
  func slots() throws {
    let imported = try Imported(
      """
      {"Version":"1","c":{"s":{"x":1},"_multi":[{"a":{"v":0}},{"a":{"v":1}},{}],\
      "_slots":[{"Slate":{"c":1},"_inc":[0,1]},{"_id":"i-2"},{}]},"_outcomes":[\
      {"_id":"o-1","_label_cost":-1,"_a":[1,0],"_p":[0.75,0.25],"_o":[1],"extra":9},\
      {"_label_cost":0,"_a":[2,0],"_p":[0.5,0.5]},{"_label_cost":"NaN","_a":0,"_p":1}],"VWState":{"m":"N/A"}}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","time":"1970-01-01T00:00:01Z","unit":"log-1","experiment":"log","slot":"1","variant":"2","choices":["1","2"],"propensity":0.75,"probabilities":[0.25,0.75],"policy":"N/A","reason":"assumed time","context":{"s.x":1,"_slot._id":"o-1","_slot.Slate.c":1,"extra":9},"features":{"1":{"a.v":0},"2":{"a.v":1}}}"#,
        #"{"type":"goal","time":"1970-01-01T00:00:01Z","unit":"log-1","experiment":"log","slot":"1","goal":"reward","value":1,"metadata":{"o":"[1]"}}"#,
        #"{"type":"decision","time":"1970-01-01T00:00:01Z","unit":"log-1","experiment":"log","slot":"2","variant":"3","choices":["1","3"],"propensity":0.5,"probabilities":[0.5,0.5],"policy":"N/A","reason":"assumed time","context":{"s.x":1,"_slot._id":"i-2"},"features":{"1":{"a.v":0}}}"#,
        #"{"type":"decision","time":"1970-01-01T00:00:01Z","unit":"log-1","experiment":"log","slot":"3","variant":"1","choices":["1"],"propensity":1,"probabilities":[1],"policy":"N/A","reason":"assumed time","context":{"s.x":1},"features":{"1":{"a.v":0}}}"#,
      ])
  }

  @Test("an event with so many slots that its decisions would not fit in memory is rejected")
  func tooManySlots() throws {
    let outcomes = Array(repeating: #"{"_a":0}"#, count: 6_000).joined(separator: ",")
    let imported = try Imported(
      #"{"EventId":"e-1","c":{"_multi":[{}]},"_outcomes":[\#(outcomes)]}"#)
    #expect(imported.events.isEmpty)
    #expect(
      imported.rejected == ["1: bad event: 6000 slots are too many for an event of this length"])
  }

  @Test("a slot of which only the chosen action is given has the choices that it allows")
  func allowedActions() throws {
    let imported = try Imported(
      #"{"EventId":"e-1","c":{"_multi":[{},{},{}],"_slots":[{"_inc":[0,1]},{"_inc":[2,1,0]},{}]},"_outcomes":[{"_a":[1],"_p":[0.5]},{"_a":2,"_p":0.25},{"_a":[0]}]}"#
    )
    #expect(imported.rejected.isEmpty)
    let parts = [
      #""slot":"1","variant":"2","choices":["1","2"],"propensity":0.5,"reason""#,
      #""slot":"2","variant":"3","choices":["1","3"],"propensity":0.25,"reason""#,
      #""slot":"3","variant":"1","choices":["1"],"reason""#,
    ]
    #expect(imported.events.count == 3)
    for (event, part) in zip(imported.events, parts) { #expect(event.contains(part), "\(event)") }
  }

  @Test("a slate: actions belong to slots and are numbered in them, and one reward is for all")
  func slates() throws {
    let imported = try Imported(
      """
      {"EventId":"e-1","Timestamp":"2026-01-05T10:00:00Z","_label_cost":-0.5,"c":{"_multi":[\
      {"_slot_id":0,"k":"a"},{"_slot_id":1,"k":"b"},{"_slot_id":0,"k":"c"},{"_slot_id":1}],"_slots":[{},{}]},\
      "_outcomes":[{"_a":1,"_p":0.8},{"_a":[0,1],"_p":[0.6,0.4]}]}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"e-1#1","time":"2026-01-05T10:00:00Z","unit":"e-1","experiment":"log","slot":"1","variant":"2","choices":["1","2"],"propensity":0.8,"features":{"1":{"k":"a"},"2":{"k":"c"}}}"#,
        #"{"type":"decision","id":"e-1#2","time":"2026-01-05T10:00:00Z","unit":"e-1","experiment":"log","slot":"2","variant":"1","choices":["1","2"],"propensity":0.6,"probabilities":[0.6,0.4],"features":{"1":{"k":"b"}}}"#,
        #"{"type":"goal","id":"e-1#reward","time":"2026-01-05T10:00:00Z","unit":"e-1","experiment":"log","goal":"reward","value":0.5}"#,
      ])
  }

  @Test("other lines and events without actions are counted")
  func ignored() throws {
    let imported = try Imported(
      """
      [CHECKPOINT INFO LINE]
      {"EventId":"e-1","Timestamp":"2026-01-05T10:00:00Z","a":[1],"p":[1],"c":{"_multi":[]}}
      {"EventId":"e-2","Timestamp":"2026-01-05T10:00:00Z","c":{"_multi":[{}]}}
      {"EventId":"e-3","Timestamp":"2026-01-05T10:00:00Z","_label_ca":{"cost":1,"pdf_value":2,"action":3},"c":{"x":{}}}
      noise
      """)
    #expect(imported.events.isEmpty && imported.rejected.isEmpty)
    #expect(
      imported.ignored == [
        "lines that do not begin with {": 2, "events without actions or without a chosen one": 2,
        "events with a continuous action": 1,
      ])
  }

  @Test(
    "what is invalid is rejected with the reason",
    arguments: [
      (
        #""a":[1,2],"pdrop":1"#,
        #"bad number: "pdrop" is 1.0 and must be at least 0 and less than 1"#
      ),
      (#""a":[3]"#, "bad item: action 3 is chosen or ranked and there are 2"),
      (#""a":[1,1]"#, "bad item: action 1 is ranked twice"),
      (#""a":["x"]"#, #"bad item: an action is "x" and must be a whole number"#),
      (
        #""a":[99999999999999999999]"#,
        #"bad item: an action is "99999999999999999999" and must be a whole number"#
      ),
      (#""a":[]"#, "bad item: the list of actions is empty"),
      (#""a":[1,2],"p":[1]"#, "bad event: 1 probabilities for 2 actions"),
      (#""a":[1],"p":["x"]"#, #"bad number: a probability is "x" and must be a number"#),
      (
        #""a":[1,2],"_label_Action":2"#,
        #"bad item: "_label_Action" is 2 and the first of "a" is action 1"#
      ),
      (
        #""a":[1,2],"_label_cost":"high""#,
        #"bad number: "_label_cost" is "high" and must be a number"#
      ),
      (#""_outcomes":[{"_p":[1]}]"#, #"bad item: the outcome of slot 1 has no "_a""#),
      (#""a":[1,2],"x":1,"x":2"#, #"bad event: "x" occurs twice in an object; keep one of them"#),
      (#""a":[1,2],"_label_cost":NaN"#, "malformed JSON"),
    ])
  func rejected(members: String, reason: String) throws {
    let imported = try Imported(
      #"{"EventId":"e-1","Timestamp":"2026-01-05T10:00:00Z","c":{"_multi":[{},{}]},\#(members)}"#)
    #expect(imported.events.isEmpty)
    #expect(imported.rejected.count == 1)
    #expect(imported.rejected.first?.hasPrefix("1: \(reason)") == true, "\(imported.rejected)")
  }
}

extension Datasets {
  static var hasDecisionService: Bool {
    FileManager.default.fileExists(atPath: folder + "/dsjson")
  }
}
