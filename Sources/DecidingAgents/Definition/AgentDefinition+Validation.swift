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
    try AgentCode.check(agent, role: .agent)
    try require(controlShare, in: 0...1, "controlShare")
    try require(eligibleShare, in: 0...1, "eligibleShare")
    try require(explorationFloor, in: 0...1, "explorationFloor")
    try require(positive: timeout, "timeout")
    try require(positive: visitLength, "visitLength")
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
    for (index, rule) in rules.enumerated() { try rule.validate(at: "rules.\(index)") }
  }

  private func require(_ number: Double, in range: ClosedRange<Double>, _ path: String)
    throws(AgentError)
  {
    guard range.contains(number) else {
      throw .invalidDefinition(
        path: path, reason: "must be from \(range.lowerBound) to \(range.upperBound), not \(number)"
      )
    }
  }

  private func require(positive number: Int64?, _ path: String) throws(AgentError) {
    guard let number, number <= 0 else { return }
    throw .invalidDefinition(path: path, reason: "must be a positive number of seconds")
  }

  private func validatePoints() throws(AgentError) {
    try requireUnique(points.map(\.code), "points", role: .point)
    for (index, point) in points.enumerated() {
      let path = "points.\(index).slots"
      try requireUnique(point.slots.map(\.code), path, role: .slot)
      for (index, slot) in point.slots.enumerated() {
        try validate(slot, at: "\(path).\(index).choices")
      }
    }
  }

  private func validate(_ slot: AgentSlot, at path: String) throws(AgentError) {
    guard !slot.choices.isEmpty else {
      throw .invalidDefinition(path: path, reason: "must have a choice")
    }
    try requireUnique(slot.choices.map(\.code), path, role: .choice)
    for (index, choice) in slot.choices.enumerated() {
      guard choice.weight >= 0, choice.weight.isFinite else {
        throw .invalidDefinition(
          path: "\(path).\(index).weight", reason: "must be finite and not negative")
      }
    }
    let count = Double(slot.choices.count)
    guard explorationFloor * count <= 1 + 1e-9 else {
      throw .invalidDefinition(
        path: "explorationFloor",
        reason: "must be at most 1 over the \(slot.choices.count) choices of \(path)")
    }
  }

  private func validateGoals() throws(AgentError) {
    try requireUnique(goals.map(\.code), "goals", role: .goal)
    for (index, goal) in goals.enumerated() {
      let path = "goals.\(index)"
      for number in [goal.min, goal.max, goal.default] where number?.isFinite == false {
        throw .invalidDefinition(path: path, reason: "min, max and default must be finite")
      }
      if let min = goal.min, let max = goal.max, min > max {
        throw .invalidDefinition(path: path, reason: "min must not be greater than max")
      }
      if let limit = goal.limit, limit < 1 {
        throw .invalidDefinition(
          path: "\(path).limit", reason: "must be 1 or more, or null for none")
      }
      if let point = goal.decisionPoint { try AgentCode.check(point, role: .point) }
    }
  }

  private func requireUnique(_ codes: [String], _ path: String, role: AgentCodeRole)
    throws(AgentError)
  {
    var seen: Set<String> = []
    for (index, code) in codes.enumerated() {
      try AgentCode.check(code, role: role)
      guard seen.insert(code).inserted else {
        throw .invalidDefinition(path: "\(path).\(index)", reason: "has \"\(code)\" once more")
      }
    }
  }
}

extension AgentRule {
  func validate(at path: String) throws(AgentError) {
    guard !code.isEmpty else {
      throw .invalidDefinition(path: "\(path).code", reason: "must not be empty")
    }
    for (index, condition) in conditions.enumerated() {
      try condition.validate(at: "\(path).conditions.\(index)")
    }
    if case .feature(let feature) = effect, !feature.weight.isFinite {
      throw .invalidDefinition(path: "\(path).applies.weight", reason: "must be finite")
    }
  }
}

extension AgentCondition {
  fileprivate func validate(at path: String) throws(AgentError) {
    var reason: String?
    switch comparison {
    case .lt, .le, .gt, .ge:
      if operand.number == nil { reason = "must compare with a number" }
    case .in:
      if operand.array == nil { reason = "must compare with a list" }
    case .starts, .ends:
      if operand.string == nil { reason = "must compare with a text" }
    case .matches:
      if let flaw = pattern?.flaw {
        reason = "cannot be read as a regular expression: \(flaw)"
      } else if pattern == nil {
        reason = "must compare with a regular expression"
      }
    case .eq, .ne, .contains, .present, .absent: break
    }
    if let reason { throw .invalidDefinition(path: "\(path).2", reason: reason) }
  }
}
