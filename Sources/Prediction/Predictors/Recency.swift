public import Specifications
internal import Statistics

/// Counting with exponential decay over takes: an event n takes of the study ago has the weight 2^(-n ÷ half-life),
/// and confidence is weighted takes ÷ (weighted encounters + 1).
///
/// It is ``HalfLife`` with takes in place of time, so that counts decay with activity and not during a pause. The
/// form is the same as there and as in ``Beauchamp``, which it approaches as the half-life grows; an encounter
/// without a take makes each option less likely, and ages nothing. Counts of a definition or a revision are as old as
/// it is. Exponential weights: R. G. Brown, *Smoothing, Forecasting and Prediction of Discrete Time Series*,
/// Prentice-Hall 1963, chapter 7.
///
/// - Complexity: memory O(options): 16 bytes each, about 150 bytes for a study of five. A take updates one option
///   only, as weights are relative to a unit that grows with each take.
public struct Recency: OptionPredictor {
  /// The half-life, in takes of the study.
  public var events = 20.0

  public static let info = SpecificationInfo(
    "recency", "takes ÷ (encounters + 1), both fading with every take",
    source: "Brown 1963, Smoothing, Forecasting and Prediction of Discrete Time Series",
    example: "recency:events=20")

  /// Creates the predictor with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.number(
      "events", \.events, in: 0.1...1e9, "after how many takes an event weighs half, {range}")
  }

  public var beginning: Learning { Learning(events: events) }

  /// The weights of takes and encounters.
  public struct Learning: FadingLearning {
    private enum CodingKeys: String, CodingKey { case events, shares, encounters, unit }

    /// The half-life in takes.
    public let events: Double
    var shares: [FadingShare] = []
    var encounters = 0.0
    /// The current weight of an event relative to the numbers above, which grows so that they need not shrink.
    private var unit = 1.0
    /// The growth of ``unit`` with each take.
    private let growth: Double

    init(events: Double) {
      self.events = events
      growth = SpecialFunctions.powerOfTwo(1 / events)
    }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(events: try container.decode(Double.self, forKey: .events))
      shares = try container.decode([FadingShare].self, forKey: .shares)
      encounters = try container.decode(Double.self, forKey: .encounters)
      unit = try container.decode(Double.self, forKey: .unit)
    }

    /// Whether no weight is negative.
    public var isSound: Bool {
      encounters >= 0 && unit >= 1 && unit <= Self.largestUnit
        && shares.allSatisfy { $0.takes >= 0 }
    }

    @inline(__always)
    mutating func arriveByTake(_ time: Int64?) -> Double {
      unit *= growth
      if unit > Self.largestUnit { shrink() }
      return unit
    }

    /// The forecast is blind if the encounters have no weight.
    @inline(__always)
    public func forecast(into confidences: inout [Double], at time: Int64?) -> Bool {
      let (shares, encounters, unit) = (shares, encounters, unit)
      var isBlind = true
      confidences.refill(shares.count) { option in
        let weight = max(0, encounters + shares[option].surplus)
        if weight > 0 { isBlind = false }
        return min(shares[option].takes / (weight + unit), 1.0.nextDown)
      }
      return isBlind
    }

    private static var largestUnit: Double { 0x1p256 }

    /// Scales all weights down by a power of two, which is exact.
    private mutating func shrink() {
      let factor = 1 / Self.largestUnit
      unit *= factor
      scale(by: factor)
    }

    mutating func arrive(_ time: Int64?) -> Double { unit }

    mutating func forgetAge() { unit = 1 }
  }
}

extension Predictor {
  /// Counting with exponential decay over takes: ``Recency``.
  ///
  /// - Throws: `SpecificationError` if the half-life is out of range.
  public static func recency(events: Double? = nil) throws(SpecificationError) -> Predictor {
    Predictor(try Recency { $0.events = events ?? $0.events })
  }
}
