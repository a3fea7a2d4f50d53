internal import Statistics

/// How rewards lie around a mean that changes.
enum RewardNoise: Sendable, Hashable {
  /// 1 with the mean as its probability, otherwise 0.
  case bernoulli
  /// Normal.
  case gaussian(deviation: Double)
  /// The mean itself.
  case exact

  /// How it is written.
  static let parameter = Parameter.optionalNumber(
    "deviation", in: ParameterRanges.deviations,
    "standard deviation of normal rewards around the mean, 0 or more; without it rewards are 0 or 1, and means are "
      + "probabilities")

  /// The noise that is written.
  ///
  /// - Throws: `SpecificationError`: the deviation is none.
  init(_ specification: Specification) throws(SpecificationError) {
    let deviation = try Self.parameter.value(in: specification)
    self = deviation.map { .gaussian(deviation: $0) } ?? .bernoulli
  }

  /// Where all rewards lie; nil when they may be anything.
  var rewards: ClosedRange<Double>? { self == .bernoulli ? 0...1 : nil }

  /// Where means may lie.
  var means: ClosedRange<Double> { self == .bernoulli ? 0...1 : ParameterRanges.finite }

  /// A reward with this mean, from the words of a number.
  func reward(_ mean: Double, _ stream: RewardStream, _ number: UInt64) -> Double {
    switch self {
    case .exact: return mean
    case .bernoulli: return Double(stream.word(number) &>> 11) * 0x1p-53 < mean ? 1 : 0
    case .gaussian(let deviation):
      var random = stream.generator(number)
      return Draw.normal(mean: mean, standardDeviation: deviation, using: &random)
    }
  }
}
