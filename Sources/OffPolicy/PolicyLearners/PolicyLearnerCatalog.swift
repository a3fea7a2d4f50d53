public import Specifications

/// The classes of policies that a specification such as `softmax-linear:objective=dr` can name.
///
/// `standard` has the built-in ones; a program with learners of its own adds them.
public typealias PolicyLearnerCatalog = Catalog<PolicyLearnerEntry>

/// A learner in a catalog.
public typealias PolicyLearnerEntry = SpecifiedEntry<any PolicyLearner, Void>

extension PolicyLearnerCatalog {
  /// The built-in learners.
  public static var standard: PolicyLearnerCatalog { PolicyLearners.catalog }

  /// Returns the catalog with a learner added, replacing any learner of the same name.
  public func adding<M: PolicyLearner>(_ type: M.Type) -> PolicyLearnerCatalog {
    adding(PolicyLearners.entry(type))
  }
}

/// The built-in learners.
private enum PolicyLearners {
  static let catalog = PolicyLearnerCatalog(of: "policy class", types.map { entry($0) })

  private static let types: [any PolicyLearner.Type] = [
    TabularLearner.self, SoftmaxLearner.self, TreeLearner.self,
  ]

  static func entry<M: PolicyLearner>(_ type: M.Type) -> PolicyLearnerEntry {
    PolicyLearnerEntry(type) { $0 }
  }
}
