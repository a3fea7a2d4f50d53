public import Events

extension ExperimentConfiguration {
  /// Parses a configuration from JSON text.
  ///
  /// - Throws: ``ExperimentError/invalidConfiguration(path:reason:)`` with the location of the problem: the
  ///   line and column, or the path of a member such as `experiments[0].variations[1].deviation`.
  public init(parsing text: String) throws(ExperimentError) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: text)
    } catch {
      throw .invalidConfiguration(path: "", reason: "is no JSON: \(error)")
    }
    try self.init(json)
  }

  /// Creates a configuration from JSON.
  ///
  /// - Throws: ``ExperimentError/invalidConfiguration(path:reason:)`` with the path of the invalid member.
  public init(_ json: JSONValue) throws(ExperimentError) {
    self = try Site(reading: json).configuration
  }

  /// Reads a configuration without validating it as a whole.
  init(unchecked json: JSONValue) throws(ExperimentError) {
    let root = try ConfigurationReader(json, at: "")
    self.init(
      siteCode: try root.required("siteCode").text(), enabled: try root.flag("enabled") ?? true,
      modified: try root.integer("modified"),
      experiments: try root.list("experiments").map { item throws(ExperimentError) in
        try Experiment(item)
      },
      other: root.members(except: ["siteCode", "enabled", "modified", "experiments"]))
  }

  /// The configuration as JSON, which reads back as an equal configuration.
  public var json: JSONValue {
    var members = other
    members["siteCode"] = .string(siteCode)
    members["enabled"] = .boolean(enabled)
    members["modified"] = modified.map { .integer($0) }
    members["experiments"] = .array(experiments.map(\.json))
    return .object(members)
  }
}

extension Experiment {
  init(_ reader: ConfigurationReader) throws(ExperimentError) {
    var kind = Kind.experiment
    if let member = try reader.optional("kind") {
      guard let known = Kind(rawValue: try member.text()) else {
        throw member.refusal("must be \"experiment\" or \"personalization\"")
      }
      kind = known
    }
    self.init(
      ExperimentID(try reader.required("id").id()),
      variations: try reader.list("variations").map { item throws(ExperimentError) in
        try ExperimentVariation(item)
      },
      kind: kind, targeting: try reader.optional("targeting")?.value,
      policy: try reader.optional("policy")?.text(),
      goal: try reader.optional("goal").map { goal throws(ExperimentError) in
        GoalID(try goal.id())
      },
      other: reader.members(except: ["id", "variations", "kind", "targeting", "policy", "goal"]))
  }

  var json: JSONValue {
    var members = other
    members["id"] = .string(id.rawValue)
    members["variations"] = .array(variations.map(\.json))
    members["kind"] = kind == .experiment ? nil : .string(kind.rawValue)
    members["targeting"] = targeting == .null ? nil : targeting
    members["policy"] = policy.map { .string($0) }
    members["goal"] = goal.map { .string($0.rawValue) }
    return .object(members)
  }
}

extension ExperimentVariation {
  init(_ reader: ConfigurationReader) throws(ExperimentError) {
    self.init(
      VariationID(try reader.required("id").id()),
      deviation: try reader.required("deviation").number(), respool: try reader.integer("respool"))
  }

  var json: JSONValue {
    var members: JSONObject = ["id": .string(id.rawValue), "deviation": .number(deviation)]
    members["respool"] = respool.map { .integer($0) }
    return .object(members)
  }
}
