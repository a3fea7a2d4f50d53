internal import Bandits
internal import DecidingCore
internal import Events

/// The attributes that a decision records of a visitor or of a choice, and what was left out of them.
struct RecordedAttributes {
  /// The attributes to record.
  private(set) var attributes: Attributes
  /// What was left out, and why.
  private(set) var leftOut: [String] = []

  /// The maximum number of inputs that a decision records, and of attributes of a choice.
  static let countLimit = 64
  /// The maximum length of a text that is recorded, in UTF-8 bytes.
  static let textLimit = 256

  /// Creates the context of a decision: the segment, the features of the visitor, and the inputs of the request, whether
  /// or not a policy reads them.
  init(_ facts: AgentFacts, _ recorded: RecordedInputs, _ policy: ServedPolicy?) {
    attributes = facts.context ?? [:]
    if let policy {
      for source in policy.attributes {
        guard case .context(let name) = source, attributes[name] == nil else { continue }
        attributes[name] = facts.input(name, asNumber: policy.readsNumber(source))
      }
    }
    if facts.question.request.isPrefetch { attributes[AgentFacts.prefetchName] = true }
    let limit = attributes.entries.count + Self.countLimit
    for member in facts.inputs.members where recorded.includes(member.name) {
      if member.value != .null, attributes[member.name] == nil,
        AgentFacts.isReserved(member.name)
      {
        let reason = "the name is that of the segment, a feature or a kind of request"
        leaveOut("input \(Self.quoted(member.name))", reason + "; send it as such")
      } else {
        add(member, limit: limit) { "input \(Self.quoted(member.name))" }
      }
    }
  }

  /// Creates the attributes of a choice: those that a policy reads, those that the request gives, and what is defined of
  /// the choice. What is defined and cannot be recorded is no part of the request, and not counted.
  init(
    of choice: String, given: FlatInputs, defined: FlatInputs, for policy: ServedPolicy?
  ) {
    attributes = [:]
    for case .features(let name) in policy?.attributes ?? [] {
      attributes[name] = AgentFacts.attribute(
        given[name] ?? defined[name], asNumber: policy?.readsNumber(.features(name)) ?? false)
    }
    for member in given.members {
      add(member, limit: Self.countLimit) {
        "feature \(Self.quoted(member.name)) of choice \(Self.quoted(choice))"
      }
    }
    let counted = leftOut
    for member in defined.members { add(member, limit: Self.countLimit) { "" } }
    leftOut = counted
  }

  private static func quoted(_ name: String) -> String { name.prefix(40).debugDescription }

  private mutating func leaveOut(_ what: String, _ reason: String) {
    leftOut.append("\(what) was not recorded: \(reason)")
  }

  private mutating func add(
    _ member: JSONObject.Member, limit: Int, called what: () -> String
  ) {
    guard member.value != .null, attributes[member.name] == nil else { return }
    let value = AgentFacts.attribute(member.value, asNumber: false)
    if let problem = Self.problem(with: member, value) {
      leaveOut(what(), problem)
    } else if attributes.entries.count >= limit {
      leaveOut(what(), "there are more than \(Self.countLimit)")
    } else {
      attributes[member.name] = value
    }
  }

  private static func problem(with member: JSONObject.Member, _ value: AttributeValue?) -> String? {
    if member.name.utf8.count > FlatInputs.nameLimit {
      return "its name has more than \(FlatInputs.nameLimit) UTF-8 bytes"
    }
    switch value {
    case nil:
      return "it is \(member.value.kindName); send a finite number, a text or a truth value"
    case .text(let text) where text.utf8.count > textLimit:
      return "its text has more than \(textLimit) UTF-8 bytes"
    default: return nil
    }
  }
}
