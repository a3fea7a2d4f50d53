internal import Specifications

extension Parameter where Value == Int? {
  /// The horizon: the number of decisions in total, for policies that depend on it.
  static func horizon(
    _ meaning: String = "number of decisions, from 1; that of the simulation by default"
  ) -> Parameter {
    .optionalInteger("horizon", in: 1...Int.max, meaning)
  }
}

extension Parameter where Value == Double {
  /// The expected number of changes, from which the defaults of other parameters follow.
  static var changes: Parameter {
    .number("changes", default: 1, in: 1...1e9, "expected number C of changes, from 1")
  }
}
