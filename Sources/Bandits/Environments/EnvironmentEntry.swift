public import Specifications

/// Access to the files and logs that some environments need.
public struct EnvironmentSources: Sendable {
  /// Reads the text of a file.
  public let text: @Sendable (_ path: String) throws(SpecificationError) -> String
  /// Creates environments from elsewhere, such as those of a log; returns nil for any other name. It checks the
  /// parameters itself.
  public let other:
    @Sendable (_ specification: Specification) throws(SpecificationError) -> (any Environment)?

  /// Creates sources.
  ///
  /// - Parameters:
  ///   - text: Reads the text of a file, by its path as written; by default, environments that need a file are refused.
  ///   - other: Creates environments from elsewhere; none by default.
  public init(
    text: @escaping @Sendable (_ path: String) throws(SpecificationError) -> String = Self.noText,
    other:
      @escaping @Sendable (_ specification: Specification) throws(SpecificationError) ->
      (any Environment)? = Self.noOther
  ) {
    self.text = text
    self.other = other
  }

  /// Returns the sources with an environment of another package added, which specifications name by its
  /// ``Environment/info``.
  public func adding<E: Environment>(_ type: E.Type) -> EnvironmentSources {
    EnvironmentSources(text: text) { [other] specification throws(SpecificationError) in
      guard specification.name == E.info.name else { return try other(specification) }
      try specification.requireKeys(among: E.info.parameters.map(\.key))
      return try E(specification)
    }
  }

  /// Sources without files or further environments.
  public static var none: EnvironmentSources { EnvironmentSources() }

  /// Refuses to read a file.
  ///
  /// - Throws: `SpecificationError`, always.
  @Sendable public static func noText(_ path: String) throws(SpecificationError) -> String {
    throw SpecificationError("\"\(path)\" cannot be read here: no files are at hand")
  }

  /// Returns nil for every specification.
  @Sendable public static func noOther(
    _ specification: Specification
  ) throws(SpecificationError) -> (any Environment)? { nil }
}

/// An environment that is created from a CSV table, whose file is given as `path=FILE.csv`.
public protocol TableEnvironment: Environment {
  /// Creates the environment from a table.
  ///
  /// - Parameters:
  ///   - specification: The name and the parameters; their keys have been checked against ``Environment/info``.
  ///   - table: The content of the file.
  /// - Throws: `SpecificationError` if a parameter or the table is invalid.
  init(_ specification: Specification, _ table: CSVTable) throws(SpecificationError)
}

extension TableEnvironment {
  /// Always fails, as a table is needed.
  ///
  /// - Throws: `SpecificationError`, always.
  public init(_ specification: Specification) throws(SpecificationError) {
    throw SpecificationError(
      "\(specification.name) needs the file that \(specification) names, and none is at hand")
  }
}

/// An environment that modifies another one, given as `environment=(NAME:KEY=VALUE)`.
public protocol WrappingEnvironment: Environment {
  /// Creates the environment.
  ///
  /// - Parameters:
  ///   - specification: The name and the parameters; their keys have been checked against ``Environment/info``.
  ///   - inner: The wrapped environment.
  /// - Throws: `SpecificationError` if a parameter is invalid.
  init(_ specification: Specification, around inner: any Environment) throws(SpecificationError)

  /// The wrapped environment.
  var inner: any Environment { get }
}

extension WrappingEnvironment {
  /// Creates the environment around one that needs no files.
  ///
  /// - Throws: `SpecificationError` if either cannot be created.
  public init(_ specification: Specification) throws(SpecificationError) {
    try self.init(
      specification, around: try EnvironmentMaker(sources: .none).inner(of: specification))
  }

  public func problem(horizon: Int) -> Problem { inner.problem(horizon: horizon) }

  public var variantNames: [String] { inner.variantNames }

  public var rewardsDependOnChoices: Bool { inner.rewardsDependOnChoices }
}

/// An environment in the catalog.
struct EnvironmentEntry: Sendable {
  let info: SpecificationInfo
  let make:
    @Sendable (Specification, EnvironmentMaker) throws(SpecificationError) -> any Environment

  /// Creates the entry of an environment that needs nothing else.
  init<E: Environment>(_ type: E.Type) {
    info = E.info
    make = { (specification, _) throws(SpecificationError) in try E(specification) }
  }

  /// Creates the entry of an environment that needs a file.
  init<E: TableEnvironment>(fromTable type: E.Type) {
    info = E.info
    make = { (specification, maker) throws(SpecificationError) in
      guard let path = specification["path"], !path.isEmpty else {
        throw SpecificationError(
          "\(specification.name) needs a file; write \(specification.name):path=FILE.csv")
      }
      return try E(specification, try CSVTable(try maker.sources.text(path), name: path))
    }
  }

  /// Creates the entry of an environment that wraps another.
  init<E: WrappingEnvironment>(around type: E.Type) {
    info = E.info
    make = { (specification, maker) throws(SpecificationError) in
      try E(specification, around: try maker.inner(of: specification))
    }
  }
}

/// Creates environments, and those that they wrap.
struct EnvironmentMaker: Sendable {
  let sources: EnvironmentSources
  /// The nesting depth, limited because specifications can nest without bound.
  private var depth = 0

  init(sources: EnvironmentSources) { self.sources = sources }

  func make(_ specification: Specification) throws(SpecificationError) -> any Environment {
    if let other = try sources.other(specification) { return other }
    guard let entry = Environments.entries.first(where: { $0.info.name == specification.name })
    else {
      throw SpecificationError(
        NearestName.unknown(
          "environment", specification.name, among: Environments.all.map(\.name)))
    }
    try specification.requireKeys(among: entry.info.parameters.map(\.key))
    return try entry.make(specification, self)
  }

  /// Returns the wrapped environment that a specification names.
  func inner(of specification: Specification) throws(SpecificationError) -> any Environment {
    let name = specification.name
    guard let nested = try specification.nested("environment") else {
      throw SpecificationError(
        "\(name) needs another environment; write \(name):environment=(bernoulli:means=0.1;0.9)")
    }
    guard depth < 8 else {
      throw SpecificationError(
        "environments are nested more than 8 deep; remove some of them")
    }
    var maker = self
    maker.depth += 1
    return try maker.make(nested)
  }
}
