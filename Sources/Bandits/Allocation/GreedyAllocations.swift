internal import Statistics

/// `greedy`: the choice with the best mean so far, those never made first.
struct GreedyAllocation: AllocationPolicy {
  let specification: Specification

  func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    return arms.greedy
  }
}

/// `epsilon-greedy:epsilon=0.1`: with probability ε any choice, all alike, otherwise the greedy one.
///
/// R. S. Sutton and A. G. Barto, *Reinforcement Learning* (2nd edition, 2018), section 2.2. Each choice keeps at
/// least ε/K, also while some were never made, so that another policy can be judged from the log.
struct EpsilonGreedyAllocation: AllocationPolicy {
  let specification: Specification
  let epsilon: Double

  init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    epsilon = try specification.number("epsilon", default: 0.1, in: 0...1)
  }

  func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    return arms.greedy.mixed(share: 1 - epsilon)
  }
}
