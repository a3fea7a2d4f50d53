/// The learning state of a unit that has a pool of its own.
protocol SoloLearning: OptionLearning where Pool == NoPool {
  /// The pool; one of another type is not accepted.
  var common: any OptionPool { get set }
  /// Learns a take, as does a shared pool; if that is of another type, the unit's own pool learns instead.
  mutating func take(
    _ option: Int, in situation: Situation, sharing pool: inout any OptionPool)
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
struct SoloUnit<Learning: OptionLearning>: SoloLearning {
  var learning: Learning
  var pool: Learning.Pool

  var common: any OptionPool {
    get { pool }
    set { if let newValue = newValue as? Learning.Pool { pool = newValue } }
  }

  func isEqual(to other: any SoloLearning) -> Bool { (other as? Self) == self }

  func write(to container: inout KeyedEncodingContainer<LearningKeys>) throws {
    try container.encode(learning, forKey: .memory)
    if Learning.Pool.self != NoPool.self { try container.encode(pool, forKey: .pool) }
  }

  var optionCount: Int { learning.optionCount }
  var isSound: Bool { learning.isSound }

  mutating func define(takes: [Int], encounters: Int, at time: Int64?) {
    learning.define(takes: takes, encounters: encounters, at: time)
  }

  mutating func add(takes: Int, encounters: Int, at time: Int64?) {
    learning.add(takes: takes, encounters: encounters, at: time)
  }

  mutating func revise(_ option: Int, takes: Int, encounters: Int, at time: Int64?) {
    learning.revise(option, takes: takes, encounters: encounters, at: time)
  }

  mutating func raise(by encounters: Int, at time: Int64?) {
    learning.raise(by: encounters, at: time)
  }

  mutating func remove(_ option: Int) { learning.remove(option) }

  mutating func encounter(at time: Int64?) { learning.encounter(at: time) }

  mutating func take(_ option: Int, in situation: Situation, pool: inout NoPool) {
    learning.take(option, in: situation, pool: &self.pool)
  }

  func forecast(into confidences: inout [Double], in situation: Situation, pool: NoPool) -> Bool {
    learning.forecast(into: &confidences, in: situation, pool: self.pool)
  }

  mutating func take(
    _ option: Int, in situation: Situation, sharing pool: inout any OptionPool
  ) {
    guard var shared = pool as? Learning.Pool else {
      return learning.take(option, in: situation, pool: &self.pool)
    }
    // Uniquely referenced, so that it is not copied to learn.
    pool = NoPool()
    learning.take(option, in: situation, pool: &shared)
    pool = shared
  }

  func forecast(
    into confidences: inout [Double], in situation: Situation, sharing pool: any OptionPool
  ) -> Bool {
    learning.forecast(
      into: &confidences, in: situation, pool: pool as? Learning.Pool ?? self.pool)
  }
}

/// The coding keys of a predictor's learning state.
enum LearningKeys: String, CodingKey { case memory, pool, predictor }
