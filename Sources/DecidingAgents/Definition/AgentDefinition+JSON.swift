package import Bandits
internal import DecidingCore
public import Events

extension AgentDefinition {
  /// Creates a definition from JSON as written by ``json``. Missing members have their defaults.
  ///
  /// - Throws: ``AgentError/invalidDefinition(path:reason:)`` with the path of the invalid member, and the
  ///   errors of ``validate(policies:)``.
  public init(json: JSONValue) throws(AgentError) {
    try self.init(json: json, policies: .standard)
  }

  /// Creates a definition that can name the given policies.
  package init(json: JSONValue, policies: PolicyCatalog) throws(AgentError) {
    self = try Self.table.read(AgentReader(json))
    try validate(policies: policies)
  }

  /// The definition as JSON; members with default values are omitted.
  public var json: JSONValue { Self.table.write(self) }

  /// The members.
  package static let table = AgentTable(
    AgentDefinition(""),
    [
      .required("agent", \.agent, .code(.agent)),
      .optional("name", \.name, .text),
      .field("points", \.points, .list(of: .object(AgentPoint.table), by: \.code)),
      .field("goals", \.goals, .list(of: AgentGoal.kind, by: \.code)),
      .optional(
        "policy", \.policy,
        .text.described("A learning policy, such as thompson or epsilon-greedy:epsilon=0.1")),
      .optional("learnedPolicy", \.learnedPolicy, .learnedPolicy),
      .field("controlShare", \.controlShare, .number(in: 0...1)),
      .field("eligibleShare", \.eligibleShare, .number(in: 0...1)),
      .field("sticky", \.isSticky, .flag),
      .field("explorationFloor", \.explorationFloor, .number(in: 0...1)),
      .field("credit", \.credit, .word),
      .field("learnsBy", \.learnsBy, .word),
      .field("rules", \.rules, .list(of: .object(AgentRule.table))),
      .optional("timeout", \.timeout, .seconds),
      .optional("visitLength", \.visitLength, .seconds),
      .optional("schedule", \.schedule, schedule),
      .optional(
        "recordInputs", \.recordInputs,
        RecordedInputs.kind.described(
          "Which inputs of requests are recorded as the context of decisions")),
    ])

  private static let schedule = AgentKind.object(
    AgentTable(Schedule(), [.optional("from", \.from, .time), .optional("to", \.to, .time)])
  ).limited {
    guard let from = $0.from, let to = $0.to, from >= to else { return nil }
    return "must begin before it ends"
  }
}

extension AgentPoint {
  static let table = AgentTable(
    AgentPoint(slots: []),
    [
      .always("code", \.code, .code(.point)),
      .always("slots", \.slots, .list(of: .object(AgentSlot.table), by: \.code)),
    ])
}

extension AgentSlot {
  static let table = AgentTable(
    AgentSlot(choices: []),
    [
      .always("code", \.code, .code(.slot)),
      .always(
        "choices", \.choices,
        .list(of: .object(AgentOption.table), by: \.code).limited { $0.isEmpty ? "must have a choice" : nil }),
    ])
}

extension AgentOption {
  /// The members; a bare code is a choice with nothing else.
  static let table = AgentTable(
    AgentOption(""), bare: "code",
    [
      .required("code", \.code, .code(.choice)),
      .optional("name", \.name, .text),
      .field("meta", \.meta, .members),
      .field(
        "weight", \.weight,
        .number.limited(["minimum": 0]) {
          $0 >= 0 && $0.isFinite ? nil : "must be finite and not negative"
        }),
    ])
}

extension AgentGoal {
  static let kind = AgentKind.object(table).limited { goal in
    guard [goal.min, goal.max, goal.default].allSatisfy({ $0?.isFinite != false }) else {
      return "min, max and default must be finite"
    }
    guard let min = goal.min, let max = goal.max, min > max else { return nil }
    return "min must not be greater than max"
  }

  /// The members; a bare code is a goal with nothing else. A missing limit is 1, a null limit is none.
  private static let table = AgentTable(
    AgentGoal(""), bare: "code",
    [
      .required("code", \.code, .code(.goal)),
      .optional("min", \.min, .number),
      .optional("max", \.max, .number),
      .field("default", \.default, .number),
      .field("limit", \.limit, limit),
      .optional("decisionPoint", \.decisionPoint, .code(.point)),
    ])

  private static let limit = AgentKind<Int?>(
    ["type": ["integer", "null"]], acceptsNull: true
  ) { (reader) throws(AgentError) in
    reader.value == .null ? nil : Int(clamping: try reader.whole())
  } write: {
    $0.map { .integer(Int64($0)) } ?? .null
  }.limited(["minimum": 1]) { limit in
    limit.map { $0 < 1 } == true ? "must be 1 or more, or null for none" : nil
  }
}

extension AgentKind where Value == Int64, Problem == AgentError {
  fileprivate static var seconds: Self {
    whole.limited(["minimum": 1]) { $0 > 0 ? nil : "must be a positive number of seconds" }
  }
}

extension AgentKind where Value == LearnedPolicy, Problem == AgentError {
  fileprivate static var learnedPolicy: Self {
    Self(["type": "object", "description": "A policy that `bandolier` learned from a log"]) {
      (reader) throws(AgentError) in
      do {
        return try LearnedPolicy(reader.value.decoded())
      } catch let error as DecodingError {
        throw reader.problem("cannot be read: \(JSONValue.explanation(of: error))")
      } catch {
        throw reader.problem("is not a learned policy: \(error)")
      }
    } write: {
      try? JSONValue(encoding: $0.tree)
    }
  }
}
