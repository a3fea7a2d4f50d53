public import Specifications

/// Access to the files and logs that some environments need.
public struct EnvironmentSources: Sendable {
  /// Reads the text of a file.
  public let text: @Sendable (_ path: String) throws(SpecificationError) -> String
  /// Creates environments from elsewhere, such as those of a log; returns nil for any other name. It checks the
  /// parameters itself.
  public let other: @Sendable (_ specification: Specification) throws(SpecificationError) -> (any Environment)?

  /// The nesting depth, limited because specifications can nest without bound.
  private var depth = 0

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
  /// `info`.
  public func adding<E: Environment>(_ type: E.Type) -> EnvironmentSources {
    EnvironmentSources(text: text) { specification throws(SpecificationError) in
      guard specification.name == E.info.name else { return try other(specification) }
      return try E(specification, self)
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

extension EnvironmentSources {
  /// Creates the environment that a specification describes.
  func make(_ specification: Specification) throws(SpecificationError) -> any Environment {
    if let other = try other(specification) { return other }
    return try Environments.catalog.make(specification, self)
  }

  /// Creates the environment that a specification of a wrapping one names.
  fileprivate func inner(
    _ key: String, of specification: Specification
  ) throws(SpecificationError) -> any Environment {
    guard let nested = try specification.nested(key) else {
      throw Self.noInner(of: specification.name)
    }
    guard depth < 8 else {
      throw SpecificationError(
        "environments are nested more than 8 deep; remove some of them")
    }
    var sources = self
    sources.depth += 1
    return try sources.make(nested)
  }

  fileprivate static func noInner(of name: String) -> SpecificationError {
    SpecificationError(
      "\(name) needs another environment; write \(name):environment=(bernoulli:means=0.1;0.9)")
  }
}

/// An environment that modifies another one, given as `environment=(NAME:KEY=VALUE)`.
public protocol WrappingEnvironment: Environment {
  /// The wrapped environment, which is required.
  var environment: (any Environment)? { get set }
}

extension WrappingEnvironment {
  /// The wrapped environment; one without variants as long as there is none.
  public var inner: any Environment { environment ?? ConstantEnvironment() }

  public func problem(horizon: Int) -> Problem { inner.problem(horizon: horizon) }

  public var variantNames: [String] { inner.variantNames }

  public var rewardsDependOnChoices: Bool { inner.rewardsDependOnChoices }
}

extension ParameterField where Made: WrappingEnvironment {
  /// Declares the wrapped environment.
  public static var environment: Self {
    Self(
      SpecificationInfo.Parameter(
        "environment", nil, "the environment, in parentheses: (bernoulli:means=0.1;0.9)")
    ) { (made, specification, sources) throws(SpecificationError) in
      made.environment = try sources.inner("environment", of: specification)
    } write: {
      $0.environment.map { "(\($0.specification))" }
    } check: { (made, name) throws(SpecificationError) in
      if made.environment == nil { throw EnvironmentSources.noInner(of: name) }
    }
  }
}

extension ParameterField where Made: Environment {
  /// Declares the path of a CSV file whose table a property holds.
  public static func table(
    _ path: any ParameterPath<Made, CSVTable?>, _ meaning: String
  ) -> Self {
    let missing = { @Sendable (name: String) in
      SpecificationError("\(name) needs a file; write \(name):path=FILE.csv")
    }
    return Self(SpecificationInfo.Parameter("path", nil, meaning)) {
      (made, specification, sources) throws(SpecificationError) in
      guard let file = specification["path"], !file.isEmpty else {
        throw missing(specification.name)
      }
      made[keyPath: path] = try CSVTable(try sources.text(file), name: file)
    } write: {
      $0[keyPath: path]?.name
    } check: { (made, name) throws(SpecificationError) in
      if made[keyPath: path] == nil { throw missing(name) }
    }
  }
}
