public import Specifications

/// `fixed:variant=red`: always the same choice.
///
/// Tallies are unnamed, so the index of the variant is looked up in the names given at creation.
public struct Fixed: AllocationPolicy {
  public static let info = SpecificationInfo(
    "fixed", "always the same variant",
    [SpecificationInfo.Parameter("variant", nil, "the name of the variant")],
    source: "fixed allocation")

  public let specification: Specification
  private let index: Int
  private let count: Int

  /// Creates the policy that always chooses one variant.
  ///
  /// - Parameters:
  ///   - variant: The name of the variant.
  ///   - variants: The names of all variants, in order, such as ``Environment/variantNames``.
  /// - Throws: `SpecificationError` if there is no such variant.
  public init(_ variant: String, of variants: [String]) throws(SpecificationError) {
    try self.init(
      Self.info.specification(.init(key: "variant", value: variant)), variants: variants)
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    guard let name = specification["variant"] else {
      throw SpecificationError("fixed needs the name of the choice; write fixed:variant=NAME")
    }
    guard let index = variants.firstIndex(ofName: name) else {
      let known =
        variants.isEmpty
        ? "; no choices are known here; use weights"
        : NearestName.remedy(for: name, among: variants)
      throw SpecificationError("\"\(name)\" of \(specification) is not among the choices\(known)")
    }
    (self.index, count) = (index, variants.count)
  }

  public func allocation(over arms: [ArmTally]) -> Allocation {
    guard arms.count == count else {
      return .equal(
        arms.count,
        refusal:
          "\(specification) was created for \(count) choices, not for \(arms.count); create it again"
      )
    }
    return .shared(among: arms.indices.map { $0 == index })
  }

  public func makeState(_ problem: Problem) throws(SpecificationError) -> FixedSharesState {
    guard problem.variants == count else {
      throw SpecificationError(
        "\(specification) was created for \(count) variants, not for \(problem.variants); create it again"
      )
    }
    return FixedSharesState((0..<count).map { $0 == index ? 1 : 0 })
  }
}
