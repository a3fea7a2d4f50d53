internal import Bandits
internal import DecidingCore
internal import Events

/// The attributes that a decision records of a visitor or of a choice, and what was left out of them.
struct RecordedAttributes {
  /// The attributes to record.
  private(set) var attributes: Attributes
  /// The attributes that were left out, and why.
  private(set) var leftOut: [String] = []

  /// The maximum number of inputs that a decision records, and of attributes of a choice.
  static let countLimit = 64
  /// The maximum length of a text that is recorded, in UTF-8 bytes.
  static let textLimit = 256

  /// Creates the context of a decision: the segment, the features of the visitor, and the inputs of the request,
  /// whether or not a policy reads them.
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
      let isReserved =
        member.value != .null && attributes[member.name] == nil
        && AgentFacts.isReserved(member.name)
      if let obstacle = isReserved ? .reserved : add(member, limit: limit) {
        leftOut.append(Self.sentence("input \(Self.quoted(member.name))", obstacle))
      }
    }
  }

  /// Creates the attributes of a choice: those that a policy reads, those that the request gives, and what is defined
  /// of the choice. What is defined and cannot be recorded is no part of the request, and not counted.
  init(
    of choice: String, given: FlatInputs, defined: FlatInputs, for policy: ServedPolicy?
  ) {
    attributes = [:]
    for case .features(let name) in policy?.attributes ?? [] {
      attributes[name] = AgentFacts.attribute(
        given[name] ?? defined[name], asNumber: policy?.readsNumber(.features(name)) ?? false)
    }
    for member in given.members {
      if let obstacle = add(member, limit: Self.countLimit) {
        leftOut.append(Self.sentence(member, of: choice, obstacle))
      }
    }
    for member in defined.members { _ = add(member, limit: Self.countLimit) }
  }

  /// Returns what is left out of the attributes of a choice that no slot has: all of them.
  static func leftOut(of choice: String, given: FlatInputs) -> [String] {
    given.members.map { sentence($0, of: choice, .noChoice) }
  }

  // MARK: What is left out

  /// Why an attribute is not recorded.
  private enum Obstacle {
    case reserved
    case longName
    case longText
    case invalid(String)
    case tooMany
    case noChoice

    var description: String {
      switch self {
      case .reserved:
        "the name is that of the segment, a feature or a kind of request; send it as such"
      case .longName: "its name has more than \(FlatInputs.nameLimit) UTF-8 bytes"
      case .longText: "its text has more than \(textLimit) UTF-8 bytes"
      case .invalid(let kind): "it is \(kind); send a finite number, a text or a truth value"
      case .tooMany: "there are more than \(countLimit)"
      case .noChoice: "no slot has that choice"
      }
    }
  }

  private static func sentence(_ what: String, _ obstacle: Obstacle) -> String {
    "\(what) was not recorded: \(obstacle.description)"
  }

  private static func sentence(
    _ member: JSONObject.Member, of choice: String, _ obstacle: Obstacle
  ) -> String {
    sentence("feature \(quoted(member.name)) of choice \(quoted(choice))", obstacle)
  }

  private static func quoted(_ name: String) -> String { name.prefix(40).debugDescription }

  /// Adds an attribute, unless it is null or known already.
  ///
  /// - Returns: Why it is not recorded; nil if it is, or if there is nothing to record.
  private mutating func add(_ member: JSONObject.Member, limit: Int) -> Obstacle? {
    guard member.value != .null, attributes[member.name] == nil else { return nil }
    let value = AgentFacts.attribute(member.value, asNumber: false)
    if let obstacle = Self.obstacle(to: member, value) { return obstacle }
    guard attributes.entries.count < limit else { return .tooMany }
    attributes[member.name] = value
    return nil
  }

  private static func obstacle(to member: JSONObject.Member, _ value: AttributeValue?) -> Obstacle? {
    if member.name.utf8.count > FlatInputs.nameLimit { return .longName }
    switch value {
    case nil: return .invalid(member.value.kindName)
    case .text(let text) where text.utf8.count > textLimit: return .longText
    default: return nil
    }
  }
}
