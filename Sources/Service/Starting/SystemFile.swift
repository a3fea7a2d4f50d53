internal import Bandits
package import DecidingAgents
package import DecidingConfig
internal import DecidingCore
package import DecidingExperiments
package import DecidingRollouts
package import Events
internal import Interchange
internal import Replay
internal import Specifications

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

  /// Called with a descriptor before each read of it; if it returns false, reading is interrupted.
  package typealias Wait = @Sendable (Int32) -> Bool

  /// Reads a file in JSON or as a property list, XML or binary.
  ///
  /// - Parameters:
  ///   - path: The path, or `-` for standard input.
  ///   - time: The time at which sections of settings are applied.
  ///   - waitForInput: Called before each read.
  /// - Throws: ``ImportError`` if the file cannot be read; ``SystemFileError`` that names the line or the key path if
  ///   it is invalid.
  package init(
    _ path: String, at time: Timestamp, waitForInput: @escaping Wait = { _ in true }
  ) throws {
    let bytes = try WholeInput.bytes(path, limit: Self.sizeLimit, waitForInput: waitForInput)
    do {
      try self.init(try Self.document(bytes), at: time, waitForInput)
    } catch {
      throw SystemFileError(path: path, reason: "\(error)")
    }
  }

  private static let sizeLimit = 64 << 20

  private init(_ json: JSONValue, at time: Timestamp, _ waitForInput: @escaping Wait) throws {
    if let list = json["agents"]?.array {
      self = .agents(
        try list.map { try AgentDefinition(json: Self.readingPolicy($0, waitForInput)) })
    } else if json["agent"] != nil {
      self = .agents([try AgentDefinition(json: Self.readingPolicy(json, waitForInput))])
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
    _ json: JSONValue, _ waitForInput: @escaping Wait
  ) throws -> JSONValue {
    guard var agent = json.object, let text = json["policy"]?.string,
      let policy = try? Specification(parsing: text), policy.name == LearnedChoices.info.name
    else { return json }
    try policy.requireKeys(among: ["path"])
    guard let path = policy["path"], !path.isEmpty else {
      throw SpecificationError("policy: learned needs a file; write learned:path=FILE.json")
    }
    let bytes = try WholeInput.bytes(path, limit: sizeLimit, waitForInput: waitForInput)
    let file = try LearnedPolicyFile(parsing: String(decoding: bytes, as: UTF8.self), name: path)
    agent["policy"] = nil
    agent["learnedPolicy"] = try JSONValue(encoding: file.policy.tree)
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
package struct SystemFileError: Error, Sendable, CustomStringConvertible {
  /// The path of the file.
  package let path: String
  /// What is wrong, and where.
  package let reason: String

  package var description: String { "\(path): \(reason)" }
}
