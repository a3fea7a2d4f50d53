internal import Bandits
internal import DecidingCore
internal import Events

/// The context that decisions record: the segment, the features of the visitor, and the inputs of the request, whether
/// or not a policy reads them.
struct RecordedContext {
  /// The attributes to record.
  private(set) var attributes: Attributes
  /// What was left out, and why.
  private(set) var leftOut: [String] = []

  /// The maximum number of inputs that a decision records.
  static let countLimit = 64
  /// The maximum length of a text that is recorded, in UTF-8 bytes.
  static let textLimit = 256

  init(_ facts: AgentFacts, _ recorded: RecordedInputs, _ policy: ServedPolicy?) {
    attributes = facts.context ?? [:]
    if let policy {
      for source in policy.attributes {
        guard case .context(let name) = source, attributes[name] == nil else { continue }
        attributes[name] = facts.input(name, asNumber: policy.readsNumber(source))
      }
    }
    if facts.question.request.isPrefetch { attributes[AgentFacts.prefetchName] = true }
    let count = attributes.entries.count
    for member in facts.inputs.members where recorded.includes(member.name) {
      add(member, limit: count + Self.countLimit)
    }
  }

  private mutating func add(_ member: JSONObject.Member, limit: Int) {
    guard member.value != .null, attributes[member.name] == nil else { return }
    let value = AgentFacts.attribute(member.value, asNumber: false)
    if let problem = Self.problem(with: member, value) {
      leftOut.append(
        "input \(member.name.prefix(40).debugDescription) was not recorded: \(problem)")
    } else if attributes.entries.count >= limit {
      leftOut.append(
        "input \(member.name.prefix(40).debugDescription) was not recorded: there are more than "
          + "\(Self.countLimit)")
    } else {
      attributes[member.name] = value
    }
  }

  private static func problem(with member: JSONObject.Member, _ value: AttributeValue?) -> String? {
    if AgentFacts.isReserved(member.name) {
      return "the name is that of the segment, a feature or a kind of request; send it as such"
    }
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
