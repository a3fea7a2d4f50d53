import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

extension ExperimentConfiguration {
  /// A site with flags, and with what else JSON says.
  static func flags(_ flags: String, _ others: String...) throws -> ExperimentConfiguration {
    let members = [
      #""siteCode":"\#(ExperimentsWorld.site)""#, #""flags":[\#(flags)]"#,
    ]
    return try ExperimentConfiguration(parsing: "{\((members + others).joined(separator: ","))}")
  }
}

extension ExperimentsWorld {
  /// A site with flags, and with what else JSON says.
  init(
    flags: String, _ other: String? = nil, settings: ExperimentSettings = ExperimentSettings()
  ) throws {
    let configuration = try ExperimentConfiguration.flags(flags, other ?? #""enabled":true"#)
    try self.init(configuration, settings: settings)
  }

  /// Checks that a world that knows the log only would give the same answers, and knows the same.
  func expectReplay(
    _ flag: String, for users: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expectReplays(sourceLocation: sourceLocation)
    let rebuilt = try rebuilt()
    for user in users {
      #expect(
        try rebuilt.client.previewVariation(of: flag, for: user)
          == client.previewVariation(of: flag, for: user), sourceLocation: sourceLocation)
    }
  }
}

/// A flag whose first rule tests two variations with half of the users, and whose second one delivers.
let ruleFlag = #"""
  {"id":1,"key":"checkout","default":"off",
   "variables":[{"key":"limit","type":"NUMBER","value":10},{"key":"title","type":"STRING","value":"Pay"}],
   "variations":[{"key":"off"},{"key":"control"},{"key":"treatment","variables":{"limit":20.5}},
     {"key":"later","variables":{"title":"Pay later"}}],
   "rules":[
     {"id":501,"experiment":7001,"exposition":0.5,
      "variations":[{"key":"control","deviation":0.5},{"key":"treatment","deviation":0.5}]},
     {"id":502,"experiment":7002,"type":"delivery","variations":[{"key":"later","deviation":1}]}]}
  """#

/// A flag that is on for everybody.
func simpleFlag(_ key: String, _ members: String = "") -> String {
  #"""
  {"key":"\#(key)"\#(members),"variations":[{"key":"on"}],
   "rules":[{"id":"\#(key)-rule","type":"delivery","variations":[{"key":"on","deviation":1}]}]}
  """#
}
