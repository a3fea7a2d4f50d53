internal import Specifications
internal import Statistics

/// The ranges of parameters: wide enough for all uses, while sums of rewards stay finite.
enum ParameterRanges {
  static let finite = -1e100...1e100
  static let deviations = 0...1e100
  static let positive = 1e-100...1e100
}

extension Parameter where Value == [Double] {
  /// Declares a list of numbers, one for each variant or one for all of them.
  static func numbers(
    _ key: String, default standard: Double, in range: ClosedRange<Double>, _ meaning: String
  ) -> Parameter {
    let one = Parameter<Double>.number(key, default: standard, in: range, meaning)
    return Parameter(
      one.listing,
      read: { (specification) throws(SpecificationError) in
        specification[key] == nil ? [standard] : try specification.numbers(key, in: range)
      }, write: { $0.specificationText })
  }

  /// Returns one number for each variant.
  ///
  /// - Throws: `SpecificationError` if there are neither one nor as many numbers as variants, or one is out of range.
  func value(
    in specification: Specification, variants: Int
  ) throws(SpecificationError) -> [Double] {
    try specification.numbers(try value(in: specification), of: listing.key, variants: variants)
  }
}

extension Specification {
  /// Returns one number for each variant; a single number applies to all of them.
  ///
  /// - Throws: `SpecificationError` if there are neither one nor as many numbers as variants, or one is out of range.
  func numbers(
    _ key: String, default standard: Double, variants: Int, in range: ClosedRange<Double>
  ) throws(SpecificationError) -> [Double] {
    let given = self[key] == nil ? [standard] : try numbers(key, in: range)
    return try numbers(given, of: key, variants: variants)
  }

  fileprivate func numbers(
    _ given: [Double], of key: String, variants: Int
  ) throws(SpecificationError) -> [Double] {
    if given.count == variants { return given }
    guard given.count == 1 else {
      throw SpecificationError(
        "\(key) of \(name) has \(given.count) numbers, and there are \(variants) variants; give one for each, or "
          + "one for all")
    }
    return [Double](repeating: given[0], count: variants)
  }

  /// Rejects parameters that conflict with another one.
  ///
  /// - Throws: `SpecificationError` that names the first conflicting one.
  func refuse(_ keys: [String], beside other: String) throws(SpecificationError) {
    for key in keys where self[key] != nil {
      throw SpecificationError("\(key) of \(name) has no meaning beside \(other); leave it out")
    }
  }
}

extension Specification.Parameter {
  /// Returns the parameter whose value is the specification of another environment.
  static func nesting(_ environment: any Environment) -> Specification.Parameter {
    Specification.Parameter(key: "environment", value: "(\(environment.specification))")
  }
}

/// The parameters `low` and `high`, 0 and 1 by default.
struct BoundsParameters: Sendable {
  let low: Parameter<Double>
  let high: Parameter<Double>

  private static let range = -1e9...1e9

  init(low: String, high: String) {
    self.low = .number("low", default: 0, in: Self.range, low)
    self.high = .number("high", default: 1, in: Self.range, high)
  }

  /// Returns the bounds that a specification gives.
  ///
  /// - Throws: `SpecificationError` if they are not numbers in range, or the upper one is not above the lower one.
  func value(
    in specification: Specification, within range: ClosedRange<Double> = Self.range
  ) throws(SpecificationError) -> ClosedRange<Double> {
    let low = try specification.number("low", default: 0, in: range)
    let high = try specification.number("high", default: 1, in: range)
    guard low < high else {
      throw SpecificationError("high=\(high) of \(specification.name) must be above low=\(low)")
    }
    return low...high
  }
}

extension StreamKey {
  /// Returns the key with a label appended.
  func adding(_ label: String) -> StreamKey {
    var key = self
    key.add(label)
    return key
  }
}
