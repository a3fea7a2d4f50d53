public import Specifications
internal import Statistics

/// Counting with exponential decay over time: every take and encounter has the weight 2^(-age ÷ half-life), and
/// confidence is weighted takes ÷ (weighted encounters + 1).
///
/// Age is the time of prediction less the time of the event. Time is monotonic: a prediction dated before the latest
/// event is made as of that event. Counts of a definition or a revision have its date. Exponential decay by half-life
/// is that of Y. Ding and X. Li, *Time weight collaborative filtering*, CIKM 2005,
/// https://doi.org/10.1145/1099554.1099689.
///
/// - Complexity: memory O(options): 16 bytes each, about 160 bytes for a study of five.
public struct HalfLife: OptionPredictor {
  /// The half-life, in days: from 1e-5, about a second, to 1e7, beyond the calendar.
  public var days = 5.0

  public static let info = SpecificationInfo(
    "half-life", "takes ÷ (encounters + 1), both fading with age",
    source: "Ding and Li 2005, https://doi.org/10.1145/1099554.1099689",
    example: "half-life:days=5")

  /// Creates the predictor with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.number("days", \.days, in: 1e-5...1e7, "after how many days an event weighs half")
  }

  public var beginning: Learning { Learning(days: days) }

  /// The weights of takes and encounters.
  public struct Learning: FadingLearning {
    /// The half-life in days.
    public let days: Double
    var shares: [FadingShare] = []
    var encounters = 0.0
    /// The latest date; nil as long as no event had one.
    fileprivate var latest: Int64?
    /// The reference date of the weights: shortly before the latest one, and 0 while there is none. Later events have
    /// a weight above 1, so that a take need not update other options.
    fileprivate var asOf: Int64 = 0

    /// Whether the weights have a valid date, and none is negative.
    public var isSound: Bool {
      encounters >= 0 && shares.allSatisfy { $0.takes >= 0 }
        && (latest.map { asOf <= $0 && halfLives(from: asOf, to: $0) <= Self.span } ?? (asOf == 0))
    }

    /// The forecast is blind if the encounters have no weight.
    @inline(__always)
    public func forecast(into confidences: inout [Double], at time: Int64?) -> Bool {
      let now = latest.map { max(time ?? $0, $0) } ?? asOf
      let fading = SpecialFunctions.powerOfTwo(-halfLives(from: asOf, to: now))
      let (shares, encounters) = (shares, encounters)
      var isBlind = true
      confidences.refill(shares.count) { option in
        let weight = max(0, encounters + shares[option].surplus) * fading
        if weight > 0 { isBlind = false }
        return min(shares[option].takes * fading / (weight + 1), 1.0.nextDown)
      }
      return isBlind
    }

    /// The maximum age of the reference date, in half-lives: small enough that rounding is negligible.
    private static var span: Double { 64 }

    /// Advances the study to the time of an event, and returns the weight of the event.
    @inline(__always)
    mutating func arrive(_ time: Int64?) -> Double {
      // Counts without a date count as of the first date.
      guard let latest else {
        (self.latest, asOf) = (time, time ?? 0)
        return 1
      }
      if let time, time > latest { self.latest = time }
      var age = halfLives(from: asOf, to: time ?? latest)
      if age > Self.span {
        shift(to: time ?? latest, by: age)
        age = 0
      }
      return SpecialFunctions.powerOfTwo(age)
    }

    /// Rescales the weights to a later reference date.
    private mutating func shift(to time: Int64, by halfLives: Double) {
      let fading = SpecialFunctions.powerOfTwo(-halfLives)
      asOf = time
      scale(by: fading)
    }

    /// Returns the number of half-lives between two times; negative if the end is before the start.
    @inline(__always)
    private func halfLives(from start: Int64, to end: Int64) -> Double {
      let (age, isOver) = end.subtractingReportingOverflow(start)
      return Double(isOver ? (end > start ? .max : .min) : age) / (days * 86_400e6)
    }

    mutating func forgetAge() { (latest, asOf) = (nil, 0) }
  }
}

extension Predictor {
  /// Counting with exponential decay over time: ``HalfLife``.
  ///
  /// - Throws: `SpecificationError` if the half-life is out of range.
  public static func halfLife(days: Double? = nil) throws(SpecificationError) -> Predictor {
    Predictor(try HalfLife { $0.days = days ?? $0.days })
  }
}
