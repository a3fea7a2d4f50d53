public import Specifications
internal import Statistics

/// The classes of policies that a specification such as `softmax-linear:objective=dr` can name.
///
/// ``standard`` has the built-in ones; a program with learners of its own adds them.
public struct PolicyLearnerCatalog: Sendable {
  private struct Entry: Sendable {
    let info: SpecificationInfo
    let make: @Sendable (Specification) throws(SpecificationError) -> any PolicyLearner

    init<L: PolicyLearner>(_ type: L.Type) {
      info = L.info
      make = { (specification) throws(SpecificationError) in try L(specification) }
    }
  }

  private let entries: [Entry]

  /// The built-in learners.
  public static let standard = PolicyLearnerCatalog(entries: [
    Entry(TabularLearner.self), Entry(SoftmaxLearner.self), Entry(TreeLearner.self),
  ])

  /// Returns the catalog with a learner added, replacing any learner of the same name.
  public func adding<L: PolicyLearner>(_ type: L.Type) -> PolicyLearnerCatalog {
    PolicyLearnerCatalog(entries: entries.filter { $0.info.name != L.info.name } + [Entry(type)])
  }

  /// The name, summary, parameters and citation of each learner, sorted by name.
  public var all: [SpecificationInfo] { entries.map(\.info).sorted { $0.name < $1.name } }

  /// Returns the learner that a specification describes.
  ///
  /// - Parameter text: A name from ``all``, with or without parameters.
  /// - Returns: The learner.
  /// - Throws: `SpecificationError` if the name is unknown or a parameter is invalid.
  public func named(_ text: String) throws(SpecificationError) -> any PolicyLearner {
    let specification = try Specification(parsing: text)
    guard let entry = entries.first(where: { $0.info.name == specification.name }) else {
      throw SpecificationError(
        NearestName.unknown("policy class", specification.name, among: all.map(\.name)))
    }
    try specification.requireKeys(among: entry.info.parameters.map(\.key))
    return try entry.make(specification)
  }
}
