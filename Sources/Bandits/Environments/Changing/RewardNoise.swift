internal import Specifications
internal import Statistics

/// The distribution of rewards around a changing mean.
enum RewardNoise: Sendable, Hashable {
  /// 1 with the mean as its probability, otherwise 0.
  case bernoulli
  /// Normal with the given standard deviation.
  case gaussian(deviation: Double)
  /// The mean itself.
  case exact

  static let parameter = Parameter.optionalNumber(
    "deviation", in: ParameterRanges.deviations,
    "standard deviation of normal rewards around the mean, 0 or more; without it rewards are 0 or 1, and means are "
      + "probabilities")

  /// Creates the noise that a specification describes.
  ///
  /// - Throws: `SpecificationError` if the deviation is invalid.
  init(_ specification: Specification) throws(SpecificationError) {
    let deviation = try Self.parameter.value(in: specification)
    self = deviation.map { .gaussian(deviation: $0) } ?? .bernoulli
  }

  /// The range of all rewards; nil if unbounded.
  var rewards: ClosedRange<Double>? { self == .bernoulli ? 0...1 : nil }

  /// The valid range of means.
  var means: ClosedRange<Double> { self == .bernoulli ? 0...1 : ParameterRanges.finite }

  /// Returns the reward with a mean and a draw number.
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
