/// What a code stands for.
public enum AgentCodeRole: String, Hashable, Sendable, CaseIterable {
  /// An agent.
  case agent
  /// A point of an app.
  case point
  /// A slot of a point.
  case slot
  /// A choice of a slot.
  case choice
  /// A goal.
  case goal
  /// A session, whose id may be any text but the empty one.
  case session
}

/// Why an agent or its client did not do what it was asked.
public enum AgentError: Error, Hashable, Sendable {
  /// A code is empty or has a character that no code may have.
  case invalidCode(String, role: AgentCodeRole)
  /// A code is longer than the limit.
  case codeTooLong(String, limit: Int)
  /// The code has a meaning of its own.
  case reservedCode(String)
  /// There is no such agent, and none is made at first use.
  case unknownAgent(String)
  /// There is no such goal, and none is made at first use.
  case unknownGoal(String)
  /// The call failed and names no choice to fall back to.
  case noFallback
  /// A reward is no finite number.
  case invalidReward(Double)
  /// A definition, or a part of it at the path, cannot be.
  case invalidDefinition(path: String, reason: String)
  /// No answer came within the time limit.
  case timeout(Duration)
  /// The service cannot be reached.
  case network(String)
  /// The service answered something else than it should.
  case invalidReply(String)
  /// The service refused.
  case service(String)
  /// The sink did not take the events, so nothing changed.
  case notRecorded(String)
  /// A snapshot does not fit.
  case invalidSnapshot(String)

  /// Two errors are the same when they say the same; a reward that is not a number equals another such one.
  public static func == (a: AgentError, b: AgentError) -> Bool {
    a.word == b.word && a.description == b.description
  }

  /// Hashes what the error says, to agree with `==`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(word)
    hasher.combine(description)
  }

  /// The case as one word: `invalid-code`, `unknown-agent`, ...
  public var word: String {
    switch self {
    case .invalidCode: "invalid-code"
    case .codeTooLong: "code-too-long"
    case .reservedCode: "reserved-code"
    case .unknownAgent: "unknown-agent"
    case .unknownGoal: "unknown-goal"
    case .noFallback: "no-fallback"
    case .invalidReward: "invalid-reward"
    case .invalidDefinition: "invalid-definition"
    case .timeout: "timeout"
    case .network: "network"
    case .invalidReply: "invalid-reply"
    case .service: "service"
    case .notRecorded: "not-recorded"
    case .invalidSnapshot: "invalid-snapshot"
    }
  }

  /// Whether no answer came, so that the same call may have another outcome later.
  public var isRetryable: Bool {
    switch self {
    case .timeout, .network, .invalidReply, .notRecorded: true
    default: false
    }
  }
}

extension AgentError: CustomStringConvertible {
  /// What is wrong, where, and how to mend it, in one line.
  public var description: String {
    switch self {
    case .invalidCode(let code, let role): AgentCode.complaint(about: code, role: role)
    case .codeTooLong(let code, let limit):
      "code \"\(code)\" has \(code.count) characters; use at most \(limit)"
    case .reservedCode(let code):
      "code \"\(code)\" stands for every agent; give the agent another one"
    case .unknownAgent(let agent):
      "unknown agent \"\(agent)\"; define it, or let agents be made at first use"
    case .unknownGoal(let goal):
      "unknown goal \"\(goal)\"; define it, or let goals be made at first use"
    case .noFallback:
      "the call failed and has nothing to fall back to; give it choices, a default, or the client an "
        + "overall default"
    case .invalidReward(let reward):
      "reward \(reward) is no finite number; leave it out for the goal's default"
    case .invalidDefinition(let path, let reason):
      "definition of an agent, \(path.isEmpty ? "the root" : path): \(reason)"
    case .timeout(let limit): "no answer within \(limit); try again, or allow more time"
    case .network(let reason): "the service cannot be reached: \(reason); try again later"
    case .invalidReply(let reason):
      "the service answered something else than it should: \(reason); check its address"
    case .service(let reason): "the service refused: \(reason)"
    case .notRecorded(let reason):
      "the log did not take the events, so nothing changed: \(reason); try again when it can be written"
    case .invalidSnapshot(let reason): "the snapshot does not fit: \(reason)"
    }
  }
}
