internal import Statistics

extension Guide.Parameter {
  /// For policies that need to know how many decisions there will be.
  static let horizon = Guide.Parameter(
    "horizon", nil, "decisions there will be, from 1; without it those of the simulation")
}

extension Specification {
  /// The horizon that was given; nil when it was not.
  ///
  /// - Throws: `SpecificationError`: it is no whole number from 1.
  var horizon: Double? {
    get throws(SpecificationError) {
      guard self["horizon"] != nil else { return nil }
      return Double(try integer("horizon", default: 1, in: 1...Int.max))
    }
  }
}
