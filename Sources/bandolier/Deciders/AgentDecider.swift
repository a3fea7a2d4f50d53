import DecidingAgents
import DecidingCore
import EventLog
import Events
import Replay
import Specifications

/// Decides with an agent.
struct AgentDecider {
  private let command: DecideCommand
  private let log: LiveLog

  init(_ command: DecideCommand, _ log: LiveLog) {
    self.command = command
    self.log = log
  }

  /// Defines agents whose definition differs from the log's, and requests a decision.
  func decide(_ definitions: [AgentDefinition]) throws -> JSONValue {
    let agents = try log.agents(named: definitions.map(\.agent) + [command.experiment])
    let request = request()
    let defined = definitions.last { $0.agent == command.experiment }
    guard agents.knowsChoices(of: request) || defined.map({ hasChoices($0, request) }) ?? false
    else { throw try unknown(definitions) }
    for definition in definitions where agents.definition(of: definition.agent) != definition {
      try agents.define(definition)
    }
    return try answer(agents.decide(request))
  }

  /// Returns whether a definition that may not be in the log yet has choices for the request.
  private func hasChoices(_ definition: AgentDefinition, _ request: DecisionRequest) -> Bool {
    let point = request.point ?? "point-1"
    let slots = definition.points.first { $0.code == point }?.slots.filter { !$0.choices.isEmpty }
    let open = (request.slots ?? []).filter { $0.choices?.isEmpty ?? true }
    return open.isEmpty
      ? slots?.isEmpty == false
      : open.allSatisfy { slot in slots?.contains { $0.code == slot.slot } ?? false }
  }

  /// Returns the error for a request without choices. The library would choose between `a` and `b`, which
  /// would be a surprise here.
  private func unknown(_ definitions: [AgentDefinition]) throws -> Failure {
    let names = try LogNames(log.reader, [.experiments])
    let known = definitions.map(\.agent) + names.texts(.experiments)
    let place = command.point.map { " at point \"\($0)\"" } ?? ""
    let hint =
      known.contains(command.experiment)
      ? "" : NearestName.remedy(for: command.experiment, among: known, lead: "known agents:")
    return Failure(
      exitCode: Failure.usage,
      "the choices of agent \"\(command.experiment)\"\(place) are unknown; give them with --choices A,B, or define "
        + "them in a file for --config" + hint)
  }

  private func request() -> DecisionRequest {
    DecisionRequest(
      agent: command.experiment, session: command.live.unit, point: command.point,
      slots: command.choices.map(slots), status: command.provisional ? .provisional : .confirmed,
      allowed: command.allowed.map(Self.codes), excluding: command.excluding.map(Self.codes) ?? [],
      segment: command.segment,
      inputs: JSONObject(command.inputs.map { .init(name: $0.key, value: Self.value($0.value)) }))
  }

  private func slots(_ text: String) -> [SlotChoices] {
    let isMulti = text.utf8.contains(UInt8(ascii: ":")) || text.utf8.contains(UInt8(ascii: "/"))
    return (isMulti ? ChoiceText(multi: text) : ChoiceText(single: text)).slots
  }

  /// A number or a truth value if the text is exactly how one is written, so that what is recorded can be learned from;
  /// otherwise the text.
  private static func value(_ text: String) -> JSONValue {
    guard let value = try? JSONValue(parsing: text), value.number != nil || value.boolean != nil,
      value.description.utf8.elementsEqual(text.utf8)
    else { return .string(text) }
    return value
  }

  private static func codes(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  private func answer(_ reply: DecisionReply) -> JSONValue {
    let head: [(String, JSONValue?)] = [
      ("experiment", .string(reply.agent)), ("point", .string(reply.point)),
      ("unit", .string(reply.session)),
      ("warnings", reply.warnings.isEmpty ? nil : .array(reply.warnings.map { .string($0) })),
    ]
    guard reply.decisions.count != 1, command.choices != nil else {
      return .answer(head + (reply.decisions.first.map(members) ?? []))
    }
    let decisions = reply.decisions.map { decision in
      JSONObject.Member(name: decision.slot, value: .answer(members(decision)))
    }
    return .answer(head + [("decisions", .object(JSONObject(decisions)))])
  }

  private func members(_ decision: AgentDecision) -> [(String, JSONValue?)] {
    [
      ("slot", .string(decision.slot)), ("decision", .string(decision.code)),
      ("propensity", decision.propensity.map { .number($0) }),
      ("reason", .string(decision.reason.rawValue)), ("status", .string(decision.status.name)),
      ("policy", .text(decision.policyName)),
      ("choices", .array(decision.choices.map { .string($0) })),
      ("meta", decision.meta.isEmpty ? nil : .object(decision.meta)),
    ]
  }
}
