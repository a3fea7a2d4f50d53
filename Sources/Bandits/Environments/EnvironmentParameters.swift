internal import Specifications
internal import Statistics

/// The ranges of parameters: wide enough for all uses, while sums of rewards stay finite.
enum ParameterRanges {
  static let finite = -1e100...1e100
  static let deviations = 0...1e100
  static let positive = 1e-100...1e100
  static let bounds = -1e9...1e9
}

extension ParameterField {
  /// Declares a list of numbers whose range follows from other parameters; the type checks it.
  static func numbers(
    _ key: String, _ path: any ParameterPath<Made, [Double]>, _ meaning: String
  ) -> Self {
    let standard = Made()[keyPath: path]
    let listing = SpecificationInfo.Parameter(
      key, standard.isEmpty ? nil : standard.specificationText, meaning)
    return Self(listing) { made, specification, _ in
      guard let text = specification[key] else { return }
      made[keyPath: path] = text.split(separator: ";").map { Double($0) ?? .nan }
    } write: {
      $0[keyPath: path].isEmpty ? nil : $0[keyPath: path].specificationText
    }
  }

  /// Declares a bound of means, whose range follows from the noise; the type checks it.
  static func bound(
    _ key: String, _ path: any ParameterPath<Made, Double>, _ meaning: String
  ) -> Self {
    let bound = Parameter<Double>.number(
      key, default: Made()[keyPath: path], in: ParameterRanges.bounds, meaning)
    return Self(bound.listing) { made, specification, _ in
      guard let text = specification[key] else { return }
      made[keyPath: path] = Double(text) ?? .nan
    } write: {
      bound.written($0[keyPath: path])?.value
    }
  }

  /// Declares the standard deviation of rewards around a changing mean; see ``RewardNoise``.
  static func noise(_ path: any ParameterPath<Made, Double?>) -> Self {
    .number(
      "deviation", path, in: ParameterRanges.deviations,
      "standard deviation of normal rewards around the mean, 0 or more; without it rewards are 0 or 1, and means are "
        + "probabilities")
  }
}

extension [Double] {
  /// Returns one number for each variant; a single number applies to all of them.
  func each(of variants: Int) -> [Double] {
    count == 1 ? [Double](repeating: self[0], count: variants) : self
  }
}

extension Specification {
  /// Checks that there are one number or as many as variants.
  ///
  /// - Throws: `SpecificationError` if there are neither.
  func check(
    _ given: [Double], of key: String, variants: Int
  ) throws(SpecificationError) {
    guard given.count == variants || given.count == 1 else {
      throw SpecificationError(
        "\(key) of \(name) has \(given.count) numbers, and there are \(variants) variants; give one for each, or "
          + "one for all")
    }
  }

  /// Returns the bounds that the parameters `low` and `high` give, 0 and 1 by default.
  ///
  /// - Throws: `SpecificationError` if they are not numbers in range, or the upper one is not above the lower one.
  func bounds(
    within range: ClosedRange<Double> = ParameterRanges.bounds
  ) throws(SpecificationError) -> ClosedRange<Double> {
    let low = try number("low", default: 0, in: range)
    let high = try number("high", default: 1, in: range)
    guard low < high else {
      throw SpecificationError("high=\(high) of \(name) must be above low=\(low)")
    }
    return low...high
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

extension StreamKey {
  /// Returns the key with a label appended.
  func adding(_ label: String) -> StreamKey {
    var key = self
    key.add(label)
    return key
  }
}
