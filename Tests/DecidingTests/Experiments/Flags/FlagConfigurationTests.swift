import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Experiments: flags in configurations")
struct FlagConfigurationTests {
  @Test(
    "what is wrong is refused with its path, and the configuration in use stays",
    arguments: [
      (#""flags":5"#, "flags", "must be a list"), (#""flags":[{}]"#, "flags[0].key", "is missing"),
      (#""flags":[{"key":"a"},{"key":"a","id":2}]"#, "flags[1]", "both are unique"),
      (#""flags":[{"key":"a"},{"key":"b","id":"a"}]"#, "flags[1]", "both are unique"),
      (#""flags":[{"key":"a","default":"on"}]"#, "flags[0].default", "no variation of the flag"),
      (#""flags":[{"key":"a","enabled":1}]"#, "flags[0].enabled", "must be true or false"),
      (
        #""flags":[{"key":"a","schedules":[{"from":"now"}]}]"#, "flags[0].schedules[0].from",
        "must be a whole number"
      ),
      (
        #""flags":[{"key":"a","variables":[{"key":"x","type":"TEXT"}]}]"#,
        "flags[0].variables[0].type", #"is "TEXT"; use one of "BOOLEAN", "STRING""#
      ),
      (
        #""flags":[{"key":"a","variables":[{"key":"x","type":"NUMBER","value":"1"}]}]"#,
        "flags[0].variables[0].value", "is a text, which is no NUMBER"
      ),
      (
        #""flags":[{"key":"a","variations":[{"key":"on","variables":{"x":1}}]}]"#,
        "flags[0].variations[0].variables.x", "is no variable of the flag"
      ),
      (
        #""flags":[{"key":"a","variables":[{"key":"x","type":"BOOLEAN","value":true}],"variations":[{"key":"on","variables":{"x":1}}]}]"#,
        "flags[0].variations[0].variables.x", "which is no BOOLEAN"
      ),
      (
        #""flags":[{"key":"a","variations":[{"key":"on"},{"key":"on"}]}]"#,
        "flags[0].variations[1].key", "for the second time"
      ),
      (
        #""flags":[{"key":"a","rules":[{"id":1},{"id":"1"}]}]"#, "flags[0].rules[1].id",
        "for the second time"
      ),
      (
        #""flags":[{"key":"a","rules":[{"id":1,"type":"rollout"}]}]"#, "flags[0].rules[0].type",
        #"use one of "delivery", "experiment""#
      ),
      (
        #""flags":[{"key":"a","rules":[{"id":1,"type":"delivery"}]}]"#,
        "flags[0].rules[0].variations", "is empty"
      ),
      (
        #""flags":[{"key":"a","rules":[{"id":1,"exposition":1.5}]}]"#,
        "flags[0].rules[0].exposition", "give a share of the traffic"
      ),
      (
        #""flags":[{"key":"a","rules":[{"id":1,"targeting":"vip"}]}]"#,
        "flags[0].rules[0].targeting", "add it to segments"
      ),
      (
        #""flags":[{"key":"a","rules":[{"id":1,"variations":[{"key":"on","deviation":1}]}]}]"#,
        "flags[0].rules[0].variations[0].key", "no variation of the flag"
      ),
      (
        #""flags":[{"key":"a","variations":[{"key":"b"}],"rules":[{"id":1,"variations":[{"key":"b","deviation":0.6},{"key":"off","deviation":0.5}]}]}]"#,
        "flags[0].rules[0].variations", "add up to 1.1"
      ),
      (
        #""flags":[{"key":"a","rules":[{"id":1,"variations":[{"key":"off"},{"key":"off"}]}]}]"#,
        "flags[0].rules[0].variations[1].key", "for the second time"
      ),
      (#""holdout":{"variations":[]}"#, "holdout.id", "is missing"),
      (#""groups":[{"name":"g","flags":["a"]}]"#, "groups[0].flags[0]", "is no flag"),
      (#""consent":"maybe""#, "consent", #"use one of "none", "partial", "complete""#),
      (
        #""experiments":[{"id":"a","variations":[]}],"flags":[{"key":"a"}]"#, "flags[0].key",
        "the id of an experiment"
      ),
      (#""segments":[{"groups":[]}]"#, "segments[0].id", "is missing"),
    ])
  func refusals(members: String, path: String, reason: String) throws {
    let world = try ExperimentsWorld(flags: ruleFlag)
    let before = world.factory.state
    let error = #expect(throws: ExperimentError.self) {
      let text = #"{"siteCode":"site",\#(members)}"#
      try world.client.apply(ExperimentConfiguration(parsing: text))
    }
    guard case .invalidConfiguration(let where_, let why)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(where_ == path)
    #expect(why.contains(reason), "\(why)")
    #expect(world.factory.state == before)
  }

  @Test("warnings of the configuration in use are the client's")
  func warnings() throws {
    let flag = #"""
      {"key":"a","rules":[{"id":1,"targeting":{"groups":[{"conditions":[{"type":"MOOD"}]}]}}]}
      """#
    let world = try ExperimentsWorld(flags: flag)
    #expect(world.client.warnings.count == 1)
    #expect(world.client.warnings[0].hasPrefix("flags[0].rules[0].targeting: "))
    #expect(world.client.warnings[0].contains("\"MOOD\""))
    try world.client.apply(ExperimentConfiguration.flags(simpleFlag("a")))
    #expect(world.client.warnings.isEmpty)
  }

  @Test("an empty flag is off for everyone")
  func bare() throws {
    let world = try ExperimentsWorld(flags: #"{"key":7}"#)
    let answer = try world.client.variation(of: "7", for: "u")
    #expect(answer.key == "off" && answer.reason == .default && answer.propensity == 1)
  }
}
