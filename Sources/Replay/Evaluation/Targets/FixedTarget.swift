public import Specifications

/// `fixed:variant=X`: always the same variant. Where it is not among the choices, the policy has no probability on any
/// of them.
public struct FixedTarget: TargetPolicy {
  public static let info = SpecificationInfo(
    "fixed", "always the same variant",
    [SpecificationInfo.Parameter("variant", nil, "name of the variant")], source: "by definition")

  public let specification: Specification
  /// The name of the variant.
  public let variant: String

  /// Creates the policy that always chooses a variant.
  public init(variant: String) {
    self.variant = variant
    specification = Self.info.specification(.init(key: "variant", value: variant))
  }

  public init(
    _ specification: Specification, files: (String) throws(SpecificationError) -> String
  ) throws(SpecificationError) {
    try specification.requireKeys(among: ["variant"])
    guard let variant = specification["variant"], !variant.isEmpty else {
      throw SpecificationError("fixed needs a variant; write fixed:variant=NAME")
    }
    self.init(variant: variant)
  }

  public var namedVariants: [String] { [variant] }

  public func probabilities(in situation: TargetSituation) -> [Double]? {
    situation.choices.map { $0.isSameName(as: variant) ? 1 : 0 }
  }
}
