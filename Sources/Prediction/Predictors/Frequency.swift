public import Specifications

/// The smoothed share of each option in the takes: (takes + s) ÷ (takes of all + s × options). The confidences sum to
/// 1.
///
/// The smoothing s is a pseudo-count of each option: 1 is Laplace's rule of succession, ½ the Krichevsky-Trofimov
/// estimator, any other G. J. Lidstone, *Note on the general case of the Bayes-Laplace formula for inductive or a
/// posteriori probabilities*, Transactions of the Faculty of Actuaries 8, 1920. With 0 an option never taken has
/// confidence 0. Without takes all options have the same confidence. Encounters without a take do not count.
///
/// - Complexity: memory O(options): 8 bytes each, about 100 bytes for a study of five.
public struct Frequency: OptionPredictor {
  /// The pseudo-count of each option.
  public var smoothing = 1.0

  public static let info = SpecificationInfo(
    "frequency", "(takes + smoothing) ÷ (all takes + smoothing × options)",
    source: "Lidstone 1920, Note on the general case of the Bayes-Laplace formula",
    example: "frequency:smoothing=1")

  /// Creates the predictor with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.number(
      "smoothing", \.smoothing, in: 0...1e9, "what each option counts more than it was taken, {range}"
    )
  }

  public var beginning: Learning { Learning(smoothing: smoothing) }

  /// The takes of each option.
  public struct Learning: CountLearning {
    /// The pseudo-count of each option.
    public let smoothing: Double
    var counts = TakeCounts()

    /// The forecast is blind and uniform if no present option was ever taken.
    @inline(__always)
    public func forecast(into confidences: inout [Double], at time: Int64?) -> Bool {
      let takes = counts.takes
      let total = takes.total
      guard total > 0 else {
        confidences.refill(takes.count) { _ in 1 / Double(takes.count) }
        return true
      }
      let divisor = total + smoothing * Double(takes.count)
      confidences.refill(takes.count) { (Double(takes[$0]) + smoothing) / divisor }
      return false
    }
  }
}

extension Predictor {
  /// The smoothed share of each option in the takes: ``Prediction/Frequency``.
  ///
  /// - Throws: `SpecificationError` if the smoothing is out of range.
  public static func frequency(smoothing: Double? = nil) throws(SpecificationError) -> Predictor {
    Predictor(try Frequency { $0.smoothing = smoothing ?? $0.smoothing })
  }
}
