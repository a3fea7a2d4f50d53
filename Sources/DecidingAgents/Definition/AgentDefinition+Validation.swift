public import Bandits
internal import DecidingCore
internal import Events
public import Specifications

extension AgentDefinition {
  /// Checks that the definition is valid: codes are well-formed and unique, numbers in range, the policy
  /// exists, and regular expressions can be parsed.
  ///
  /// - Parameter policies: The policies that the definition can name; the built-in ones by default.
  /// - Throws: The errors of `AgentCode.check(_:role:)`, and ``AgentError/invalidDefinition(path:reason:)``
  ///   with the path of the invalid member.
  public func validate(policies: PolicyCatalog = .standard) throws(AgentError) {
    try Self.table.check(self)
    if let policy {
      guard policy.split(separator: ":").first != "learned" else {
        throw .invalidDefinition(
          path: "policy",
          reason:
            "\(policy) names a learned policy; leave policy out, and give the content of the file that `bandolier "
            + "learn` wrote as learnedPolicy")
      }
      do throws(SpecificationError) {
        _ = try AgentPolicy.named(policy, in: policies)
      } catch {
        throw .invalidDefinition(path: "policy", reason: error.description)
      }
    }
    if policy != nil, learnedPolicy != nil {
      throw .invalidDefinition(
        path: "learnedPolicy", reason: "must be null with a policy; an agent has one of them")
    }
    for (index, point) in points.enumerated() {
      for (place, slot) in point.slots.enumerated() {
        let count = slot.choices.count
        guard explorationFloor * Double(count) > 1 + 1e-9 else { continue }
        throw .invalidDefinition(
          path: "explorationFloor",
          reason: "must be at most 1 over the \(count) choices of points.\(index).slots.\(place).choices")
      }
    }
  }
}
