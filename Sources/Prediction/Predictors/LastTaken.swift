public import Statistics

/// The option taken last is taken again: its confidence is r ÷ (m + 1), m being the takes that had one before
/// them and r those of the m that repeated it; 0 for the others.
///
/// When the option taken last was removed, every option has 0.
///
/// - Complexity: memory O(1): 41 bytes.
public struct LastTaken: OptionPredictor {
  public static let info = SpecificationInfo(
    "last", "the option taken last, as often as takes were repeated", source: "base line")

  public init(_ specification: Specification) throws(SpecificationError) { self.init() }

  /// Creates the predictor, which has no parameters.
  public init() {}

  public var specification: Specification { Specification("last") }

  public var beginning: Learning { Learning() }

  /// Which option was taken last, and how often takes were repeated.
  public struct Learning: UnitLearning {
    public private(set) var optionCount = 0
    /// The option taken last; nil when there was none or it was removed.
    private var last: Int?
    /// Whether anything was taken, be it still there or not.
    private var hasPredecessor = false
    /// Takes that had one before them.
    private var pairs = 0
    /// Those of the pairs whose takes were of the same option.
    private var repeats = 0

    /// Whether the option taken last is there and no more takes were repeated than could be.
    public var isSound: Bool {
      (0...Int(Int32.max)).contains(optionCount) && repeats >= 0 && repeats <= pairs
        && last.map { $0 >= 0 && $0 < optionCount } ?? true
    }

    /// Begins anew with as many options; their counts tell nothing of which one was the last.
    public mutating func define(takes: [Int], encounters: Int, at time: Int64?) {
      self = Learning()
      optionCount = takes.count
    }

    public mutating func add(takes: Int, encounters: Int, at time: Int64?) {
      optionCount = optionCount.addingCount(1)
    }

    public mutating func revise(_ option: Int, takes: Int, encounters: Int, at time: Int64?) {}

    public mutating func raise(by encounters: Int, at time: Int64?) {}

    public mutating func remove(_ option: Int) {
      guard option >= 0, option < optionCount else { return }
      optionCount -= 1
      if optionCount == 0 { self = Learning() }
      guard let last else { return }
      self.last = last == option ? nil : last > option ? last - 1 : last
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

    public mutating func encounter(at time: Int64?) {}

    /// Blind when nothing was taken, or the option taken last is gone.
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
