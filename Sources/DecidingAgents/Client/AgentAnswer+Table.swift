internal import DecidingCore
internal import Events

// The members of answers, each once. A plain answer omits some, which are read as their defaults.

extension DecisionReply {
  /// The members of a plain reply beside its decisions.
  package static let plain = table()
  /// The members of an explained reply beside its decisions.
  static let explained = table(
    .field("warnings", \.warnings, .list(of: .text)), .field("isNewSession", \.isNewSession, .flag))

  private static func table(_ more: DefinitionField<Self, WireProblem>...) -> WireTable<Self> {
    WireTable(
      DecisionReply(agent: "", session: "", point: "", decisions: []), others: .ignored, isForgiving: true,
      [
        .always("agent", \.agent, .text), .required("session", \.session, .text),
        .always("point", \.point, .text), .always("segment", \.segment, segment),
        .always("features", \.features, Wire.weights), .always("traits", \.traits, .list(of: .text)),
      ] + more)
  }

  private static let segment = WireKind<String?>(["type": ["string", "null"]], acceptsNull: true) {
    (reader) throws(WireProblem) in
    reader.value == .null ? nil : try reader.text()
  } write: {
    $0.map { .string($0) } ?? .null
  }
}

extension AgentDecision {
  /// The members of a plain decision.
  package static let plain = table()
  /// The members of an explained decision.
  static let explained = table(
    .always("reason", \.reason, .word), .always("choices", \.choices, .list(of: .text)),
    .optional("propensity", \.propensity, .number),
    .optional("probabilities", \.probabilities, .list(of: .number)),
    .optional("policyName", \.policyName, .text), .optional("name", \.name, .text),
    .field("meta", \.meta, .members))

  private static func table(_ more: DefinitionField<Self, WireProblem>...) -> WireTable<Self> {
    WireTable(
      AgentDecision(slot: "", code: "", reason: .default), others: .ignored, isForgiving: true,
      [
        .required("code", \.code, .text), .always("policy", \.word, .word), .always("status", \.status, .status),
      ] + more)
  }

  /// The policy word. It is read as the most likely reason, in case a reply names none.
  private var word: PolicyWord {
    get { policy }
    set {
      reason =
        switch newValue {
        case .none: .default
        case .paused: .paused
        case .random: .random
        case .fixed: .fixed
        case .adaptive: .adaptive
        case .control: .control
        case .sticky: .sticky
        case .bot: .bot
        }
    }
  }
}

extension WireKind where Value == EventStatus, Problem == WireProblem {
  fileprivate static var status: Self {
    Self(JSONSchema.string) { (reader) throws(WireProblem) in
      let name = try reader.text()
      guard let status = EventStatus.allCases.first(where: { $0.name == name }) else {
        throw reader.problem("is not known here")
      }
      return status
    } write: {
      .string($0.name)
    }
  }
}

extension GoalReply {
  /// The members of a reply for one agent.
  package static let table = WireTable(
    GoalReply(agent: nil, session: "", goal: ""), others: .ignored, isForgiving: true,
    [
      .optional("agent", \.agent, .text), .required("session", \.session, .text),
      .required("goal", \.goal, .text), .always("reward", \.reward, .number),
      .always("accepted", \.accepted, .flag), .optional("refused", \.refusal, .word),
    ])
}
