/// A parameter of a policy, environment or predictor, declared once: name, default, range and meaning.
///
/// ```swift
/// private static let epsilon = Parameter.number(
///   "epsilon", default: 0.1, in: 0...1, "probability of a random variant, {range}")
/// ```
///
/// Listings and help (``listing``), the parsing of specifications with its errors (``value(in:)``) and the formatting
/// of typed values (``written(_:)``) follow from the declaration. In the meaning, `{range}` stands for the range, such
/// as `0 to 1`.
public struct Parameter<Value: Sendable>: ListedParameter {
  /// The name, default and meaning, as listings and help show them.
  public let listing: SpecificationInfo.Parameter
  private let read: @Sendable (Specification) throws(SpecificationError) -> Value
  private let write: @Sendable (Value) -> String?

  /// Declares a parameter of any type.
  ///
  /// - Parameters:
  ///   - listing: The name, default and meaning.
  ///   - read: Parses the value from a specification; returns the default if the parameter is not given.
  ///   - write: Returns the text of a value; nil for a value that is expressed by omitting the parameter.
  public init(
    _ listing: SpecificationInfo.Parameter,
    read: @escaping @Sendable (Specification) throws(SpecificationError) -> Value,
    write: @escaping @Sendable (Value) -> String?
  ) {
    self.listing = listing
    self.read = read
    self.write = write
  }

  /// Returns the value of the parameter in a specification, or the default.
  ///
  /// - Throws: ``SpecificationError`` if the value is invalid or out of range.
  public func value(in specification: Specification) throws(SpecificationError) -> Value {
    try read(specification)
  }

  /// Returns the parameter with a value for a specification; nil for nil, which omits it.
  public func written(_ value: Value?) -> Specification.Parameter? {
    value.flatMap(write).map { Specification.Parameter(key: listing.key, value: $0) }
  }
}

extension Parameter where Value == Double {
  /// Declares a number.
  public static func number(
    _ key: String, default standard: Double, in range: ClosedRange<Double>, _ meaning: String
  ) -> Parameter {
    Parameter(
      SpecificationInfo.Parameter(key, Self.text(standard), meaning, range),
      read: { (specification) throws(SpecificationError) in
        try specification.number(key, default: standard, in: range)
      }, write: Self.text)
  }

  fileprivate static func text(_ number: Double) -> String {
    Specification.Parameter(key: "", number: number).value
  }
}

extension Parameter where Value == Double? {
  /// Declares an optional number, whose absence means something that no number says.
  public static func optionalNumber(
    _ key: String, in range: ClosedRange<Double>, _ meaning: String
  ) -> Parameter {
    Parameter(
      SpecificationInfo.Parameter(key, nil, meaning, range),
      read: { (specification) throws(SpecificationError) in
        guard specification[key] != nil else { return nil }
        return try specification.number(key, default: range.lowerBound, in: range)
      }, write: { $0.map(Parameter<Double>.text) })
  }
}

extension Parameter where Value == Int {
  /// Declares an integer.
  public static func integer(
    _ key: String, default standard: Int, in range: ClosedRange<Int>, _ meaning: String
  ) -> Parameter {
    Parameter(
      SpecificationInfo.Parameter(key, String(standard), meaning, range),
      read: { (specification) throws(SpecificationError) in
        try specification.integer(key, default: standard, in: range)
      }, write: { String($0) })
  }
}

extension Parameter where Value == Int? {
  /// Declares an optional integer, whose absence means something that no number says.
  public static func optionalInteger(
    _ key: String, in range: ClosedRange<Int>, _ meaning: String
  ) -> Parameter {
    Parameter(
      SpecificationInfo.Parameter(key, nil, meaning, range),
      read: { (specification) throws(SpecificationError) in
        guard specification[key] != nil else { return nil }
        return try specification.integer(key, default: range.lowerBound, in: range)
      }, write: { $0.map { String($0) } })
  }
}
