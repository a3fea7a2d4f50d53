public import Specifications

/// The baseline with equal confidence for each option: 1 ÷ number of options.
///
/// - Complexity: memory O(1): 8 bytes.
public struct Uniform: OptionPredictor {
  public static let info = SpecificationInfo(
    "uniform", "1 ÷ number of options each", source: "base line")

  /// Creates the predictor with the default of each parameter.
  public init() {}

  public var beginning: Learning { Learning() }

  /// The number of options; nothing else is learned.
  public struct Learning: UnitLearning {
    public private(set) var optionCount = 0

    /// Whether the number of options is possible.
    public var isSound: Bool { (0...Int(Int32.max)).contains(optionCount) }

    public mutating func apply(_ change: OptionChange, at time: Int64?) {
      optionCount = change.count(after: optionCount)
    }

    public mutating func take(_ option: Int, at time: Int64?) {}

    /// The forecast is always blind.
    public func forecast(into confidences: inout [Double], at time: Int64?) -> Bool {
      let count = optionCount
      confidences.refill(count) { _ in 1 / Double(count) }
      return true
    }
  }
}

extension Predictor {
  /// Equal confidence for each option: ``Prediction/Uniform``.
  public static let uniform = Predictor(Uniform())
}
