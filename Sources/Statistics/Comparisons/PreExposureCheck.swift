/// Whether the groups of an experiment differed before it began, which a sound assignment gives no reason for: an A/A test on
/// what was measured before the first exposure.
public struct PreExposureCheck: Sendable, Equatable {
  /// The difference of each metric before exposure: treatment less control, by Welch's t test.
  public let differences: [Difference]
  /// The p-values, adjusted by Holm's method for how many metrics were looked at; nil where a metric cannot be tested.
  public let adjusted: [Double?]
  /// The level below which a metric is suspicious.
  public let level: Double

  /// Checks some metrics.
  ///
  /// - Parameters:
  ///   - metrics: Treatment and control of each, from before exposure.
  ///   - level: How often at most a sound experiment may be suspected; low, for a false alarm stops it.
  public init(_ metrics: [(treatment: SampleMean, control: SampleMean)], level: Double = 0.01) {
    self.level = level
    differences = metrics.map { MeanTest.welch(treatment: $0.treatment, control: $0.control) }
    let tested = differences.compactMap(\.pValue)
    var results = Multiplicity.holm.adjusted(tested).makeIterator()
    adjusted = differences.map { $0.pValue == nil ? nil : results.next() }
  }

  /// The indices of the metrics whose groups differed before exposure.
  public var suspicious: [Int] {
    adjusted.indices.filter { index in adjusted[index].map { $0 < level } ?? false }
  }
}
