/// The learning state of a predictor for one study of one unit.
///
/// Options are identified by their index in declared order: 0 ..< ``optionCount``. A new option is appended, and
/// those after a removed one move down by one. An option that is removed and added again is a new one, without what
/// was learned of it before.
///
/// Times are microseconds since 1970-01-01T00:00:00Z; an event without one has the time of the latest event before
/// it. No input traps: an unknown option changes nothing, a negative count counts as 0, and counts saturate at the
/// largest number.
public protocol OptionLearning: Equatable, Sendable, Codable {
  /// The type of what units have in common.
  associatedtype Pool: OptionPool = NoPool

  /// The current number of options.
  var optionCount: Int { get }

  /// Whether the state is consistent, which it always is unless it was decoded from damaged data.
  var isSound: Bool { get }

  /// Applies a change of the options or of their counts.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - time: The date of new counts.
  /// - Complexity: O(1) for ``OptionChange/raise(by:)``.
  mutating func apply(_ change: OptionChange, at time: Int64?)

  /// Learns a take of an option, which is also an encounter of all options.
  ///
  /// - Parameters:
  ///   - option: The index of the option.
  ///   - situation: The time, the options and the features of the unit.
  ///   - pool: What units have in common, which learns as well.
  mutating func take(_ option: Int, in situation: Situation, pool: inout Pool)

  /// Replaces the contents of the buffer by a confidence in [0, 1] for each option, in declared order.
  ///
  /// - Parameters:
  ///   - confidences: The buffer.
  ///   - situation: The time of prediction (the latest event's if it has no time or an earlier one), the options, and
  ///     the features of the unit.
  ///   - pool: What units have in common.
  /// - Returns: Whether the forecast is blind: nothing was learned that distinguishes the options.
  /// - Complexity: O(options), for contexts O(order × options); the buffer's memory is reused.
  func forecast(into confidences: inout [Double], in situation: Situation, pool: Pool) -> Bool
}

extension OptionLearning {
  /// Counts an encounter of all options; without options nothing changes.
  @inline(__always)
  public mutating func encounter(at time: Int64?) { apply(.raise(by: 1), at: time) }
}

/// The learning state of a predictor that learns from one unit alone, by its events and their times.
public protocol UnitLearning: OptionLearning where Pool == NoPool {
  /// Learns a take of an option, which is also an encounter of all options.
  ///
  /// - Complexity: O(1) in the length of the history and in the number of options.
  mutating func take(_ option: Int, at time: Int64?)

  /// Replaces the contents of the buffer by a confidence in [0, 1] for each option, in declared order.
  ///
  /// - Parameters:
  ///   - confidences: The buffer.
  ///   - time: The time of prediction; the latest event's if nil or earlier.
  /// - Returns: Whether the forecast is blind: nothing was learned that distinguishes the options.
  func forecast(into confidences: inout [Double], at time: Int64?) -> Bool
}

extension UnitLearning {
  @inline(__always)
  public mutating func take(_ option: Int, in situation: Situation, pool: inout NoPool) {
    take(option, at: situation.time)
  }

  @inline(__always)
  public func forecast(into confidences: inout [Double], in situation: Situation, pool: NoPool)
    -> Bool
  {
    forecast(into: &confidences, at: situation.time)
  }
}

extension OptionLearning where Pool == NoPool {
  /// Returns a confidence for each option.
  public func forecast(in situation: Situation) -> Forecast {
    var confidences: [Double] = []
    let isBlind = forecast(into: &confidences, in: situation, pool: NoPool())
    return Forecast(confidences: confidences, isBlind: isBlind)
  }

  /// Returns a confidence for each option, given only the time.
  public func forecast(at time: Int64? = nil) -> Forecast {
    forecast(in: Situation(places: optionCount, at: time))
  }
}

/// The forecast of a predictor.
public struct Forecast: Hashable, Sendable {
  /// The confidence of each option, in declared order.
  public var confidences: [Double]
  /// Whether nothing was learned that distinguishes the options.
  public var isBlind: Bool

  /// Creates a forecast.
  public init(confidences: [Double], isBlind: Bool) {
    self.confidences = confidences
    self.isBlind = isBlind
  }

  /// The index of the option with the highest confidence, the first declared of equals; nil without options.
  public var mostLikely: Int? {
    guard var best = confidences.indices.first else { return nil }
    for option in confidences.indices where confidences[option] > confidences[best] {
      best = option
    }
    return best
  }
}

extension Int {
  /// Returns the sum of two counts, saturating at the largest number.
  package func addingCount(_ other: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(Swift.max(0, other))
    return isOver ? .max : sum
  }
}
