public import Statistics

/// Counting in which the past fades: every take and encounter weighs 2^(-age ÷ half-life), and confidence is
/// weighted takes ÷ (weighted encounters + 1).
///
/// Age is the time of prediction less the time of the event. Time does not run backwards: a prediction dated
/// before the latest event is made as of that event. Counts that come with a definition or a revision are dated
/// at it. Exponential fading by half-life is that of Y. Ding and X. Li, *Time weight collaborative filtering*,
/// CIKM 2005, https://doi.org/10.1145/1099554.1099689.
///
/// - Complexity: memory O(options).
public struct HalfLife: OptionPredictor {
  /// The half-lives that are allowed, in days: from about a second to beyond the calendar.
  public static let range = 1e-5...1e7

  /// After how many days an event weighs half.
  public let days: Double

  /// `half-life:days=5`.
  public static let guide = Guide(
    "half-life", "takes ÷ (encounters + 1), both fading with age",
    [.init("days", "5", "after how many days an event weighs half")],
    source: "Ding and Li 2005, https://doi.org/10.1145/1099554.1099689")

  /// Makes the predictor from what was written.
  ///
  /// - Throws: `SpecificationError` when the half-life is not in ``range``.
  public init(_ specification: Specification) throws(SpecificationError) {
    days = try specification.number("days", default: 5, in: Self.range)
  }

  /// Makes the predictor.
  ///
  /// - Throws: `SpecificationError` when the half-life is not in ``range``.
  public init(days: Double = 5) throws(SpecificationError) {
    try self.init(Specification("half-life", [.init(key: "days", number: days)]))
  }

  /// `half-life:days=5`.
  public var specification: Specification {
    Specification("half-life", [.init(key: "days", number: days)])
  }

  /// Whether something learned is sound and fades as fast.
  public func fits(_ learning: Learning) -> Bool { learning.isSound && learning.days == days }

  /// No options.
  public var beginning: Learning { Learning(days: days) }

  /// The weights of takes and encounters as of the latest event.
  public struct Learning: UnitLearning {
    /// What is known of one option, as of a time of its own, so that a take need not touch the others.
    private struct Share: Hashable, Sendable, Codable {
      var takes: Double
      /// Encounters of this option beyond those of the study, since its counts were given.
      var surplus: Double
      var asOf: Int64
    }

    /// The half-life in days.
    public let days: Double
    private var shares: [Share] = []
    /// Encounters of the study, as of the latest event.
    private var encounters = 0.0
    /// The latest date; nil while no event had one.
    private var latest: Int64?

    init(days: Double) { self.days = days }

    /// How many options there are now.
    public var optionCount: Int { shares.count }

    /// Whether the half-life is one that is allowed, and no weight is negative.
    public var isSound: Bool {
      HalfLife.range.contains(days) && encounters >= 0 && shares.allSatisfy { $0.takes >= 0 }
    }

    /// Begins anew with these options, whose counts are of the time.
    public mutating func define(takes: [Int], encounters: Int, at time: Int64?) {
      shares = takes.map { Share(takes: Double(max(0, $0)), surplus: 0, asOf: time ?? 0) }
      self.encounters = takes.isEmpty ? 0 : Double(max(0, encounters))
      latest = takes.isEmpty ? nil : time
    }

    /// Adds an option behind the others, whose counts are of the time.
    public mutating func add(takes: Int, encounters: Int, at time: Int64?) {
      shares.append(Share(takes: 0, surplus: 0, asOf: latest ?? 0))
      revise(shares.count - 1, takes: takes, encounters: encounters, at: time)
    }

    /// Replaces the counts of an option, which are of the time.
    public mutating func revise(_ option: Int, takes: Int, encounters: Int, at time: Int64?) {
      guard shares.indices.contains(option) else { return }
      let weight = arrive(time)
      shares[option] = Share(
        takes: Double(max(0, takes)) * weight,
        surplus: Double(max(0, encounters)) * weight - self.encounters, asOf: latest ?? 0)
    }

    /// Counts further encounters, at the time.
    public mutating func raise(by encounters: Int, at time: Int64?) {
      guard !shares.isEmpty else { return }
      self.encounters += arrive(time) * Double(max(0, encounters))
    }

    /// Removes an option.
    public mutating func remove(_ option: Int) {
      guard shares.indices.contains(option) else { return }
      shares.remove(at: option)
      if shares.isEmpty { self = Learning(days: days) }
    }

    /// An option was taken.
    public mutating func take(_ option: Int, at time: Int64?) {
      guard shares.indices.contains(option) else { return }
      let weight = arrive(time)
      encounters += weight
      let now = latest ?? 0
      let fading = fading(from: shares[option].asOf, to: now)
      shares[option].takes = shares[option].takes * fading + weight
      shares[option].surplus *= fading
      shares[option].asOf = now
    }

    /// All options were encountered.
    public mutating func encounter(at time: Int64?) { raise(by: 1, at: time) }

    /// Blind when no encounter weighs anything.
    public func forecast(into confidences: inout [Double], at time: Int64?) -> Bool {
      confidences.removeAll(keepingCapacity: true)
      let past = latest ?? 0
      let now = latest == nil ? past : max(time ?? past, past)
      let common = encounters * fading(from: past, to: now)
      var isBlind = true
      for share in shares {
        let fading = fading(from: share.asOf, to: now)
        let weight = max(0, common + share.surplus * fading)
        if weight > 0 { isBlind = false }
        confidences.append(min(share.takes * fading / (weight + 1), 1.0.nextDown))
      }
      return isBlind
    }

    /// Brings the study to the time of an event, and says what the event weighs as of the latest one.
    private mutating func arrive(_ time: Int64?) -> Double {
      guard let time else { return 1 }
      guard let latest else {
        // What had no date yet counts as of the first one that there is.
        self.latest = time
        for option in shares.indices { shares[option].asOf = time }
        return 1
      }
      guard time > latest else { return fading(from: time, to: latest) }
      encounters *= fading(from: latest, to: time)
      self.latest = time
      return 1
    }

    private func fading(from past: Int64, to now: Int64) -> Double {
      guard now > past else { return 1 }
      let (age, isOver) = now.subtractingReportingOverflow(past)
      let halfLives = Double(isOver ? .max : age) / (days * 86_400e6)
      return SpecialFunctions.powerOfTwo(-halfLives)
    }
  }
}

extension Predictor {
  /// Counting in which the past fades: ``HalfLife``.
  ///
  /// - Throws: `SpecificationError` when the half-life is not in ``HalfLife/range``.
  public static func halfLife(days: Double = 5) throws(SpecificationError) -> Predictor {
    Predictor(PreparedPredictor(try HalfLife(days: days)))
  }
}
