internal import Bandits
internal import Statistics

/// Where an agent finds its learning policy.
enum AdaptivePolicies {
  /// The policy that is written so.
  static func named(_ text: String) throws(SpecificationError) -> any AllocationPolicy {
    let specification = try Specification(parsing: text)
    guard specification.name == "epsilon-greedy" else {
      throw SpecificationError("\"\(text)\" names no policy that says its probabilities beforehand")
    }
    try specification.requireKeys(among: ["epsilon"])
    let epsilon = try specification.number("epsilon", default: 0.1, in: 0...1)
    return EpsilonGreedyShares(specification: specification, epsilon: epsilon)
  }
}

/// The best mean so far, and now and then any choice.
private struct EpsilonGreedyShares: AllocationPolicy {
  let specification: Specification
  let epsilon: Double

  func allocation(over arms: [ArmTally]) -> Allocation {
    let means = arms.map { $0.sum / Double(max(1, $0.decisions)) }
    let best = means.max() ?? 0
    let bestCount = Double(means.count { $0 == best })
    let share = epsilon / Double(arms.count)
    return Allocation(
      probabilities: means.map { share + ($0 == best ? (1 - epsilon) / bestCount : 0) })
  }
}
