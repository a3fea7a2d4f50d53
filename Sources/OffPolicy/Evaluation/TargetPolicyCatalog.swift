public import Specifications

/// The target policies that a specification such as `fixed:variant=A` can name.
///
/// ``Catalog/standard`` has the built-in ones; a program adds its own with ``Catalog/adding(_:)``.
public typealias TargetPolicyCatalog = Catalog<TypeEntry<any TargetPolicy.Type>>

extension TargetPolicyCatalog {
  /// The built-in target policies.
  public static var standard: TargetPolicyCatalog { TargetPolicies.catalog }

  /// Returns the catalog with a target policy added, replacing any of the same name.
  public func adding(_ type: any TargetPolicy.Type) -> TargetPolicyCatalog {
    adding(Entry(type, as: type))
  }

  /// Returns the target policy that a specification describes.
  ///
  /// - Parameters:
  ///   - text: A name from ``all``, with or without parameters.
  ///   - files: Returns the text of a file, given its path.
  /// - Returns: The policy.
  /// - Throws: `SpecificationError` if the name is unknown, or a parameter or a file is invalid.
  public func named(
    _ text: String, files: @escaping @Sendable (String) throws(SpecificationError) -> String
  ) throws(SpecificationError) -> any TargetPolicy {
    let specification = try Specification(parsing: text)
    return try entry(named: specification.name).made.init(specification, PolicyFiles(files))
  }
}

/// The built-in target policies. Each is one file and one entry here.
private enum TargetPolicies {
  static let catalog = TargetPolicyCatalog(
    of: "target policy",
    [
      UniformTarget.self, FixedTarget.self, WeightsTarget.self, TableTarget.self,
      LoggedTarget.self, SoftmaxTarget.self, EpsilonGreedyTarget.self, LearnedTarget.self,
    ].map { TypeEntry($0, as: $0) })
}
