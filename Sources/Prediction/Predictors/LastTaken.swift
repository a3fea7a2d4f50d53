public import Specifications

/// Predicts that the option taken last is taken again: its confidence is r ÷ (m + 1), m being the takes that had one
/// before them and r those of the m that repeated it; 0 for the others.
///
/// If the option taken last was removed, every option has confidence 0.
///
/// - Complexity: memory O(1): 41 bytes.
public struct LastTaken: OptionPredictor {
  public static let info = SpecificationInfo(
    "last", "the option taken last, as often as takes were repeated", source: "base line")

  /// Creates the predictor with the default of each parameter.
  public init() {}

  public var beginning: Learning { Learning() }

  /// The option taken last, and the number of repeated takes.
  public struct Learning: UnitLearning {
    public private(set) var optionCount = 0
    /// The option taken last; nil when there was none or it was removed.
    private var last: Int?
    /// Whether any option was taken, even if it has been removed.
    private var hasPredecessor = false
    /// The number of takes that had one before them.
    private var pairs = 0
    /// The number of those takes that repeated the one before.
    private var repeats = 0

    /// Whether the option taken last exists and the number of repeated takes is possible.
    public var isSound: Bool {
      (0...Int(Int32.max)).contains(optionCount) && repeats >= 0 && repeats <= pairs
        && last.map { $0 >= 0 && $0 < optionCount } ?? true
    }

    /// Applies a change; counts do not tell which option was taken last.
    public mutating func apply(_ change: OptionChange, at time: Int64?) {
      if let option = change.removal(from: optionCount), let last {
        self.last = last == option ? nil : last > option ? last - 1 : last
      }
      let count = change.count(after: optionCount)
      if change.startsAnew(leaving: count) { self = Learning() }
      optionCount = count
    }

    public mutating func take(_ option: Int, at time: Int64?) {
      guard option >= 0, option < optionCount else { return }
      if hasPredecessor {
        pairs = pairs.addingCount(1)
        if last == option { repeats = repeats.addingCount(1) }
      }
      last = option
      hasPredecessor = true
    }

    /// The forecast is blind if nothing was taken, or the option taken last was removed.
    public func forecast(into confidences: inout [Double], at time: Int64?) -> Bool {
      let confidence = min(Double(repeats) / (Double(pairs) + 1), 1.0.nextDown)
      confidences.refill(optionCount) { $0 == last ? confidence : 0 }
      return last == nil
    }
  }
}

extension Predictor {
  /// The option taken last: ``LastTaken``.
  public static let last = Predictor(LastTaken())
}
