internal import Statistics

extension Parameter where Value == Int? {
  /// The number of decisions there will be, for policies that need to know it.
  static func horizon(
    _ meaning: String = "decisions there will be, from 1; without it those of the simulation"
  ) -> Parameter {
    .optionalInteger("horizon", in: 1...Int.max, meaning)
  }
}

extension Parameter where Value == Double {
  /// The number of changes of rewards that other parameters are set for.
  static var changes: Parameter {
    .number("changes", default: 1, in: 1...1e9, "number C of changes to expect, from 1")
  }
}
