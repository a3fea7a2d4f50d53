package import Specifications

/// The kind of thing that a code identifies.
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
  /// A session, whose id can be any nonempty text.
  case session
}

/// An error of an agent or its client.
public enum AgentError: Error, Hashable, Sendable {
  /// A code is empty or has an invalid character.
  case invalidCode(String, role: AgentCodeRole)
  /// A code is longer than the limit.
  case codeTooLong(String, limit: Int)
  /// The code is reserved.
  case reservedCode(String)
  /// There is no such agent, and none is created on first use.
  case unknownAgent(String)
  /// There is no such goal, and none is created on first use.
  case unknownGoal(String)
  /// The call failed and has no fallback.
  case noFallback
  /// A reward is not a finite number.
  case invalidReward(Double)
  /// A definition is invalid at the path.
  case invalidDefinition(path: String, reason: String)
  /// No answer came within the timeout.
  case timeout(Duration)
  /// The service cannot be reached.
  case network(String)
  /// The response of the service is invalid.
  case invalidReply(String)
  /// The service refused the request.
  case service(String)
  /// The sink did not accept the events; nothing has changed.
  case notRecorded(String)
  /// The snapshot is invalid.
  case invalidSnapshot(String)

  /// Compares two errors; NaN rewards are equal to each other.
  public static func == (a: AgentError, b: AgentError) -> Bool {
    a.word == b.word && a.description == b.description
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(word)
    hasher.combine(description)
  }

  /// The case as a word: `invalid-code`, `unknown-agent`, ...
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

  /// Whether no answer came, so that a retry can succeed.
  public var isRetryable: Bool {
    switch self {
    case .timeout, .network, .invalidReply, .notRecorded: true
    default: false
    }
  }
}

extension AgentError: CustomStringConvertible {
  /// The problem, its location, and how to fix it, in one line.
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

extension AgentError: ExitCoded {
  package var exitCode: ExitCode {
    if case .notRecorded = self { .inputOutput } else { .badData }
  }
}
