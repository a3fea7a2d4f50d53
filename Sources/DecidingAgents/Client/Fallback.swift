internal import DecidingCore
internal import Events

/// The fallbacks of calls that have no answer.
enum Fallback {
  /// Returns the fallback code of the single form: the call's default, else the first choice, else the
  /// overall default; nil without any of them.
  static func code(for request: DecisionRequest, default call: String?, overall: String?) -> String? {
    call ?? request.slots?.first?.choices?.first ?? overall
  }

  /// Returns the fallback of the single form, with the given code.
  static func choice(
    for request: DecisionRequest, _ session: String, code: String, because error: AgentError
  ) -> AgentChoice {
    let slot = request.slots?.first?.slot ?? SlotID.standard.rawValue
    let decision = decision(slot, code, error)
    let reply = DecisionReply(
      agent: request.agent, session: request.session ?? session,
      point: request.point ?? PointID.standard.rawValue, decisions: [decision])
    return AgentChoice(decision, of: reply, error: error)
  }

  /// Returns the fallback of the multi form: for each slot the call's default, else its first choice, else
  /// the overall default. A call's default is in the multi form too and is matched by slot name; a code
  /// without a name applies to every slot.
  static func reply(
    to request: DecisionRequest, _ session: String, default call: String?, overall: String?,
    because error: AgentError
  ) -> DecisionReply {
    let isNamed =
      call?.utf8.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") } ?? false
    let named = isNamed ? ChoiceText(multi: call ?? "").slots : []
    let plain = isNamed ? nil : call
    guard let slots = request.slots else {
      let rest = (plain ?? overall).map { [SlotChoices(choices: [$0])] } ?? []
      return reply(to: request, session, isNamed ? named : rest, error)
    }
    let codes = Dictionary(
      named.map { (SlotID($0.slot), $0.choices?.first) }, uniquingKeysWith: { $1 })
    let choices = slots.map { slot in
      let code = (codes[SlotID(slot.slot)] ?? plain) ?? slot.choices?.first ?? overall
      return SlotChoices(slot: slot.slot, choices: code.map { [$0] })
    }
    return reply(to: request, session, choices, error)
  }

  private static func reply(
    to request: DecisionRequest, _ session: String, _ slots: [SlotChoices], _ error: AgentError
  ) -> DecisionReply {
    DecisionReply(
      agent: request.agent, session: request.session ?? session,
      point: request.point ?? PointID.standard.rawValue,
      decisions: slots.compactMap { slot in
        slot.choices?.first.map { decision(slot.slot, $0, error) }
      })
  }

  private static func decision(_ slot: String, _ code: String, _ error: AgentError) -> AgentDecision {
    AgentDecision(slot: slot, code: code, reason: error.fallbackReason, status: .excluded)
  }
}

extension AgentError {
  /// The reason recorded for a fallback.
  var fallbackReason: Reason {
    switch self {
    case .network: .offline
    case .timeout: .timeout
    case .notRecorded: .notRecorded
    default: .error
    }
  }
}
