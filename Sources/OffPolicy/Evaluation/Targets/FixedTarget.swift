public import Specifications

/// `fixed:variant=X`: always the same variant. Where it is not among the choices, the policy has no probability on any
/// of them.
public struct FixedTarget: TargetPolicy {
  public static let info = SpecificationInfo(
    "fixed", "always the same variant", source: "by definition", example: "fixed:variant=A")

  /// The name of the variant; nil for none, until it is set.
  public var variant: String?
  public var specification = Self.info.specification()

  /// Creates the policy without a variant.
  public init() {}

  /// Creates the policy that always chooses a variant.
  public init(variant: String) {
    self.variant = variant
    specification = Self.info.specification(.init(key: "variant", value: variant))
  }

  public static var parameters: [Field] {
    Field.text("variant", \.variant, "name of the variant")
  }

  public func validate() throws(SpecificationError) {
    if variant?.isEmpty ?? true {
      throw SpecificationError("fixed needs a variant; write fixed:variant=NAME")
    }
  }

  public var namedVariants: [String] { variant.map { [$0] } ?? [] }

  public func probabilities(in situation: TargetSituation) -> [Double]? {
    situation.choices.map { choice in variant.map(choice.isSameName) ?? false ? 1 : 0 }
  }
}
