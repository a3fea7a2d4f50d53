internal import Specifications

extension Problem {
  /// Returns the given number of decisions, or that of the problem, at least 1.
  func decisions(_ given: Double?) -> Double { given ?? Double(max(1, horizon)) }
}

extension ParameterField {
  /// Declares the horizon: the number of decisions in total, for policies that depend on it.
  static func horizon(
    _ path: any ParameterPath<Made, Double?>,
    _ meaning: String = "number of decisions, from 1; that of the simulation by default"
  ) -> Self {
    let whole = Parameter<Int?>.optionalInteger("horizon", in: 1...Int.max, meaning)
    return Self(
      Parameter(
        whole.listing,
        read: { (specification) throws(SpecificationError) in
          try whole.value(in: specification).map(Double.init)
        }, write: { $0.map { Specification.Parameter(key: "", number: $0).value } }), path)
  }

  /// Declares the expected number of changes, from which the defaults of other parameters follow.
  static func changes(_ path: any ParameterPath<Made, Double>) -> Self {
    .number("changes", path, in: 1...1e9, "expected number C of changes, from 1")
  }
}
