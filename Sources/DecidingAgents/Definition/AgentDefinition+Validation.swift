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
    if let from = schedule?.from, let to = schedule?.to, from >= to {
      throw .invalidDefinition(path: "schedule", reason: "must begin before it ends")
    }
    try validatePoints()
    try validateGoals()
  }

  private func validatePoints() throws(AgentError) {
    try requireUnique(points.map(\.code), "points")
    for (index, point) in points.enumerated() {
      let path = "points.\(index).slots"
      try requireUnique(point.slots.map(\.code), path)
      for (index, slot) in point.slots.enumerated() {
        try validate(slot, at: "\(path).\(index).choices")
      }
    }
  }

  private func validate(_ slot: AgentSlot, at path: String) throws(AgentError) {
    guard !slot.choices.isEmpty else {
      throw .invalidDefinition(path: path, reason: "must have a choice")
    }
    try requireUnique(slot.choices.map(\.code), path)
    let count = Double(slot.choices.count)
    guard explorationFloor * count <= 1 + 1e-9 else {
      throw .invalidDefinition(
        path: "explorationFloor",
        reason: "must be at most 1 over the \(slot.choices.count) choices of \(path)")
    }
  }

  private func validateGoals() throws(AgentError) {
    try requireUnique(goals.map(\.code), "goals")
    for (index, goal) in goals.enumerated() {
      let path = "goals.\(index)"
      for number in [goal.min, goal.max, goal.default] where number?.isFinite == false {
        throw .invalidDefinition(path: path, reason: "min, max and default must be finite")
      }
      if let min = goal.min, let max = goal.max, min > max {
        throw .invalidDefinition(path: path, reason: "min must not be greater than max")
      }
    }
  }

  private func requireUnique(_ codes: [String], _ path: String) throws(AgentError) {
    var seen: Set<String> = []
    for (index, code) in codes.enumerated() where !seen.insert(code).inserted {
      throw .invalidDefinition(path: "\(path).\(index)", reason: "has \"\(code)\" once more")
    }
  }
}
