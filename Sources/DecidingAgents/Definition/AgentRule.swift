internal import DecidingCore
public import Events

/// A rule: conditions on the visitor, and the effect when they are met.
public struct AgentRule: Hashable, Sendable {
  /// How the conditions are combined.
  public enum Join: String, Hashable, Sendable, CaseIterable {
    /// All conditions must hold.
    case all
    /// At least one condition must hold.
    case any
  }

  /// The code of the rule, which messages name.
  public var code: String
  /// Whether the rule is active.
  public var isActive: Bool
  /// The agents that the rule applies to; `*` for all.
  public var agents: [String]
  /// The conditions; a rule without any always applies.
  public var conditions: [AgentCondition]
  /// How the conditions are combined.
  public var join: Join
  /// The effect when the rule applies.
  public var effect: AgentEffect

  /// Creates a rule.
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

  /// Returns whether the rule is for the agent.
  func concerns(_ agent: String) -> Bool {
    isActive && agents.contains { $0 == "*" || $0.hasSameBytes(as: agent) }
  }
}

/// The effect of a rule.
public enum AgentEffect: Hashable, Sendable {
  /// Assigns the visitor to a segment, replacing any other.
  case segment(String)
  /// Adds a feature, replacing one of the same name.
  case feature(AgentFeature)
  /// Permits only these of the choices permitted so far; in every slot when it is nil.
  case permitted([String], slot: String?)
  /// Fixes the choice; in every slot that has it when the slot is nil.
  case fixed(String, slot: String?)
}

/// A condition of a rule: a source, an operator and an operand.
public struct AgentCondition: Hashable, Sendable {
  /// The source of a condition's value.
  public enum Source: Hashable, Sendable {
    /// The id of the session.
    case session
    /// The point of the request.
    case point
    /// The segment, given in the request or set by an earlier rule.
    case segment
    /// The weight of a feature, given in the request or set by an earlier rule.
    case feature(String)
    /// An input of the request.
    case input(String)
    /// The values of a trait; traits given by the caller are in the namespace `cust`.
    case trait(String)
  }

  /// A comparison operator.
  public enum Operator: String, Hashable, Sendable, CaseIterable {
    /// Equal: numerically when both are numbers, otherwise as text.
    case eq
    /// Present and not equal.
    case ne
    /// A number less than the operand.
    case lt
    /// A number less than or equal to the operand.
    case le
    /// A number greater than the operand.
    case gt
    /// A number greater than or equal to the operand.
    case ge
    /// A text that contains the operand, a number that does as it is written, or a list that has it as an element.
    case contains
    /// A text, or a number as it is written, that starts with the operand.
    case starts
    /// A text, or a number as it is written, that ends with the operand.
    case ends
    /// A text of at most 1,024 bytes, or a number as it is written, that contains a match of the regular expression;
    /// `TextPattern` documents the syntax.
    case matches
    /// Equal to an element of the operand, a list.
    case `in`
    /// Present.
    case present
    /// Absent.
    case absent
  }

  /// The source of the value.
  public var source: Source
  /// The comparison operator.
  public var comparison: Operator { didSet { pattern = readPattern() } }
  /// The operand.
  public var operand: JSONValue { didSet { pattern = readPattern() } }
  /// The parsed regular expression; nil with other operators.
  private(set) var pattern: TextPattern?

  /// Creates a condition.
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
  /// Parses a source: `session`, `feature:NAME`, `input:KEY`, `trait:cust/KEY`, ...
  public init?(_ text: String) {
    // Searched by bytes: to Swift a colon followed by a combining accent is another character.
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

  /// The source in its text form.
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
