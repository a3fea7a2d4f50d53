/// The learning state of a unit by any predictor, with a pool that it uses unless one is shared.
protocol SoloLearning: Sendable {
  /// The pool; one of another type is not accepted.
  var common: any OptionPool { get set }
  var optionCount: Int { get }
  var isSound: Bool { get }
  mutating func apply(_ change: OptionChange, at time: Int64?)
  mutating func take(_ option: Int, in situation: Situation)
  func forecast(into confidences: inout [Double], in situation: Situation) -> Bool
  /// Learns a take, as does a shared pool; if that is of another type, the unit's own pool learns instead.
  mutating func take(
    _ option: Int, in situation: Situation, sharing pool: inout (any OptionPool)?)
  /// Writes a confidence for each option, using a shared pool; if that is of another type, the unit's own.
  func forecast(
    into confidences: inout [Double], in situation: Situation, sharing pool: any OptionPool
  ) -> Bool
  /// Returns whether both states are equal.
  func isEqual(to other: any SoloLearning) -> Bool
  /// Encodes the learning state, and the pool unless its type is ``NoPool``.
  func write(to container: inout KeyedEncodingContainer<LearningKeys>) throws
}

/// A learning state and its pool.
struct SoloUnit<Learning: OptionLearning>: SoloLearning, Equatable {
  var learning: Learning
  var pool: Learning.Pool

  var common: any OptionPool {
    get { pool }
    set { if let newValue = newValue as? Learning.Pool { pool = newValue } }
  }

  var optionCount: Int { learning.optionCount }
  var isSound: Bool { learning.isSound }

  mutating func apply(_ change: OptionChange, at time: Int64?) { learning.apply(change, at: time) }

  mutating func take(_ option: Int, in situation: Situation) {
    learning.take(option, in: situation, pool: &pool)
  }

  func forecast(into confidences: inout [Double], in situation: Situation) -> Bool {
    learning.forecast(into: &confidences, in: situation, pool: pool)
  }

  mutating func take(
    _ option: Int, in situation: Situation, sharing pool: inout (any OptionPool)?
  ) {
    guard var shared = pool as? Learning.Pool else { return take(option, in: situation) }
    // Uniquely referenced, so that it is not copied to learn.
    pool = nil
    learning.take(option, in: situation, pool: &shared)
    pool = shared
  }

  func forecast(
    into confidences: inout [Double], in situation: Situation, sharing pool: any OptionPool
  ) -> Bool {
    learning.forecast(
      into: &confidences, in: situation, pool: pool as? Learning.Pool ?? self.pool)
  }

  func isEqual(to other: any SoloLearning) -> Bool { (other as? Self) == self }

  func write(to container: inout KeyedEncodingContainer<LearningKeys>) throws {
    try container.encode(learning, forKey: .memory)
    if Learning.Pool.self != NoPool.self { try container.encode(pool, forKey: .pool) }
  }
}

/// The coding keys of a predictor's learning state.
enum LearningKeys: String, CodingKey { case memory, pool, predictor }
