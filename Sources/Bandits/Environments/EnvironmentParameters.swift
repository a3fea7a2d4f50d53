internal import Statistics

/// Where parameters may lie: wide enough for all uses, and so that sums of rewards stay finite.
enum ParameterRanges {
  static let finite = -1e100...1e100
  static let deviations = 0...1e100
  static let positive = 1e-100...1e100
}

extension Specification {
  /// One number for each variant, which may be given once for all of them.
  ///
  /// - Throws: `SpecificationError`: there are neither one nor as many as variants, or one is not in the range.
  func numbers(
    _ key: String, default standard: Double, variants: Int, in range: ClosedRange<Double>
  ) throws(SpecificationError) -> [Double] {
    guard self[key] != nil else { return [Double](repeating: standard, count: variants) }
    let given = try numbers(key, in: range)
    if given.count == variants { return given }
    guard given.count == 1 else {
      throw SpecificationError(
        "\(key) of \(name) has \(given.count) numbers, and there are \(variants) variants; give one for each, or "
          + "one for all")
    }
    return [Double](repeating: given[0], count: variants)
  }

  /// The bounds `low` and `high`, 0 and 1 by default.
  ///
  /// - Throws: `SpecificationError`: they are no numbers, or the upper one does not lie above the lower one.
  func bounds(in range: ClosedRange<Double> = -1e9...1e9) throws(SpecificationError)
    -> ClosedRange<Double>
  {
    let low = try number("low", default: 0, in: range)
    let high = try number("high", default: 1, in: range)
    guard low < high else {
      throw SpecificationError("high=\(high) of \(name) must be above low=\(low)")
    }
    return low...high
  }

  /// One of the words that a parameter may be; the first one when it is not there.
  ///
  /// - Throws: `SpecificationError`: it is another word.
  func word(_ key: String, among words: [String]) throws(SpecificationError) -> String {
    let word = self[key] ?? words.first ?? ""
    guard words.contains(word) else {
      throw SpecificationError(
        "\(key)=\(word) of \(name) must be one of " + words.joined(separator: ", "))
    }
    return word
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

extension StreamKey {
  /// The key of a stream that belongs to this one.
  func adding(_ label: String) -> StreamKey {
    var key = self
    key.add(label)
    return key
  }
}
