import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

/// Random calls of everything that has to do with flags, with what is odd among them.
struct FlagHistory {
  let live: ExperimentsWorld
  private var generator: SeededGenerator
  /// Whether nothing was added that is never sent.
  private(set) var isClean = true

  static let users = ["u", "visitor-1", "1267576", ""]
  static let flags = ["checkout", "a", "b", "c", "nobody"]

  init(seed: UInt64) throws {
    live = try ExperimentsWorld()
    generator = SeededGenerator(seed: seed)
    try? live.client.apply(Self.configuration(&generator))
  }

  /// Makes so many calls; what throws is of no account.
  mutating func run(_ steps: Int) async {
    for _ in 0..<steps {
      live.time.advance(seconds: generator.pick([0, 1, 60, 1_800, 90_000], or: 0))
      live.world.sink.refuse(generator.chance(0.08))
      await step()
    }
    live.world.sink.refuse(false)
  }

  private mutating func step() async {
    let (client, index) = (live.client, generator.index(16))
    let user = Self.users[index / 5]
    let flag = generator.chance(0.4) ? "checkout" : generator.pick(Self.flags, or: "a")
    let track = generator.chance(0.6)
    switch generator.index(15) {
    case 0: try? client.apply(Self.configuration(&generator))
    case 1, 2, 3, 14: _ = try? client.variation(of: flag, for: user, track: track)
    case 4: _ = try? client.variations(for: user, onlyActive: track, track: generator.chance(0.5))
    case 5: _ = try? client.isActive(flag, for: user, track: track)
    case 6: _ = try? client.variable("limit", of: flag, for: user, track: track)
    case 7: try? client.setConsent(generator.chance(0.7), for: user)
    case 8:
      let variations: [VariationID?] = [nil, "on", "control", "control", "purple", "0"]
      try? client.setForcedVariation(
        generator.pick(variations, or: nil),
        in: generator.pick(["checkout", "checkout", "a", "7001", "7001", "1", ""], or: "a"),
        for: user,
        forceTargeting: generator.chance(0.5))
    case 9:
      try? client.simulateVariation(
        generator.pick([nil, nil, "on", "control"] as [VariationID?], or: nil), of: flag, for: user)
    case 10, 11:
      let isSent = generator.chance(0.9)
      if !isSent { isClean = false }
      try? client.addData(userID: user, [Self.datum(&generator)], track: isSent)
    case 12: try? await client.flush(userID: generator.chance(0.5) ? user : nil)
    default: _ = try? client.triggerExperiment(user, "1", track: track)
    }
  }

  static func datum(_ generator: inout SeededGenerator) -> any VisitorData {
    switch generator.index(6) {
    case 0: VisitorInterest(generator.index(2))
    case 1: CustomData(index: 3, values: generator.chance(0.5) ? ["visitor-1"] : [])
    case 2: UniqueIdentifier("id-\(generator.index(3))")
    case 3:
      VariationScores(
        experimentID: "7001",
        groups: generator.chance(0.3) ? [] : [["purple"], ["control", "treatment"]])
    case 4: ConversionLikelihood(Double(generator.index(10)) / 10, goalID: nil)
    default: Conversion(goalID: "4")
    }
  }

  /// One of many configurations, some of which are refused.
  static func configuration(
    _ generator: inout SeededGenerator
  ) throws(ExperimentError) -> ExperimentConfiguration {
    func chance(_ share: Double, _ text: String) -> String { generator.chance(share) ? text : "" }
    let targeting =
      #","targeting":{"groups":[{"conditions":[{"type":"INTEREST","index":1},"#
      + #"{"type":"EXCLUSIVE_CAMPAIGN","campaign":"ANY"},{"type":"VISITS","operator":"GREATER","value":1},"#
      + #"{"type":"FEATURE_FLAG","flag":"a"}],"connectives":["OR","OR","AND"]}]}"#
    let rules = (0..<generator.index(3)).map { index in
      let type = generator.pick(["delivery", "experiment"], or: "experiment")
      let exposition = Double(generator.index(5)) / 4
      return #"{"id":\#(501 + index),"experiment":\#(7001 + index),"type":"\#(type)","#
        + #""exposition":\#(exposition)"# + chance(0.3, #","respool":5"#) + chance(0.4, targeting)
        + #","variations":[{"key":"control","deviation":0.5},"#
        + #"{"key":"treatment","deviation":\#(generator.pick([0.1, 0.5], or: 0.5))}]}"#
    }
    let checkout =
      #"{"key":"checkout","default":"control","bucketing":3,"#
      + #""variables":[{"key":"limit","type":"NUMBER","value":1}],"#
      + #""variations":[{"key":"control"},{"key":"treatment"}],"#
      + #""rules":[\#(rules.joined(separator: ","))]}"#
    var members = [
      #""siteCode":"site""#,
      #""flags":[\#([checkout, simpleFlag("a"), simpleFlag("b", chance(0.5, #","enabled":false"#)), simpleFlag("c", chance(0.5, #","schedules":[{"to":9000}]"#))].joined(separator: ","))]"#,
      #""experiments":[{"id":1,"variations":[{"id":0,"deviation":0.5},{"id":1,"deviation":0.4}]}]"#,
    ]
    if generator.chance(0.3) {
      members.append(
        #""consent":"\#(generator.pick(["none", "partial", "complete", "odd"], or: "none"))""#)
    }
    if generator.chance(0.3) {
      members.append(
        #""holdout":{"id":"h","variations":[{"key":"in-holdout","deviation":0.3}]}"#)
    }
    if generator.chance(0.3) { members.append(#""groups":[{"name":"g","flags":["a","b"]}]"#) }
    return try ExperimentConfiguration(parsing: "{\(members.joined(separator: ","))}")
  }
}
