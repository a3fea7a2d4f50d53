package import Bandits
package import DecidingAgents
package import DecidingConfig
internal import DecidingCore
package import DecidingExperiments
package import DecidingRollouts
package import Events
package import Specifications

/// The content of a configuration file; the system is recognized by it.
package enum SystemFile: Sendable {
  /// Definitions of agents: `{"agents":[...]}`, or one definition. The policy `learned:path=FILE.json` is read.
  case agents([AgentDefinition])
  /// A site with experiments and flags: an object with `siteCode`.
  case experiments(ExperimentConfiguration)
  /// Sections of settings: an object with `meta` and `config_sections`.
  case activeConfig(ConfigurationState)
  /// Rollouts by experiment: objects with `Variants` and `Settings`.
  case rollouts(RolloutConfiguration)

  /// Returns the bytes of a file, of which there may be no more than the limit.
  package typealias Read = (_ path: String, _ limit: Int) throws -> [UInt8]
  /// Returns the policy of a file that `bandolier learn` wrote, from its text; errors have its name.
  package typealias Learned = (_ text: String, _ name: String) throws -> LearnedPolicy

  /// Reads a file in JSON or as a property list, XML or binary.
  ///
  /// - Parameters:
  ///   - path: The path, or `-` for standard input.
  ///   - time: The time at which sections of settings are applied.
  ///   - read: Reads it, and the files that it names.
  ///   - learned: Parses files of learned policies.
  /// - Throws: Errors of reading the file; ``SystemFileError`` that names the line or the key path if it is invalid.
  package init(_ path: String, at time: Timestamp, read: Read, learned: Learned) throws {
    let bytes = try read(path, Self.sizeLimit)
    do {
      try self.init(try Self.document(bytes), at: time, read, learned)
    } catch {
      throw SystemFileError(path: path, reason: "\(error)")
    }
  }

  private static let sizeLimit = 64 << 20

  private init(_ json: JSONValue, at time: Timestamp, _ read: Read, _ learned: Learned) throws {
    if let list = json["agents"]?.array {
      self = .agents(
        try list.map { try AgentDefinition(json: Self.readingPolicy($0, read, learned)) })
    } else if json["agent"] != nil {
      self = .agents([try AgentDefinition(json: Self.readingPolicy(json, read, learned))])
    } else if json["siteCode"] != nil {
      self = .experiments(try ExperimentConfiguration(json))
    } else if json["config_sections"] != nil {
      self = .activeConfig(try ConfigurationState(json: json, at: time))
    } else {
      self = .rollouts(try RolloutConfiguration(json: json))
    }
  }

  /// Returns the definition of an agent with the learned policy whose file it names as its policy.
  private static func readingPolicy(
    _ json: JSONValue, _ read: Read, _ learned: Learned
  ) throws -> JSONValue {
    guard var agent = json.object, let text = json["policy"]?.string,
      let policy = try? Specification(parsing: text), policy.name == LearnedChoices.info.name
    else { return json }
    try policy.requireKeys(among: ["path"])
    guard let path = policy["path"], !path.isEmpty else {
      throw SpecificationError("policy: learned needs a file; write learned:path=FILE.json")
    }
    let file = String(decoding: try read(path, sizeLimit), as: UTF8.self)
    agent["policy"] = nil
    agent["learnedPolicy"] = try JSONValue(encoding: try learned(file, path).tree)
    return .object(agent)
  }

  private static func document(_ bytes: [UInt8]) throws -> JSONValue {
    let isBinary = bytes.starts(with: "bplist".utf8)
    let first = bytes.first { $0 > 0x20 }
    return isBinary || first == UInt8(ascii: "<")
      ? try JSONValue(propertyList: bytes) : try JSONValue(parsing: bytes)
  }
}

/// An error in a configuration file.
package struct SystemFileError: ExitCoded {
  /// The path of the file.
  package let path: String
  /// The fault and its place.
  package let reason: String

  package let exitCode = ExitCode.badData
  package var description: String { "\(path): \(reason)" }
}
