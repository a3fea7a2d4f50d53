public import Bandits
public import Specifications

/// The reward models that a specification such as `linear:lambda=1` can name.
///
/// `standard` has the built-in ones; a program with models of its own adds them.
public typealias RewardModelCatalog = Catalog<RewardModelEntry>

/// A model in a catalog.
public typealias RewardModelEntry = SpecifiedEntry<any RewardModel, Void>

extension RewardModelCatalog {
  /// The built-in models.
  public static var standard: RewardModelCatalog { RewardModels.catalog }

  /// Returns the catalog with a model added, replacing any model of the same name.
  public func adding<M: RewardModel>(_ type: M.Type) -> RewardModelCatalog {
    adding(RewardModels.entry(type))
  }
}

/// The built-in models.
private enum RewardModels {
  static let catalog = RewardModelCatalog(of: "reward model", types.map { entry($0) })

  private static let types: [any RewardModel.Type] = [
    TabularRewards.self, LinearRewards.self, LogisticRewards.self, BoostedStumps.self,
  ]

  static func entry<M: RewardModel>(_ type: M.Type) -> RewardModelEntry {
    RewardModelEntry(type) { $0 }
  }
}
