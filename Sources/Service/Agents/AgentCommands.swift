internal import DecidingAgents
internal import DecidingCore
internal import Events

/// The commands of the third version of Conductrics' interface: `{"commands":[{"a":"shop","s":"p","c":["a","b"]},
/// {"g":"order","v":9.5}]}`. Each is a selection of an agent or a goal of the session; all share the parameters of the
/// request.
struct AgentCommands {
  /// A command that can be executed, and how it is answered.
  enum Command {
    case selection(DecisionRequest)
    case goal(GoalRequest)
  }

  let commands: [Command]

  /// Reads commands.
  ///
  /// - Throws: ``ServiceProblem`` with status 400 for the first that is neither.
  init(
    _ items: [JSONValue], of batch: AgentParameters, session: String
  ) throws(ServiceProblem) {
    var commands: [Command] = []
    for (index, item) in items.enumerated() {
      guard let object = item.object else {
        throw Self.problem(index, "must be an object, not \(item.kindName)")
      }
      commands.append(try Self.command(object, index, batch, session))
    }
    self.commands = commands
  }

  private static func command(
    _ object: JSONObject, _ index: Int, _ batch: AgentParameters, _ session: String
  ) throws(ServiceProblem) -> Command {
    let parameters = try AgentParameters(item: renamed(object), of: batch, among: nil)
    switch (object["a"]?.string, object["g"]?.string) {
    case (let agent?, nil):
      let slots = [SlotChoices(choices: nil)]
      return .selection(
        try parameters.decision(agent: agent, slots: slots, session: session))
    case (nil, let goal?):
      return .goal(
        GoalRequest(
          agent: nil, session: session, goal: goal,
          reward: try parameters.optional("reward", Wire.number)))
    default:
      throw problem(index, "must have either an agent \"a\" or a goal \"g\", a text, and not both")
    }
  }

  /// The members with the names that they have elsewhere; `c` permits some of the agent's choices, `x` all but some.
  private static func renamed(_ object: JSONObject) -> JSONObject {
    var renamed = object
    for (short, name) in [("s", "status"), ("c", "allowed"), ("x", "excluding"), ("v", "reward")] {
      if let value = object[short] { renamed[name] = value }
    }
    return renamed
  }

  private static func problem(_ index: Int, _ reason: String) -> ServiceProblem {
    ServiceProblem(400, "invalid-item", "commands[\(index)] \(reason)")
  }

  // MARK: Answers

  /// Returns the calls, in order.
  var calls: [AgentCall] {
    commands.map { command in
      switch command {
      case .selection(let request): .decision(request)
      case .goal(let request): .goal(request)
      }
    }
  }

  /// Returns the answer: an item for each command, the selections by agent, and the traits. A command that failed has
  /// its error in its item.
  func json(_ results: [Result<AgentAnswer, ServiceProblem>]) -> JSONValue {
    var (items, selections, traits): ([JSONValue], JSONObject, [String]) = ([], [:], [])
    for (command, result) in zip(commands, results) {
      items.append(Self.item(command, result))
      guard case .success(.decision(let reply)) = result else { continue }
      selections[reply.agent] = reply.decisions.first.map { .string($0.code) }
      for trait in reply.traits where !traits.contains(trait) { traits.append(trait) }
    }
    return [
      "status": 200,
      "data": [
        "items": .array(items), "sels": .object(selections),
        "traits": .array(traits.map { .string($0) }), "log": [],
      ],
    ]
  }

  private static func item(
    _ command: Command, _ result: Result<AgentAnswer, ServiceProblem>
  ) -> JSONValue {
    switch (command, result) {
    case (.selection(let request), .success(.decision(let reply))):
      return selection(request.agent, reply)
    case (.goal(let request), .success(.goal(let reply))):
      let rewards = reply.rewards.filter { $0.refusal == nil }
      return [
        "g": .string(request.goal ?? ""),
        "rs": .array(rewards.map { ["a": .string($0.agent), "v": .number($0.reward)] }),
      ]
    case (_, .success): return [:]
    case (.selection(let request), .failure(let problem)):
      return ["a": .string(request.agent), "err": .string(problem.message)]
    case (.goal(let request), .failure(let problem)):
      return ["g": .string(request.goal ?? ""), "rs": [], "err": .string(problem.message)]
    }
  }

  private static func selection(_ agent: String, _ reply: DecisionReply) -> JSONValue {
    guard let decision = reply.decisions.first else { return ["a": .string(agent)] }
    var texts: JSONObject = [:]
    for member in decision.meta.members {
      texts[member.name] = .string(member.value.string ?? member.value.description)
    }
    return [
      "a": .string(agent), "c": .string(decision.code), "p": .string(letter(decision.reason)),
      "md": .object(texts),
    ]
  }

  /// The letter of a policy.
  private static func letter(_ reason: Reason) -> String {
    switch reason {
    case .paused, .stopped: "p"
    case .fixed, .forced: "f"
    case .adaptive: "a"
    case .control: "c"
    case .sticky: "s"
    case .bot, .doNotTrack: "b"
    case .random: "r"
    default: "x"
    }
  }
}
