internal import Deciding
internal import DecidingAgents
internal import DecidingCore
internal import DecidingExperiments
internal import Events
internal import Interchange
internal import OffPolicy
internal import Service

extension ServiceOptions.Configurations {
  /// Reads configuration files.
  ///
  /// - Throws: An error that names the file.
  init(reading paths: [String], _ settings: AgentSettings, at time: Timestamp) throws {
    self.init()
    agentSettings = settings
    for path in paths {
      switch try Self.system(path, at: time) {
      case .agents(let definitions): try add(definitions, path)
      case .experiments(let site):
        guard !sites.contains(where: { $0.siteCode == site.siteCode }) else {
          throw ServiceOptionError("\(path): another file has the site \"\(site.siteCode)\"")
        }
        sites.append(site)
      case .rollouts(let configuration):
        guard rollouts == nil else {
          throw ServiceOptionError("\(path): another file has rollouts; put them in one file")
        }
        rollouts = configuration
      case .activeConfig:
        throw ServiceOptionError(
          "\(path): sections of settings are made by another server, and cannot be served; use "
            + "them with bandolier decide")
      }
    }
  }

  private static func system(_ path: String, at time: Timestamp) throws -> SystemFile {
    try SystemFile(path, at: time) { path, limit in
      try WholeInput.bytes(path, limit: limit) { _ in true }
    } learned: { text, name in
      try LearnedPolicyFile(parsing: text, name: name).policy
    }
  }

  private mutating func add(_ definitions: [AgentDefinition], _ path: String) throws {
    for definition in definitions {
      guard !agents.contains(where: { $0.agent == definition.agent }) else {
        throw ServiceOptionError("\(path): the agent \"\(definition.agent)\" is defined twice")
      }
      agents.append(definition)
    }
  }
}
