public import Specifications
internal import Statistics

/// Diagnostics of importance weights: how informative a log is about a target policy.
///
/// - Complexity: about 100 bytes for each sixteenth of an octave in which there are weights; an addition is O(1)
///   amortized.
public struct WeightDiagnostics: StateField, Equatable {
  private var weights = Moments()
  /// The greatest weight; nil without decisions.
  public private(set) var greatest: Double?
  /// The number of decisions that the target policy could have made too: those with a weight above zero.
  public private(set) var matched = 0
  /// The distribution of the weights.
  public private(set) var histogram = WeightHistogram()

  /// Creates diagnostics without decisions.
  public init() {}

  /// Adds a number of equal decisions.
  ///
  /// - Precondition: `times` is not negative.
  public mutating func add(_ decision: LoggedDecision, times: Int = 1) {
    guard times != 0 else { return }
    let weight = decision.weight
    weights.add(weight, times: times)
    histogram.add(weight, times: times)
    greatest = max(greatest ?? weight, weight)
    if weight > 0 { matched += times }
  }

  /// Adds all the decisions of another instance.
  public mutating func merge(_ other: WeightDiagnostics) {
    weights.merge(other.weights)
    histogram.merge(other.histogram)
    matched += other.matched
    greatest = [greatest, other.greatest].compactMap { $0 }.max()
  }

  public func write(to writer: inout StateWriter) {
    weights.write(to: &writer)
    writer.write(byte: greatest == nil ? 0 : 1)
    // Both zeros are the same.
    writer.write((greatest ?? 0) + 0)
    writer.write(tally: matched)
    histogram.write(to: &writer)
  }

  public mutating func read(from reader: inout StateReader) throws(StateError) {
    try weights.read(from: &reader)
    let isKnown = try reader.readByte() == 1
    let number = try reader.readDouble()
    greatest = isKnown ? number : nil
    matched = try reader.readTally()
    try histogram.read(from: &reader)
  }

  /// The number of decisions.
  public var count: Int { weights.count }

  /// The mean weight, near 1 if the propensities are right and the log covers the target policy; nil without decisions.
  public var mean: Double? { weights.mean }

  /// The sample variance of the weights; nil for fewer than two decisions.
  public var variance: Double? { weights.variance }

  /// The share of decisions that the target policy would never have made; nil without decisions.
  public var shareWithoutWeight: Double? {
    count > 0 ? Double(count - matched) / Double(count) : nil
  }

  /// The effective sample size (Σw)²/Σw²: L. Kish, "Survey Sampling" (1965). Nil if no weight is above zero.
  public var effectiveSampleSize: Double? {
    let (sum, squares) = (weights.sum, weights.totalOfSquares.value)
    guard squares > 0 else { return nil }
    return sum / squares * sum
  }
}
