internal import Statistics

/// Where parameters may lie: wide enough for all uses, and so that sums of rewards stay finite.
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
  /// - Throws: `SpecificationError`: there are neither one nor as many as variants, or one is not in the range.
  func value(
    in specification: Specification, variants: Int
  ) throws(SpecificationError) -> [Double] {
    try specification.numbers(try value(in: specification), of: listing.key, variants: variants)
  }
}

extension Specification {
  /// One number for each variant, which may be given once for all of them.
  ///
  /// - Throws: `SpecificationError`: there are neither one nor as many as variants, or one is not in the range.
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

  /// Refuses parameters that have no meaning beside another one.
  ///
  /// - Throws: `SpecificationError` that names the first one.
  func refuse(_ keys: [String], beside other: String) throws(SpecificationError) {
    for key in keys where self[key] != nil {
      throw SpecificationError("\(key) of \(name) has no meaning beside \(other); leave it out")
    }
  }
}

extension Specification.Parameter {
  /// The parameter whose value is another environment, as it is written.
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
  /// - Throws: `SpecificationError`: they are no numbers, or the upper one does not lie above the lower one.
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
  /// The key of a stream that belongs to this one.
  func adding(_ label: String) -> StreamKey {
    var key = self
    key.add(label)
    return key
  }
}
