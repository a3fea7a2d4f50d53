internal import DecidingCore
public import Events

/// A rule: what holds for whom.
public struct AgentRule: Hashable, Sendable {
  /// How the conditions are joined.
  public enum Join: String, Hashable, Sendable, CaseIterable {
    /// All must hold.
    case all
    /// One must hold.
    case any
  }

  /// Its code, which messages name.
  public var code: String
  /// Whether it does anything.
  public var isActive: Bool
  /// The agents it is for; `*` for all.
  public var agents: [String]
  /// What must hold; a rule without conditions always applies.
  public var conditions: [AgentCondition]
  /// How the conditions are joined.
  public var join: Join
  /// What it does when it applies.
  public var effect: AgentEffect

  /// Makes a rule.
  public init(
    _ code: String, isActive: Bool = true, agents: [String] = ["*"],
    when conditions: [AgentCondition] = [], join: Join = .all, then effect: AgentEffect
  ) {
    self.code = code
    self.isActive = isActive
    self.agents = agents
    self.conditions = conditions
    self.join = join
    self.effect = effect
  }

  /// Whether it is for the agent.
  func concerns(_ agent: String) -> Bool {
    isActive && agents.contains { $0 == "*" || $0.hasSameBytes(as: agent) }
  }
}

/// What a rule applies.
public enum AgentEffect: Hashable, Sendable {
  /// Puts the visitor into a segment, out of any other.
  case segment(String)
  /// Gives the visitor a feature, in the place of one of the same name.
  case feature(AgentFeature)
  /// Permits these choices only, of those permitted so far; in every slot when it is nil.
  case permitted([String], slot: String?)
  /// Fixes the choice; in every slot that has it when the slot is nil.
  case fixed(String, slot: String?)
}

/// A condition of a rule: something known, an operator, and what it is compared with.
public struct AgentCondition: Hashable, Sendable {
  /// What a condition reads.
  public enum Source: Hashable, Sendable {
    /// The id of the session.
    case session
    /// The point of the request.
    case point
    /// The segment, as the request and the rules before have it.
    case segment
    /// The weight of a feature, as the request and the rules before have it.
    case feature(String)
    /// An input of the request.
    case input(String)
    /// The values of a trait; those given by the caller are in the namespace `cust`.
    case trait(String)
  }

  /// How a condition compares.
  public enum Operator: String, Hashable, Sendable, CaseIterable {
    /// Equal: as a number when both are, otherwise as text.
    case eq
    /// There, and not equal.
    case ne
    /// A number, and smaller.
    case lt
    /// A number, and not greater.
    case le
    /// A number, and greater.
    case gt
    /// A number, and not smaller.
    case ge
    /// A text that has the operand in it, or a list that has it as an element.
    case contains
    /// A text that starts with the operand.
    case starts
    /// A text that ends with the operand.
    case ends
    /// A text of at most 1,024 bytes that has a match of the regular expression in it; `TextPattern` says what is
    /// understood.
    case matches
    /// Equal to an element of the operand, a list.
    case `in`
    /// There.
    case present
    /// Not there.
    case absent
  }

  /// What it reads.
  public var source: Source
  /// How it compares.
  public var comparison: Operator { didSet { pattern = readPattern() } }
  /// What it compares with.
  public var operand: JSONValue { didSet { pattern = readPattern() } }
  /// The regular expression, read once; nil when it compares in another way.
  private(set) var pattern: TextPattern?

  /// Makes a condition.
  public init(_ source: Source, _ comparison: Operator, _ operand: JSONValue = .null) {
    self.source = source
    self.comparison = comparison
    self.operand = operand
    pattern = readPattern()
  }

  private func readPattern() -> TextPattern? {
    comparison == .matches ? operand.string.map { TextPattern($0) } : nil
  }
}

extension AgentCondition.Source: LosslessStringConvertible {
  /// Reads a source as it is written: `session`, `feature:NAME`, `input:KEY`, `trait:cust/KEY`, ...
  public init?(_ text: String) {
    // By bytes: to Swift a colon with an accent behind it would be another character.
    let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    let name = colon.map { String(text[text.utf8.index(after: $0)...]) }
    switch (text[..<(colon ?? text.endIndex)], name) {
    case ("session", nil): self = .session
    case ("point", nil): self = .point
    case ("segment", nil): self = .segment
    case ("feature", let name?): self = .feature(name)
    case ("input", let name?): self = .input(name)
    case ("trait", let name?) where name.utf8.contains(UInt8(ascii: "/")): self = .trait(name)
    default: return nil
    }
  }

  /// The source as it is written.
  public var description: String {
    switch self {
    case .session: "session"
    case .point: "point"
    case .segment: "segment"
    case .feature(let name): "feature:\(name)"
    case .input(let key): "input:\(key)"
    case .trait(let key): "trait:\(key)"
    }
  }
}
