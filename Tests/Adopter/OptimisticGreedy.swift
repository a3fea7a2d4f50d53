import Bandits
import Specifications

/// `optimistic-greedy:worth=1`: the best mean, to which each variant adds one reward that it has yet to earn.
struct OptimisticGreedy: AllocationPolicy {
  /// The reward that is assumed beforehand.
  var worth = 1.0
  var specification = Self.info.specification()

  static let info = SpecificationInfo(
    "optimistic-greedy", "the best mean, with one reward assumed beforehand",
    source: "Sutton and Barto 2018, section 2.6", example: "optimistic-greedy:worth=1")

  static var parameters: [Field] {
    Field.number("worth", \.worth, in: 0...1e6, "the reward that is assumed beforehand, {range}")
  }

  func allocation(over arms: [ArmTally]) -> Allocation {
    let means = arms.map { (worth + $0.sum) / Double(1 + $0.decisions) }
    let best = means.max() ?? 0
    let ties = Double(means.count { $0 == best })
    return Allocation(probabilities: means.map { $0 == best ? 1 / ties : 0 })
  }
}
