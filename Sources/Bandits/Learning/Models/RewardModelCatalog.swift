public import Specifications
internal import Statistics

/// The reward models that a specification such as `linear:lambda=1` can name.
///
/// ``standard`` has the built-in ones; a program with models of its own adds them.
public struct RewardModelCatalog: Sendable {
  private struct Entry: Sendable {
    let info: SpecificationInfo
    let make: @Sendable (Specification) throws(SpecificationError) -> any RewardModel

    init<M: RewardModel>(_ type: M.Type) {
      info = M.info
      make = { (specification) throws(SpecificationError) in try M(specification) }
    }
  }

  private let entries: [Entry]

  /// The built-in models.
  public static let standard = RewardModelCatalog(entries: [
    Entry(TabularRewards.self), Entry(LinearRewards.self), Entry(LogisticRewards.self),
    Entry(BoostedStumps.self),
  ])

  /// Returns the catalog with a model added, replacing any model of the same name.
  public func adding<M: RewardModel>(_ type: M.Type) -> RewardModelCatalog {
    RewardModelCatalog(entries: entries.filter { $0.info.name != M.info.name } + [Entry(type)])
  }

  /// The name, summary, parameters and citation of each model, sorted by name.
  public var all: [SpecificationInfo] { entries.map(\.info).sorted { $0.name < $1.name } }

  /// Returns the model that a specification describes.
  ///
  /// - Parameter text: A name from ``all``, with or without parameters.
  /// - Returns: The model.
  /// - Throws: `SpecificationError` if the name is unknown or a parameter is invalid.
  public func named(_ text: String) throws(SpecificationError) -> any RewardModel {
    let specification = try Specification(parsing: text)
    guard let entry = entries.first(where: { $0.info.name == specification.name }) else {
      throw SpecificationError(
        NearestName.unknown("reward model", specification.name, among: all.map(\.name)))
    }
    try specification.requireKeys(among: entry.info.parameters.map(\.key))
    return try entry.make(specification)
  }
}
