internal import DecidingAgents
internal import Events
internal import Specifications

/// A request to rank actions: `{"actions":[{"id":"a","features":[…]}],"contextFeatures":[…],"excludedActions":["b"],
/// "eventId":"e-1","deferActivation":false}`.
struct PersonalizerRank {
  /// The ids of the actions, in the order in which the app would show them.
  var actions: [String] = []
  /// The ids of the actions that must not be chosen.
  var excluded: [String] = []
  /// The event; nil for a fresh id.
  var event: String?
  /// Whether the decision counts only once the event is activated.
  var isDeferred = false
  /// The features of the context, by name.
  var inputs: JSONObject = [:]
  /// The features of actions by their ids.
  var features: [String: JSONObject] = [:]

  /// The maximum number of actions.
  static let actionLimit = 50
  /// The maximum length of an id, in UTF-8 bytes.
  static let idLimit = 256

  /// Reads a request.
  init(_ body: [UInt8]) throws(PersonalizerProblem) {
    let object = try PersonalizerBody.object(body)
    for item in try object.list("actions") ?? [] {
      guard let id = item["id"]?.string else {
        throw PersonalizerProblem("an action has no id; give every action one, as text")
      }
      guard !actions.contains(id) else {
        throw PersonalizerProblem("the action \"\(id)\" is listed twice; ids are unique")
      }
      actions.append(id)
      let features = try Self.merged(item.object?.list("features") ?? [], "features of \"\(id)\"")
      if !features.isEmpty { self.features[id] = features }
    }
    guard (1...Self.actionLimit).contains(actions.count) else {
      throw PersonalizerProblem(
        "there are \(actions.count) actions; rank 1 to \(Self.actionLimit) of them")
    }
    for item in try object.list("excludedActions") ?? [] {
      guard let id = item.string, actions.contains(id) else {
        throw PersonalizerProblem(
          "excludedActions has \(item), which is not the id of an action"
            + NearestName.remedy(for: item.string ?? "", among: actions))
      }
      excluded.append(id)
    }
    guard actions.contains(where: { !excluded.contains($0) }) else {
      throw PersonalizerProblem("every action is excluded; leave one that can be chosen")
    }
    event = try object.text("eventId")
    if let event { try PersonalizerBody.check(event: event) }
    isDeferred = try object.flag("deferActivation") ?? false
    inputs = try Self.merged(object.list("contextFeatures") ?? [], "contextFeatures")
  }

  /// Joins a list of objects of features.
  private static func merged(
    _ features: [JSONValue], _ name: String
  ) throws(PersonalizerProblem) -> JSONObject {
    var members: [JSONObject.Member] = []
    for value in features {
      guard let object = value.object else {
        throw PersonalizerProblem(
          "\(name) has \(value.kindName); it must be a list of objects of features")
      }
      members += FlatInputs(object).members
    }
    return JSONObject(members)
  }

  /// Returns the request to an agent.
  func decision(of agent: String) -> DecisionRequest {
    DecisionRequest(
      agent: agent, session: event, slots: [SlotChoices(choices: actions)],
      status: isDeferred ? .provisional : .confirmed, excluding: excluded, inputs: inputs,
      choiceFeatures: features)
  }

  /// Returns the body of the response: excluded actions keep their places, and the chosen one comes first among the
  /// others, which follow by descending probability.
  func response(to reply: DecisionReply) -> JSONValue {
    let decision = reply.decisions.first
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
