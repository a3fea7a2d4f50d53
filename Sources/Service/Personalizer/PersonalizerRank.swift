internal import DecidingAgents
internal import DecidingCore
internal import Events
internal import Specifications

/// A request to rank actions: `{"actions":[{"id":"a","features":[…]}],"contextFeatures":[…],"excludedActions":["b"],
/// "eventId":"e-1","deferActivation":false}`.
struct PersonalizerRank: Sendable {
  /// An action, and its features by name.
  struct Action: Sendable {
    var id = ""
    var features: JSONObject = [:]

    static let table = PersonalizerTable(
      Action(), others: .ignored,
      [.required("id", \.id, .text(AgentCode.schema)), .field("features", \.features, .features)])
  }

  /// The actions, in the order in which the app would show them.
  private(set) var offered: [Action] = []
  /// The ids of the actions that must not be chosen.
  private(set) var excluded: [String] = []
  /// The event; nil for a fresh id.
  private(set) var event: String?
  /// Whether the decision counts only once the event is activated.
  private(set) var isDeferred = false
  /// The features of the context, by name.
  private(set) var inputs: JSONObject = [:]

  /// The ids of the actions.
  private var actions: [String] { offered.map(\.id) }

  /// The maximum number of actions.
  private static let actionLimit = 50
  /// The maximum length of an id, in UTF-8 bytes.
  static let idLimit = 256

  /// The members; those that may be missing may be null too.
  static let table = PersonalizerTable(
    PersonalizerRank(), others: .ignored,
    [
      .required(
        "actions", \.offered,
        .list(of: .object(Action.table))
          .limited(["minItems": 1, "maxItems": .integer(Int64(actionLimit))]) {
            (1...actionLimit).contains($0.count) ? nil : "has \($0.count) actions; rank 1 to \(actionLimit) of them"
          }),
      .field(
        "excludedActions", \.excluded,
        .list(of: .text(AgentCode.schema)).adding(["type": ["array", "null"]])),
      .field("contextFeatures", \.inputs, .features.adding(["type": ["array", "null"]])),
      .optional("eventId", \.event, .event.adding(["type": ["string", "null"]])),
      .field("deferActivation", \.isDeferred, .flag.adding(["type": ["boolean", "null"]])),
    ])

  private init() {}

  /// Reads a request.
  init(_ body: [UInt8]) throws(PersonalizerProblem) {
    self = try Self.table.read(body)
    let actions = actions
    for (index, id) in actions.enumerated() where actions[..<index].contains(id) {
      throw PersonalizerProblem("the action \"\(id)\" is listed twice; ids are unique")
    }
    for id in excluded where !actions.contains(id) {
      throw PersonalizerProblem(
        "excludedActions has \"\(id)\", which is not the id of an action"
          + NearestName.remedy(for: id, among: actions))
    }
    guard actions.contains(where: { !excluded.contains($0) }) else {
      throw PersonalizerProblem("every action is excluded; leave one that can be chosen")
    }
  }

  /// Returns the request to an agent.
  func decision(of agent: String) -> DecisionRequest {
    DecisionRequest(
      agent: agent, session: event, slots: [SlotChoices(choices: actions)],
      status: isDeferred ? .provisional : .confirmed, excluding: excluded, inputs: inputs,
      choiceFeatures: Dictionary(
        offered.filter { !$0.features.isEmpty }.map { ($0.id, $0.features) }, uniquingKeysWith: { a, _ in a }))
  }

  /// Returns the body of the response: excluded actions keep their places, and the chosen one comes first among the
  /// others, which follow by descending probability.
  func response(to reply: DecisionReply) -> JSONValue {
    let (decision, actions) = (reply.decisions.first, actions)
    let chosen = decision?.code ?? actions[0]
    let probabilities = probabilities(of: decision)
    let ranked = actions.enumerated()
      .filter { !excluded.contains($0.element) || $0.element == chosen }
      .sorted { a, b in
        if (a.element == chosen) != (b.element == chosen) { return a.element == chosen }
        let (p, q) = (probabilities[a.element] ?? 0, probabilities[b.element] ?? 0)
        return p == q ? a.offset < b.offset : p > q
      }
    var rest = ranked.map(\.element)[...]
    let order = actions.map { action in
      excluded.contains(action) && action != chosen ? action : rest.popFirst() ?? action
    }
    let ranking = order.map { action -> JSONValue in
      var object: JSONObject = ["id": .string(action)]
      object["probability"] = probabilities[action].map { .number($0) }
      return .object(object)
    }
    return [
      "ranking": .array(ranking), "eventId": .string(reply.session),
      "rewardActionId": .string(chosen),
    ]
  }

  /// The probabilities that are known: those of the draw, or, for a choice made before, the one that it had then.
  private func probabilities(of decision: AgentDecision?) -> [String: Double] {
    guard let decision else { return [:] }
    var known: [String: Double] = [:]
    for action in excluded { known[action] = 0 }
    if let probabilities = decision.probabilities {
      for (choice, probability) in zip(decision.choices, probabilities) {
        known[choice] = probability
      }
    } else {
      known[decision.code] = decision.propensity
    }
    return known
  }
}

extension DefinitionKind where Value == JSONObject, Problem == PersonalizerProblem {
  /// A list of objects of features, joined.
  fileprivate static var features: Self {
    DefinitionKind<[JSONObject], Problem>.list(of: .members).map { (objects, _) in
      JSONObject(objects.flatMap { FlatInputs($0).members })
    } from: {
      [$0]
    }
  }
}
