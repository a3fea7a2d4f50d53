public import Specifications

/// `fixed:variant=red`: always the same choice.
///
/// Tallies are unnamed, so the index of the variant is looked up in the names given at creation.
public struct Fixed: FixedSharesPolicy {
  /// The name of the variant, which is required.
  public var variant: String?
  /// The names of all variants, in order, such as ``Environment/variantNames``.
  public var variants: [String] = []
  public var specification = Self.info.specification()
  private var index = 0

  /// Creates the policy without the variant that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "fixed", "always the same variant", source: "fixed allocation", example: "fixed:variant=1")

  public static var parameters: [Field] {
    Field.variant("variant", \.variant, of: \.variants, "the name of the variant")
  }

  public mutating func validate() throws(SpecificationError) {
    guard let variant else {
      throw SpecificationError("fixed needs the name of the choice; write fixed:variant=NAME")
    }
    guard let index = variants.firstIndex(ofName: variant) else {
      let known =
        variants.isEmpty
        ? "; no choices are known here; use weights"
        : NearestName.remedy(for: variant, among: variants)
      throw SpecificationError(
        "\"\(variant)\" of \(specification) is not among the choices\(known)")
    }
    self.index = index
  }

  var shares: [Double] { variants.indices.map { $0 == index ? 1 : 0 } }

  func mismatch(_ count: Int, _ choices: String) -> String {
    "\(specification) was created for \(variants.count) \(choices), not for \(count); create it again"
  }
}
