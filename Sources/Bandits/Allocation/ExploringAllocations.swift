internal import RealModule
internal import Statistics

/// `softmax:temperature=0.1`: probabilities in proportion to exp(mean/temperature), the mean being 0 before the
/// first decision.
///
/// Also called Boltzmann exploration: R. S. Sutton and A. G. Barto, *Reinforcement Learning* (1st edition, 1998),
/// equation 2.2.
struct SoftmaxAllocation: AllocationPolicy {
  let specification: Specification
  let temperature: Double

  init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    temperature = try specification.number("temperature", default: 0.1, in: 1e-9...1e9)
  }

  func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    let means = arms.map(\.mean)
    // Relative to the best, so that no exponential overflows and one of them is 1.
    let best = means.reduce(-Double.infinity) { max($0, $1) }
    let weights = means.map { Double.exp(($0 - best) / temperature) }
    // In ascending order, so that the sum, and with it the result, does not depend on the order of the choices.
    let total = weights.sorted().reduce(0, +)
    return Allocation(probabilities: weights.map { $0 / total })
  }
}

/// `etc:pulls=100`: explore, then commit. Each choice in turn until each was made so often, then the best one.
///
/// T. Lattimore and C. Szepesvári, *Bandit Algorithms* (2020), algorithm 1. While it explores, the choices made least
/// often are next. Afterwards it stays with the one choice that was made more often than `pulls`, which in a history
/// of its own is the one it committed itself to. If several were, because others chose as well, such as a control
/// group, tallies no longer tell which one that was, and it takes the best mean so far.
struct CommittingAllocation: AllocationPolicy {
  let specification: Specification
  let pulls: Int

  init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    pulls = try specification.integer("pulls", default: 100, in: 1...Int(Int32.max))
  }

  func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    let fewest = arms.reduce(Int.max) { min($0, $1.decisions) }
    if fewest < pulls { return .shared(among: arms.map { $0.decisions == fewest }) }
    let committed = arms.map { $0.decisions > pulls }
    if committed.count(where: { $0 }) == 1 { return .shared(among: committed) }
    return .shared(amongLargest: arms.map(\.mean))
  }
}
