public import Specifications
internal import Statistics

/// The target policies that a specification such as `fixed:variant=A` can name.
///
/// ``standard`` has the built-in ones; a program adds its own.
public struct TargetPolicyCatalog: Sendable {
  private struct Entry: Sendable {
    let info: SpecificationInfo
    let make:
      @Sendable (Specification, (String) throws(SpecificationError) -> String)
        throws(SpecificationError) -> any TargetPolicy
  }

  private var entries: [Entry] = []

  /// The built-in target policies.
  public static let standard = TargetPolicyCatalog()
    .adding(UniformTarget.self).adding(FixedTarget.self).adding(WeightsTarget.self)
    .adding(TableTarget.self).adding(LoggedTarget.self).adding(SoftmaxTarget.self)
    .adding(EpsilonGreedyTarget.self).adding(LearnedTarget.self)

  /// Creates an empty catalog.
  public init() {}

  /// Returns the catalog with a target policy added, replacing any of the same name.
  public func adding<P: TargetPolicy>(_ type: P.Type) -> TargetPolicyCatalog {
    var catalog = self
    catalog.entries.removeAll { $0.info.name == P.info.name }
    catalog.entries.append(
      Entry(info: P.info) { (specification, files) throws(SpecificationError) in
        try P(specification, files: files)
      })
    return catalog
  }

  /// The name, summary, parameters and citation of each target policy, sorted by name.
  public var all: [SpecificationInfo] { entries.map(\.info).sorted { $0.name < $1.name } }

  /// Returns the target policy that a specification describes.
  ///
  /// - Parameters:
  ///   - text: A name from ``all``, with or without parameters.
  ///   - files: Returns the text of a file, given its path.
  /// - Returns: The policy.
  /// - Throws: `SpecificationError` if the name is unknown, or a parameter or a file is invalid.
  public func named(
    _ text: String, files: (String) throws(SpecificationError) -> String
  ) throws(SpecificationError) -> any TargetPolicy {
    let specification = try Specification(parsing: text)
    guard let entry = entries.first(where: { $0.info.name == specification.name }) else {
      throw SpecificationError(
        NearestName.unknown("target policy", specification.name, among: all.map(\.name)))
    }
    return try entry.make(specification, files)
  }
}
