/// Parameters that are properties of a type, each declared once with its name, place, range and meaning. The default of
/// a parameter is the initial value of its property.
public protocol ParameterGroup: Sendable {
  /// The sources for reading the parameters besides their text, such as files or other policies; nothing by default.
  associatedtype ParameterSources: Sendable = Void

  /// Creates the group with the default of each parameter.
  init()

  /// The parameters in the order of listings; none by default.
  @ParametersBuilder<Self> static var parameters: [ParameterField<Self>] { get }
}

extension ParameterGroup {
  /// A parameter of this type.
  public typealias Field = ParameterField<Self>

  public static var parameters: [Field] { [] }
}

/// A type whose values a ``Specification`` describes, such as a policy, an environment or an estimator.
///
/// ```swift
/// public struct EpsilonGreedy: AllocationPolicy {
///   public var epsilon = 0.1
///   public var specification = Self.info.specification()
///
///   public init() {}
///
///   public static let info = SpecificationInfo(
///     "epsilon-greedy", "a random variant with probability epsilon, otherwise the greedy one",
///     source: "Sutton and Barto 2018, section 2.2", example: "epsilon-greedy:epsilon=0.1")
///
///   public static var parameters: [Field] {
///     Field.number("epsilon", \.epsilon, in: 0...1, "probability of a random variant, {range}")
///   }
/// }
/// ```
///
/// Values come from a specification, or from `try EpsilonGreedy { $0.epsilon = 0.2 }`; both check the same ranges. A
/// property that is changed later is neither checked nor in ``specification``.
public protocol Specified: ParameterGroup {
  /// The name, summary and citation.
  static var info: SpecificationInfo { get }

  /// The name and the parameters that were given. Initializers set it.
  var specification: Specification { get set }

  /// Checks the parameters that depend on each other, and derives other properties from them; does nothing by default.
  ///
  /// Initializers call it at last, when ``specification`` is set.
  ///
  /// - Throws: ``SpecificationError`` that says what to give instead.
  mutating func validate() throws(SpecificationError)
}

extension Specified {
  public mutating func validate() throws(SpecificationError) {}

  /// The name, summary, parameters and citation.
  public static var listing: SpecificationInfo {
    info.listing(info.parameters + parameters.map(\.listing))
  }

  /// Creates the value that a specification describes.
  ///
  /// - Throws: ``SpecificationError`` if a parameter is unknown, missing or out of range.
  public init(
    _ specification: Specification, _ sources: ParameterSources
  ) throws(SpecificationError) {
    let fields = Self.parameters
    try specification.requireKeys(among: fields.map(\.listing.key))
    self.init()
    for field in fields { try field.read(&self, specification, sources) }
    self.specification = specification
    try validate()
  }

  /// Creates a value with some parameters set, the others at their defaults.
  ///
  /// - Parameter change: Sets the parameters.
  /// - Throws: ``SpecificationError`` if a parameter is missing or out of range.
  public init(
    _ change: (inout Self) -> Void
  ) throws(SpecificationError) {
    self.init()
    let standard = self
    change(&self)
    let fields = Self.parameters
    specification = Specification(
      Self.info.name, fields.compactMap { $0.written(self, unlessIn: standard) })
    for field in fields { try field.check(self, Self.info.name) }
    try validate()
  }
}

extension Specified where ParameterSources == Void {
  /// Creates the value that a specification describes.
  ///
  /// - Throws: ``SpecificationError`` if a parameter is unknown, missing or out of range.
  public init(_ specification: Specification) throws(SpecificationError) {
    try self.init(specification, ())
  }
}

/// A type without parameters, whose ``Specified/specification`` is its name.
public protocol Parameterless: Specified {}

extension Parameterless {
  /// The name. Setting it does nothing.
  public var specification: Specification {
    get { Self.info.specification() }
    set {}
  }
}

/// Collects the parameters of a type from single ones and from lists that several types share.
@resultBuilder
public enum ParametersBuilder<Made: ParameterGroup> {
  /// Returns a list of one parameter.
  public static func buildExpression(_ field: ParameterField<Made>) -> [ParameterField<Made>] {
    [field]
  }

  /// Returns the parameters of a list.
  public static func buildExpression(_ fields: [ParameterField<Made>]) -> [ParameterField<Made>] {
    fields
  }

  /// Returns all parameters.
  public static func buildBlock(_ parts: [ParameterField<Made>]...) -> [ParameterField<Made>] {
    parts.flatMap { $0 }
  }
}
