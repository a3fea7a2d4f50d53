import Bandits
import Specifications

/// `optimistic-greedy:worth=1`: the best mean, to which each variant adds one reward that it has yet to earn.
struct OptimisticGreedy: AllocationPolicy {
  private static let worth = Parameter.number(
    "worth", default: 1, in: 0...1e6, "the reward that is assumed beforehand, {range}")

  static let info = SpecificationInfo(
    "optimistic-greedy", "the best mean, with one reward assumed beforehand", [worth],
    source: "Sutton and Barto 2018, section 2.6")

  let specification: Specification
  private let worth: Double

  init(worth: Double? = nil) throws(SpecificationError) {
    try self.init(Self.info.specification(Self.worth.written(worth)), variants: [])
  }

  init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    worth = try Self.worth.value(in: specification)
  }

  func allocation(over arms: [ArmTally]) -> Allocation {
    let means = arms.map { (worth + $0.sum) / Double(1 + $0.decisions) }
    let best = means.max() ?? 0
    let ties = Double(means.count { $0 == best })
    return Allocation(probabilities: means.map { $0 == best ? 1 / ties : 0 })
  }
}
