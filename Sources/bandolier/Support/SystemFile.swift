import Bandits
import Deciding
import Events
import Interchange
import Replay
import Statistics

/// The content of a configuration file; the system is recognized by it.
enum SystemFile {
  /// Definitions of agents: `{"agents":[...]}`, or one definition. The policy `learned:path=FILE.json` is read.
  case agents([AgentDefinition])
  /// A site with experiments and flags: an object with `siteCode`.
  case experiments(ExperimentConfiguration)
  /// Sections of settings: an object with `meta` and `config_sections`.
  case activeConfig(ConfigurationState)
  /// Rollouts by experiment: objects with `Variants` and `Settings`.
  case rollouts(RolloutConfiguration)

  /// Reads a file in JSON or as a property list, XML or binary.
  ///
  /// - Throws: ``Failure`` that names the file, and the line or the key path.
  init(_ path: String, at time: Timestamp) throws {
    let bytes = try WholeInput.bytes(path, limit: 64 << 20) { Interrupt.waitForInput($0) }
    do {
      try self.init(try Self.document(bytes), at: time)
    } catch {
      throw Failure(exitCode: Failure.badData, "\(path): \(error)")
    }
  }

  private init(_ json: JSONValue, at time: Timestamp) throws {
    if let list = json["agents"]?.array {
      self = .agents(try list.map { try AgentDefinition(json: Self.readingPolicy($0)) })
    } else if json["agent"] != nil {
      self = .agents([try AgentDefinition(json: Self.readingPolicy(json))])
    } else if json["siteCode"] != nil {
      self = .experiments(try ExperimentConfiguration(json))
    } else if json["config_sections"] != nil {
      self = .activeConfig(try ConfigurationState(json: json, at: time))
    } else {
      self = .rollouts(try RolloutConfiguration(json: json))
    }
  }

  /// Returns the definition of an agent with the learned policy whose file it names as its policy.
  private static func readingPolicy(_ json: JSONValue) throws -> JSONValue {
    guard var agent = json.object, let text = json["policy"]?.string,
      let policy = try? Specification(parsing: text), policy.name == LearnedChoices.info.name
    else { return json }
    try policy.requireKeys(among: ["path"])
    guard let path = policy["path"], !path.isEmpty else {
      throw SpecificationError("policy: learned needs a file; write learned:path=FILE.json")
    }
    let bytes = try WholeInput.bytes(path, limit: 64 << 20) { Interrupt.waitForInput($0) }
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
