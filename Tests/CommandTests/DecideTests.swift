import Events
import Foundation
import TestSupport
import Testing

/// The verbs that use the deciding systems against a log.
@Suite("decide, goal, convert, data, expire, predict")
struct DecideTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }
  private let time = "2026-01-02T03:04:05Z"

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs a verb for a unit and reads its answer, which must be one line of JSON.
  private func answer(
    _ words: String, unit: String = "u-1", at time: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> JSONValue {
    let arguments = "\(words) --log \(log) --unit \(unit) --seed 7 --time \(time ?? self.time)"
    let result = try Command.run(arguments)
    expectDone(result, sourceLocation: sourceLocation)
    #expect(result.lines.count == 1, sourceLocation: sourceLocation)
    return try JSONValue(parsing: result.text.trimmingCharacters(in: .newlines))
  }

  private func file(_ name: String, _ text: String) throws -> String {
    try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
    return folder.path(name)
  }

  private func events() throws -> [JSONValue] {
    try Command.events(log).map { try JSONValue(parsing: $0) }
  }

  @Test("an agent chooses once for a unit, is rewarded once, and forgets on demand")
  func agent() throws {
    let first = try answer("decide --experiment checkout --choices a,b,c")
    #expect(first["reason"] == "random")
    #expect(first["status"] == "confirmed")
    #expect(first["propensity"]?.number == 1.0 / 3)
    let again = try answer("decide --experiment checkout --choices a,b,c")
    #expect(again["decision"] == first["decision"])
    #expect(again["reason"] == "sticky")
    #expect(try answer("goal --experiment checkout --value 2.5")["reward"] == 2.5)
    let refused = try answer("goal --experiment checkout --value 2.5")
    #expect(refused["accepted"] == false)
    #expect(refused["refused"] == "limit")
    #expect(try answer("expire --experiment checkout")["expired"] == true)
    #expect(try answer("expire --experiment checkout")["expired"] == false)
    #expect(try answer("decide --experiment checkout --choices a,b,c")["reason"] == "random")
    let kinds = try events().compactMap { $0["type"]?.string }
    #expect(kinds == ["decision", "goal", "goal", "sessionExpired", "decision"])
  }

  @Test("several slots are decided at once, and a goal without an agent goes to all of them")
  func slots() throws {
    let answer = try answer(
      "decide --experiment shop --point cart --choices color:red,blue/size:sm,md,lg")
    #expect(["red", "blue"].contains(answer["decisions"]?["color"]?["decision"]))
    #expect(answer["decisions"]?["size"]?["propensity"]?.number == 1.0 / 3)
    _ = try self.answer("decide --experiment news --choices x,y")
    let goal = try self.answer("goal --goal sold")
    #expect(goal["rewards"] == ["news": 1, "shop": 1])
  }

  @Test("a defined agent learns from the log, and says with which probability it chose")
  func adaptive() throws {
    let config = try file(
      "agents.json",
      """
      {"agents":[{"agent":"checkout","policy":"epsilon-greedy:epsilon=0.2","controlShare":0,
        "points":[{"slots":[{"choices":[{"code":"a"},{"code":"b"}]}]}]}]}
      """)
    for number in 0..<6 {
      let unit = "s-\(number)"
      let decision = try answer(
        "decide --config \(config) --experiment checkout --choices a,b", unit: unit)
      if decision["decision"] == "a" { _ = try answer("goal --experiment checkout", unit: unit) }
    }
    let decisions = try events().filter { $0["type"] == "decision" }
    #expect(decisions.count == 6)
    for decision in decisions {
      #expect(decision["policy"] == "epsilon-greedy:epsilon=0.2")
      #expect(decision["probabilities"]?.array?.count == 2)
    }
    // Half and half while neither was tried; then a tenth is left for the one that earned less.
    let tenths = decisions.compactMap { $0["propensity"]?.number.map { ($0 * 10).rounded() } }
    #expect(tenths.first == 5)
    #expect(Set(tenths).isSubset(of: [1, 5, 9]) && Set(tenths).count > 1, "\(tenths)")
    let defined = try events().filter { $0["type"] == "configurationApplied" }
    #expect(defined.count == 1, "a definition that is there already is not appended again")
  }

  @Test("a rollout is read from JSON and from a property list, and ramps keep who is in")
  func rollout() throws {
    let json = try file(
      "rollouts.json",
      #"{"search":{"Variants":[{"name":"on","weight":10},{"name":"off","weight":90}]}}"#)
    let plist = try file(
      "rollouts.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>search</key><dict>
        <key>Settings</key><dict><key>supported_languages</key><string>en,he</string></dict>
        <key>Variants</key><array>
          <dict><key>name</key><string>on</string><key>weight</key><real>100</real></dict>
          <dict><key>name</key><string>off</string><key>weight</key><integer>0</integer></dict>
        </array></dict></dict></plist>
      """)
    let first = try answer("decide --config \(json) --experiment search --default search_off")
    #expect(first["reason"] == "random")
    let number = try #require(first["number"]?.number)
    #expect(first["variant"] == (number <= 0.1 ? "on" : "off"))
    let second = try answer("decide --config \(plist) --experiment search --language en-GB")
    #expect(second["variant"] == "on")
    #expect(second["number"]?.number == number)
    let third = try answer(
      "decide --config \(plist) --experiment search --language fr --default no")
    #expect(third["decision"] == "no")
    #expect(third["reason"] == "language")
    #expect(try answer("expire --rollout --experiment search")["expired"] == true)
  }

  @Test("an experiment picks by hash, and says why a unit is not in")
  func experiment() throws {
    let config = try file(
      "site.json",
      """
      {"siteCode":"shop","experiments":[{"id":75253,"variations":[
        {"id":148382,"deviation":0.1},{"id":187791,"deviation":0.1}]}]}
      """)
    let inside = try answer("decide --config \(config) --experiment 75253", unit: "visitor-1")
    #expect(inside["decision"] == "148382")
    #expect(inside["propensity"] == 0.1)
    #expect(inside["reason"] == "hash")
    let outside = try answer("decide --config \(config) --experiment 75253", unit: "1267576")
    #expect(outside["decision"] == "reference")
    #expect(outside["reason"] == "not-allocated")
    let conversion = try answer("convert --goal 83023 --revenue 10", unit: "visitor-1")
    #expect(conversion["revenue"] == 10)
    let kinds = try events().compactMap { $0["type"]?.string }
    #expect(
      kinds == ["configurationApplied", "decision", "decision", "conversion", "dataPoint"])
  }

  @Test("settings from a server are kept for the unit, and the group is a decision")
  func settings() throws {
    let config = try file(
      "settings.json",
      """
      {"meta":{"format_version_string":"1.0","group":"B"},
       "config_sections":{"AppFeatures":{"settings":{"Chat":{"value":true}}}}}
      """)
    let answer = try answer("decide --config \(config) --experiment price-test")
    #expect(answer["decision"] == "B")
    let decision = try #require(try events().first { $0["type"] == "decision" })
    #expect(decision["policy"] == "server")
    #expect(decision["variant"] == "B")
    #expect(decision["propensity"] == nil)
  }

  @Test("a predictor by which units learn from each other knows what all of them took")
  func pooledStudy() throws {
    for (number, option) in ["map", "list", "list", "list"].enumerated() {
      expectDone(
        try Command.run(
          "append \(log)",
          input:
            #"{"type":"dataPoint","time":"2026-01-0\#(number + 1)T00:00:00Z","unit":"v\#(number)","#
            + #""kind":"optionTaken","key":"tabs","value":"\#(option)"}"# + "\n"))
    }
    let words = "predict tabs --options map,list --predictor"
    #expect(try answer("\(words) beauchamp")["decision"] == "map")
    let popular = try answer("\(words) popular")
    #expect(popular["decision"] == "list")
    // (3 + 1) / (4 + 2): each option is given a take besides its own.
    #expect(popular["confidence"]?.number.map { abs($0 - 2.0 / 3) < 1e-12 } == true)
  }

  @Test("a study predicts from what was taken")
  func study() throws {
    for option in ["map", "list", "map"] {
      _ = try answer("data --kind optionTaken --key tabs --value \(option)")
    }
    let prediction = try answer("predict tabs")
    #expect(prediction["decision"] == "map")
    #expect(prediction["confidence"] == 0.5)
    #expect(prediction["options"]?.array?.count == 2)
    #expect(try events().count == 3, "predicting appends nothing")
    #expect(try answer("predict tabs --threshold 0.5")["decision"] == JSONValue.null)
    let last = try answer("predict tabs --predictor last --act")
    #expect(last["decision"] == "map")
    #expect(try events().last?["reason"] == "predicted")
  }

  @Test("data points keep what their values look like, unless told that they are text")
  func data() throws {
    _ = try answer("data --kind custom --key 1 --value 42")
    _ = try answer("data --kind custom --key 2 --value 42 --text")
    _ = try answer("data --kind device --value phone")
    let values = try events().map { $0["value"] }
    #expect(values == [42, "42", "phone"])
  }

  @Test("the same log and seed give the same bytes")
  func deterministic() throws {
    var logs: [[String]] = []
    for name in ["one", "two"] {
      let log = folder.path(name)
      for unit in ["a", "b", "c"] {
        let words =
          "decide --log \(log) --unit \(unit) --seed 3 --time \(time) --experiment e --choices x,y,z"
        expectDone(try Command.run(words))
      }
      logs.append(try Command.events(log))
    }
    #expect(logs[0] == logs[1])
    #expect(Set(logs[0]).count == 3)
  }

  @Test("errors say where the problem is and how to fix it")
  func failures() throws {
    let unit = "--log \(log) --unit u"
    expectFailure(
      try Command.run("decide \(unit) --experiment e --config \(folder.path("none.json"))"), 66,
      says: "none.json")
    let broken = try file("broken.json", "{\"a\": 1,\n}")
    expectFailure(
      try Command.run("decide \(unit) --experiment e --config \(broken)"), 65, says: "broken.json",
      "line 2, column 1")
    let negative = try file(
      "negative.json", #"{"e":{"Variants":{"a":-1}}}"#)
    expectFailure(
      try Command.run("decide \(unit) --experiment e --config \(negative)"), 65,
      says: "negative.json")
    expectFailure(
      try Command.run([
        "decide", "--log", log, "--unit", "u", "--experiment", "a b", "--choices", "x",
      ]),
      65, says: "agent code \"a b\" has a blank")
    expectFailure(try Command.run("goal \(unit) --experiment e --value nan"), 64, says: "nan")
    expectFailure(try Command.run("predict nothing \(unit)"), 65, says: "nothing")
    expectFailure(
      try Command.run("predict s \(unit) --predictor oracle"), 64, says: "oracle", "markov")
    expectFailure(try Command.run("data \(unit) --kind optionTaken"), 64, says: "--key")
    expectFailure(
      try Command.run("decide --log \(log) --unit= --experiment e"), 64, says: "--unit")
  }
}
