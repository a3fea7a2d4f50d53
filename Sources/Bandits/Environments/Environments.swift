public import Statistics

/// All environments, by name.
///
/// An environment is a file of its own and an entry here; a test fails for one that is not listed.
public enum Environments {
  static let entries: [EnvironmentEntry] = [EnvironmentEntry(BernoulliEnvironment.self)]

  /// What there is to say about each environment, sorted by name.
  public static var all: [Guide] { entries.map(\.guide).sorted { $0.name < $1.name } }

  /// The environment that a text such as `bernoulli:means=0.1;0.2;0.9` names.
  ///
  /// - Throws: `SpecificationError`: the text names no environment, or gives it what it cannot use.
  public static func named(_ text: String) throws(SpecificationError) -> any Environment {
    try make(try Specification(parsing: text))
  }

  static func make(_ specification: Specification) throws(SpecificationError) -> any Environment {
    guard let entry = entries.first(where: { $0.guide.name == specification.name }) else {
      throw SpecificationError(
        "there is no environment \"\(specification.name)\"; there are "
          + all.map(\.name).joined(separator: ", "))
    }
    try specification.requireKeys(among: entry.guide.parameters.map(\.key))
    return try entry.make(specification)
  }
}

/// An environment in the catalog.
struct EnvironmentEntry: Sendable {
  let guide: Guide
  let make: @Sendable (Specification) throws(SpecificationError) -> any Environment

  init<E: Environment>(_ type: E.Type) {
    guide = E.guide
    make = { (specification) throws(SpecificationError) in try E(specification) }
  }
}
