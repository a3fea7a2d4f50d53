internal import Statistics

extension Parameter where Value == Int? {
  /// The horizon: the number of decisions in total, for policies that depend on it.
  static func horizon(
    _ meaning: String = "decisions there will be, from 1; without it those of the simulation"
  ) -> Parameter {
    .optionalInteger("horizon", in: 1...Int.max, meaning)
  }
}

extension Parameter where Value == Double {
  /// The expected number of changes, from which the defaults of other parameters follow.
  static var changes: Parameter {
    .number("changes", default: 1, in: 1...1e9, "number C of changes to expect, from 1")
  }
}
