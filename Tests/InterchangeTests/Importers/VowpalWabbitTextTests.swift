import Testing

@testable import Interchange

@Suite("Vowpal Wabbit text")
struct VowpalWabbitTextTests {
  @Test("lines up to a blank line are an event, with shared features and one chosen action")
  func actions() throws {
    let imported = try Imported(
      """
      shared 'first |user age:33 pro |geo:0.5 de:3 de |\tx
      | size:1
      7:-2.5:0.25 tag|item:2 size:1.5 hot

      \(" ")

      shared |user age:20
      0:0:0.5 |item a
      |item b
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","time":"1970-01-01T00:00:01Z","unit":"log-1","experiment":"log","variant":"2","choices":["1","2"],"propensity":0.25,"context":{"_tag":"first","user.age":33,"user.pro":1,"geo.de":2,"x":1},"features":{"1":{"size":1},"2":{"_tag":"tag","item.size":3,"item.hot":2}}}"#,
        #"{"type":"goal","time":"1970-01-01T00:00:01Z","unit":"log-1","experiment":"log","goal":"reward","value":2.5}"#,
        #"{"type":"decision","time":"1970-01-01T00:00:02Z","unit":"log-2","experiment":"log","variant":"1","choices":["1","2"],"propensity":0.5,"context":{"user.age":20},"features":{"1":{"item.a":1},"2":{"item.b":1}}}"#,
      ])
  }

  @Test("actions without shared features, the first one chosen")
  func noShared() throws {
    let imported = try Imported("1:1:0.5 |a x\n|a y\n\n|a x\n2:1:0.5 |a y\n")
    #expect(imported.events.count == 4)
    #expect(imported.events[0].contains(#""variant":"1","choices":["1","2"]"#))
    #expect(imported.events[2].contains(#""variant":"2","choices":["1","2"]"#))
    #expect(imported.events[3].contains(#""value":-1"#))
  }

  @Test("an event on each line, with the number of the action and further ones in its label")
  func lines() throws {
    let imported = try Imported(
      """
      3:1:0.5 1 2 | a:2
      2:0:0.25 'x|n b
      1:0:0.5 2:3:0.5 | c
      4:1 | d
      1 | e
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","time":"1970-01-01T00:00:01Z","unit":"log-1","experiment":"log","variant":"3","choices":["3","1","2"],"propensity":0.5,"context":{"a":2}}"#,
        #"{"type":"goal","time":"1970-01-01T00:00:01Z","unit":"log-1","experiment":"log","goal":"reward","value":-1}"#,
        #"{"type":"decision","time":"1970-01-01T00:00:02Z","unit":"log-2","experiment":"log","variant":"2","propensity":0.25,"context":{"_tag":"x","n.b":1}}"#,
        #"{"type":"decision","time":"1970-01-01T00:00:03Z","unit":"log-3","experiment":"log","variant":"1","choices":["1","2"],"propensity":0.5,"context":{"c":1}}"#,
        #"{"type":"goal","time":"1970-01-01T00:00:03Z","unit":"log-3","experiment":"log","goal":"reward","value":0,"metadata":{"cost.2":3}}"#,
        #"{"type":"decision","time":"1970-01-01T00:00:04Z","unit":"log-4","experiment":"log","variant":"4","context":{"d":1}}"#,
        #"{"type":"goal","time":"1970-01-01T00:00:04Z","unit":"log-4","experiment":"log","goal":"reward","value":-1}"#,
      ])
    #expect(imported.ignored == ["events without a chosen action": 1])
  }

  @Test("slots: each a decision, with the allowed actions that earlier slots have not taken")
  func slots() throws {
    let imported = try Imported(
      """
      ccb shared |u x
      ccb action |i a
      ccb action |i b
      ccb action |
      ccb slot 1:-0.5:0.75,0:0.25 0,1 |s one
      ccb slot |s two
      ccb slot 2:0:0.5 |s three
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","time":"1970-01-01T00:00:01Z","unit":"log-1","experiment":"log","slot":"1","variant":"2","choices":["1","2"],"propensity":0.75,"probabilities":[0.25,0.75],"context":{"u.x":1,"_slot.s.one":1},"features":{"1":{"i.a":1},"2":{"i.b":1}}}"#,
        #"{"type":"goal","time":"1970-01-01T00:00:01Z","unit":"log-1","experiment":"log","slot":"1","goal":"reward","value":0.5}"#,
        #"{"type":"decision","time":"1970-01-01T00:00:01Z","unit":"log-1","experiment":"log","slot":"3","variant":"3","choices":["1","3"],"propensity":0.5,"context":{"u.x":1,"_slot.s.three":1},"features":{"1":{"i.a":1}}}"#,
      ])
  }

  @Test("events without a choice, slates and continuous actions are counted")
  func ignored() throws {
    let imported = try Imported(
      """
      shared |u x
      |i a

      slates shared 0.5 |u x
      slates action 0 |i a

      ca 1:2:0.5 |u x
      """)
    #expect(imported.events.isEmpty && imported.rejected.isEmpty)
    #expect(
      imported.ignored == [
        "events without a chosen action": 1, "slates and events with a continuous action": 2,
      ])
  }

  @Test(
    "what is invalid is rejected with the reason, and the next event is read",
    arguments: [
      ("1:x:0.5 |a", #"bad event: the label "1:x:0.5" must be like"#),
      ("red:1:0.5 |a", #"bad event: the label "red:1:0.5" must be like"#),
      ("1:2:3:4 |a", #"bad event: the label "1:2:3:4" must be like"#),
      ("1:1:1 |a\n2:1:1 |b", "bad event: two actions have a cost and a probability"),
      ("1:1:1 |a b:c", #"bad number: the value of "b:c" must be a number"#),
      ("1:1:1 |a :2", #"bad event: the feature ":2" has no name"#),
      ("1:1:1 |a:1e200 b:1e200", #"bad number: the value of "b:1e200" must be a number"#),
      ("1:1:1 |a b:1e308 b:1e308", #"bad number: the values of "a.b" do not add up to a number"#),
      ("1:1:1 tag| _tag", #"bad number: the values of "_tag" do not add up to a number"#),
      ("shared |b\n1:1:1 |a", #"bad event: an event has two "shared" lines"#),
      ("ccb action |a\nccb slot 1:1:0.5 |", "bad event: a line of an event with"),
    ])
  func rejected(lines: String, reason: String) throws {
    let imported = try Imported("shared |u x\n\(lines)\n\nshared |u x\n1:0:0.5 |\n")
    #expect(imported.events.count == 1)
    #expect(imported.rejected.count == 1)
    #expect(imported.rejected.first?.hasPrefix("1: \(reason)") == true, "\(imported.rejected)")
  }

  @Test("an action that occurs twice in the label of a line is rejected")
  func rejectedLine() throws {
    let imported = try Imported("1:1:0.5 2 | a\n1:1:0.5 2 1 | a\n")
    #expect(imported.events.count == 2)
    #expect(imported.rejected == ["2: bad item: an action occurs twice in the label"])
  }

  @Test("a slot with an action that is not there is rejected")
  func rejectedSlots() throws {
    for label in ["2:1:0.5", "0:1:0.5,0:0.5", "0:1:0.5 5", "0:1:0.5 x", "0:1:0.5,1"] {
      let imported = try Imported("ccb shared |\nccb action |a\nccb action |b\nccb slot \(label) |")
      #expect(imported.events.isEmpty)
      #expect(imported.rejected.count == 1, "\(label)")
    }
  }

  @Test(
    "of several costs, the observed one is that with a probability; without any, the event is rejected"
  )
  func observedCost() throws {
    let lines = try Imported("1:4:0.5 2:7 | x\n1:4 2:7:0.5 | x\n1:4 2:7 | x\n", format: "vw")
    #expect(
      lines.events.filter { $0.contains("decision") }.map { $0.contains(#""variant":"2""#) } == [
        false, true,
      ])
    #expect(lines.events.last?.contains(#""value":-7,"metadata":{"cost.1":4}"#) == true)
    #expect(lines.rejected.count == 1 && lines.rejected[0].contains("none of them a probability"))
    let actions = try Imported(
      "shared |s\n1:4 |a x\n2:7:0.5 |a y\n\nshared |s\n1:4 |a x\n2:7 |a y\n", format: "vw")
    #expect(
      actions.events.first?.contains(#""variant":"2","choices":["1","2"],"propensity":0.5"#) == true
    )
    #expect(actions.events.last?.contains(#""value":-7,"metadata":{"cost.1":4}"#) == true)
    #expect(actions.rejected.count == 1)
  }
}
