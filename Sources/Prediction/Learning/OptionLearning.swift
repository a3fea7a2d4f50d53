/// What a predictor has learned of one study of one unit.
///
/// Options are told apart by their place in the declared order: 0 ..< ``optionCount``. A new one goes to the end,
/// and those behind one that is removed move up. An option that is removed and added again is a new one: what
/// was learned of it is not found again.
///
/// Times are microseconds since 1970-01-01T00:00:00Z; an event without one counts as of the latest one before
/// it. Nothing traps: an option that is not there changes nothing, a negative count counts as 0, and counts stay
/// at the largest number.
public protocol OptionLearning: Equatable, Sendable, Codable {
  /// What units have in common.
  associatedtype Pool: OptionPool = NoPool

  /// How many options there are now.
  var optionCount: Int { get }

  /// Whether the parts fit each other, as they do unless they were decoded from something damaged.
  var isSound: Bool { get }

  /// Begins anew with these options: nothing that came before is known any more.
  ///
  /// - Parameters:
  ///   - takes: How often each option was taken before.
  ///   - encounters: How often all of them were encountered before.
  ///   - time: The date of these counts.
  mutating func define(takes: [Int], encounters: Int, at time: Int64?)

  /// Adds an option behind the others, which are as often encountered as it is.
  mutating func add(takes: Int, encounters: Int, at time: Int64?)

  /// Replaces the counts of an option, which are then dated at the time.
  mutating func revise(_ option: Int, takes: Int, encounters: Int, at time: Int64?)

  /// Counts further encounters of every option, that is of those that are not revised by the same event.
  mutating func raise(by encounters: Int, at time: Int64?)

  /// Removes an option. When none is left nothing is known any more.
  mutating func remove(_ option: Int)

  /// All options were encountered; without options nothing changes.
  ///
  /// - Complexity: O(1).
  mutating func encounter(at time: Int64?)

  /// An option was taken, and all of them were encountered.
  ///
  /// - Parameters:
  ///   - option: The place of the option.
  ///   - situation: When, among what, and what was known of the unit.
  ///   - pool: What units have in common, which learns as well.
  mutating func take(_ option: Int, in situation: Situation, pool: inout Pool)

  /// Writes a confidence in [0, 1] for each option into the buffer, in declared order, in place of what it holds.
  ///
  /// - Parameters:
  ///   - confidences: The buffer.
  ///   - situation: The moment of prediction (the latest event's when it has no time or one before that), the
  ///     options, and what is known of the unit.
  ///   - pool: What units have in common.
  /// - Returns: Whether the prediction is blind: nothing was learned that tells the options apart.
  /// - Complexity: O(options), for contexts O(order × options); the buffer's room is used again.
  func forecast(into confidences: inout [Double], in situation: Situation, pool: Pool) -> Bool
}

/// What is learned from one unit alone, by nothing but its events and their times.
public protocol UnitLearning: OptionLearning where Pool == NoPool {
  /// An option was taken, and all of them were encountered.
  ///
  /// - Complexity: O(1) in the length of the history and in the number of options.
  mutating func take(_ option: Int, at time: Int64?)

  /// Writes a confidence in [0, 1] for each option into the buffer, in declared order, in place of what it holds.
  ///
  /// - Parameters:
  ///   - confidences: The buffer.
  ///   - time: The moment of prediction; the latest event's when nil or before it.
  /// - Returns: Whether the prediction is blind: nothing was learned that tells the options apart.
  func forecast(into confidences: inout [Double], at time: Int64?) -> Bool
}

extension UnitLearning {
  /// An option was taken, and all of them were encountered.
  @inline(__always)
  public mutating func take(_ option: Int, in situation: Situation, pool: inout NoPool) {
    take(option, at: situation.time)
  }

  /// Writes a confidence for each option into the buffer.
  @inline(__always)
  public func forecast(into confidences: inout [Double], in situation: Situation, pool: NoPool)
    -> Bool
  {
    forecast(into: &confidences, at: situation.time)
  }
}

extension OptionLearning where Pool == NoPool {
  /// A confidence for each option.
  public func forecast(in situation: Situation) -> Forecast {
    var confidences: [Double] = []
    let isBlind = forecast(into: &confidences, in: situation, pool: NoPool())
    return Forecast(confidences: confidences, isBlind: isBlind)
  }

  /// A confidence for each option, where nothing is known but the time.
  public func forecast(at time: Int64? = nil) -> Forecast {
    forecast(in: Situation(places: optionCount, at: time))
  }
}

/// What a predictor expects.
public struct Forecast: Hashable, Sendable {
  /// The confidence of each option, in declared order.
  public var confidences: [Double]
  /// Whether nothing was learned that tells the options apart.
  public var isBlind: Bool

  /// Makes a forecast.
  public init(confidences: [Double], isBlind: Bool) {
    self.confidences = confidences
    self.isBlind = isBlind
  }

  /// The option of the highest confidence, among equals the one declared first; nil without options.
  public var mostLikely: Int? {
    guard var best = confidences.indices.first else { return nil }
    for option in confidences.indices where confidences[option] > confidences[best] {
      best = option
    }
    return best
  }
}

extension Int {
  /// The sum of two counts; the largest number where it is too large.
  package func addingCount(_ other: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(Swift.max(0, other))
    return isOver ? .max : sum
  }
}
