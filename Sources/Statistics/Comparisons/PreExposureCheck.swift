/// A check for pre-experiment bias: whether the groups of an experiment differed before it began, which a sound
/// assignment would not cause. An A/A test on metrics measured before the first exposure.
public struct PreExposureCheck: Sendable, Equatable {
  /// The difference of each metric before exposure: treatment less control, by Welch's t test.
  public let differences: [Difference]
  /// The p-values, with Holm's adjustment for the number of metrics; nil for a metric that cannot be tested.
  public let adjusted: [Double?]
  /// The significance level at which a metric is suspicious.
  public let level: Double

  /// Checks metrics.
  ///
  /// - Parameters:
  ///   - metrics: Treatment and control of each metric, from before exposure.
  ///   - level: The probability of a false alarm; low, as a false alarm stops the experiment.
  public init(_ metrics: [(treatment: SampleMean, control: SampleMean)], level: Double = 0.01) {
    self.level = level
    differences = metrics.map { MeanTest.welch(treatment: $0.treatment, control: $0.control) }
    let tested = differences.compactMap(\.pValue)
    var results = Multiplicity.holm.adjusted(tested).makeIterator()
    adjusted = differences.map { $0.pValue == nil ? nil : results.next() }
  }

  /// The indices of the metrics whose groups differed significantly before exposure.
  public var suspicious: [Int] {
    adjusted.indices.filter { index in adjusted[index].map { $0 < level } ?? false }
  }
}
