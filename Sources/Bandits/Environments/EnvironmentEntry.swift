public import Statistics

/// What environments may need beside what is written.
public struct EnvironmentSources: Sendable {
  /// Gives the text of a file.
  public let text: @Sendable (_ path: String) throws(SpecificationError) -> String
  /// Makes environments that are not made here, such as those from a log; nil for any other. It checks the parameters
  /// itself.
  public let other:
    @Sendable (_ specification: Specification) throws(SpecificationError) -> (any Environment)?

  /// Makes sources.
  ///
  /// - Parameters:
  ///   - text: Gives the text of a file, by its path as written; without it, environments that need one are refused.
  ///   - other: Makes environments that are not made here; none by default.
  public init(
    text: @escaping @Sendable (_ path: String) throws(SpecificationError) -> String = Self.noText,
    other:
      @escaping @Sendable (_ specification: Specification) throws(SpecificationError) ->
      (any Environment)? = Self.noOther
  ) {
    self.text = text
    self.other = other
  }

  /// Returns the sources with an environment of another package, which specifications then name by its ``Environment/guide``.
  public func adding<E: Environment>(_ type: E.Type) -> EnvironmentSources {
    EnvironmentSources(text: text) { [other] specification throws(SpecificationError) in
      guard specification.name == E.guide.name else { return try other(specification) }
      try specification.requireKeys(among: E.guide.parameters.map(\.key))
      return try E(specification)
    }
  }

  /// No files, and no environments that are made elsewhere.
  public static var none: EnvironmentSources { EnvironmentSources() }

  /// Refuses a file.
  ///
  /// - Throws: `SpecificationError`, always.
  @Sendable public static func noText(_ path: String) throws(SpecificationError) -> String {
    throw SpecificationError("\"\(path)\" cannot be read here: no files are at hand")
  }

  /// Makes no environment.
  @Sendable public static func noOther(
    _ specification: Specification
  ) throws(SpecificationError) -> (any Environment)? { nil }
}

/// An environment that is made from a table, whose file is written as `path=FILE.csv`.
public protocol TableEnvironment: Environment {
  /// Makes the environment.
  ///
  /// - Parameters:
  ///   - specification: The name and the parameters, whose keys are known to be in the guide.
  ///   - table: What stands in the file.
  /// - Throws: `SpecificationError` when a value or the table cannot be used.
  init(_ specification: Specification, _ table: CSVTable) throws(SpecificationError)
}

extension TableEnvironment {
  /// The table is not at hand.
  ///
  /// - Throws: `SpecificationError`, always.
  public init(_ specification: Specification) throws(SpecificationError) {
    throw SpecificationError(
      "\(specification.name) needs the file that \(specification) names, and none is at hand")
  }
}

/// An environment that changes another one, written as `environment=(NAME:KEY=VALUE)`.
public protocol WrappingEnvironment: Environment {
  /// Makes the environment.
  ///
  /// - Parameters:
  ///   - specification: The name and the parameters, whose keys are known to be in the guide.
  ///   - inner: The other environment.
  /// - Throws: `SpecificationError` when a value cannot be used.
  init(_ specification: Specification, around inner: any Environment) throws(SpecificationError)

  /// The other environment.
  var inner: any Environment { get }
}

extension WrappingEnvironment {
  /// Makes the environment around one that needs no files.
  ///
  /// - Throws: `SpecificationError` when either cannot be made.
  public init(_ specification: Specification) throws(SpecificationError) {
    try self.init(
      specification, around: try EnvironmentMaker(sources: .none).inner(of: specification))
  }

  /// Those of the other environment.
  public func problem(horizon: Int) -> Problem { inner.problem(horizon: horizon) }

  /// Those of the other environment.
  public var variantNames: [String] { inner.variantNames }

  /// As in the other environment.
  public var rewardsDependOnChoices: Bool { inner.rewardsDependOnChoices }
}

/// An environment in the catalog.
struct EnvironmentEntry: Sendable {
  let guide: Guide
  let make:
    @Sendable (Specification, EnvironmentMaker) throws(SpecificationError) -> any Environment

  /// One that needs nothing else.
  init<E: Environment>(_ type: E.Type) {
    guide = E.guide
    make = { (specification, _) throws(SpecificationError) in try E(specification) }
  }

  /// One that needs a file.
  init<E: TableEnvironment>(fromTable type: E.Type) {
    guide = E.guide
    make = { (specification, maker) throws(SpecificationError) in
      guard let path = specification["path"], !path.isEmpty else {
        throw SpecificationError(
          "\(specification.name) needs a file; write \(specification.name):path=FILE.csv")
      }
      return try E(specification, try CSVTable(try maker.sources.text(path), name: path))
    }
  }

  /// One around another.
  init<E: WrappingEnvironment>(around type: E.Type) {
    guide = E.guide
    make = { (specification, maker) throws(SpecificationError) in
      try E(specification, around: try maker.inner(of: specification))
    }
  }
}

/// Makes environments, and those inside them.
struct EnvironmentMaker: Sendable {
  let sources: EnvironmentSources
  /// How many environments this one may stand in: what is written may nest without an end.
  private var depth = 0

  init(sources: EnvironmentSources) { self.sources = sources }

  func make(_ specification: Specification) throws(SpecificationError) -> any Environment {
    if let other = try sources.other(specification) { return other }
    guard let entry = Environments.entries.first(where: { $0.guide.name == specification.name })
    else {
      throw SpecificationError(
        "there is no environment \"\(specification.name)\""
          + NearestName.choices(for: specification.name, among: Environments.all.map(\.name)))
    }
    try specification.requireKeys(among: entry.guide.parameters.map(\.key))
    return try entry.make(specification, self)
  }

  /// The environment that stands in another one.
  func inner(of specification: Specification) throws(SpecificationError) -> any Environment {
    let name = specification.name
    guard let nested = try specification.nested("environment") else {
      throw SpecificationError(
        "\(name) needs another environment; write \(name):environment=(bernoulli:means=0.1;0.9)")
    }
    guard depth < 8 else {
      throw SpecificationError(
        "environments stand in each other more than 8 deep; leave some of them out")
    }
    var maker = self
    maker.depth += 1
    return try maker.make(nested)
  }
}
