internal import Statistics

/// `uniform`: each choice with the same probability.
struct UniformAllocation: AllocationPolicy {
  let specification: Specification

  func allocation(over arms: [ArmTally]) -> Allocation { .equal(arms.count) }
}

/// `weights:values=3;1;1`: probabilities in given proportions, one for each choice in their order.
struct WeightedAllocation: AllocationPolicy {
  let specification: Specification
  let shares: [Double]

  init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    guard let text = specification["values"] else {
      throw SpecificationError(
        "weights needs the weight of each choice; write weights:values=3;1;1")
    }
    var weights: [Double] = []
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      guard let weight = Double(part), weight.isFinite, weight >= 0 else {
        throw SpecificationError(
          "\"\(part)\" in values=\(text) of weights must be a number from 0; write weights:values=3;1;1"
        )
      }
      weights.append(weight)
    }
    // Divided by the largest first, so that the sum is finite and not zero.
    let largest = weights.max() ?? 0
    guard largest > 0 else {
      throw SpecificationError(
        "values=\(text) of weights has no weight above 0; give one to a choice at least")
    }
    let total = weights.reduce(0) { $0 + $1 / largest }
    shares = weights.map { $0 / largest / total }
  }

  func allocation(over arms: [ArmTally]) -> Allocation {
    guard arms.count == shares.count else {
      return .equal(
        arms.count,
        refusal:
          "\(specification) has \(shares.count) weights for \(arms.count) choices; give one for each"
      )
    }
    return Allocation(probabilities: shares)
  }
}

/// `fixed:variant=red`: always the same choice.
///
/// A tally has no name, so the place of the variant is looked up in the names given when the policy is made.
struct FixedAllocation: AllocationPolicy {
  let specification: Specification
  let index: Int
  let count: Int

  init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    guard let name = specification["variant"] else {
      throw SpecificationError("fixed needs the name of the choice; write fixed:variant=NAME")
    }
    guard let index = variants.firstIndex(of: name) else {
      let known =
        variants.isEmpty
        ? "no choices are known here; use weights"
        : "the choices are " + variants.joined(separator: ", ")
      throw SpecificationError("\"\(name)\" of \(specification) is not among the choices; \(known)")
    }
    (self.index, count) = (index, variants.count)
  }

  func allocation(over arms: [ArmTally]) -> Allocation {
    guard arms.count == count else {
      return .equal(
        arms.count,
        refusal:
          "\(specification) was made for \(count) choices, not for \(arms.count); make it anew")
    }
    return .shared(among: arms.indices.map { $0 == index })
  }
}
