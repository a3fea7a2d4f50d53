/// What a unit learned that has its pool for itself.
protocol LoneLearning: OptionLearning where Pool == NoPool {
  /// What it has in common with others; a pool of another type is not taken.
  var common: any OptionPool { get set }
  /// An option was taken, and a pool kept elsewhere learns as well; one of another type does not, and its own does.
  mutating func take(
    _ option: Int, in situation: Situation, sharing pool: inout any OptionPool)
  /// Writes a confidence for each option, by a pool kept elsewhere; by its own where that is of another type.
  func forecast(
    into confidences: inout [Double], in situation: Situation, sharing pool: any OptionPool
  ) -> Bool
  /// Whether both learned the same.
  func isEqual(to other: any LoneLearning) -> Bool
  /// Writes what it learned of its own, and the pool if it has one to speak of.
  func write(to container: inout KeyedEncodingContainer<LearningKeys>) throws
}

/// What a unit learned, and its pool.
struct Lone<Learning: OptionLearning>: LoneLearning {
  var learning: Learning
  var pool: Learning.Pool

  var common: any OptionPool {
    get { pool }
    set { if let newValue = newValue as? Learning.Pool { pool = newValue } }
  }

  func isEqual(to other: any LoneLearning) -> Bool { (other as? Self) == self }

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
    // Held once only, it need not be copied to learn.
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

/// The names of what a predictor learned, as it is written.
enum LearningKeys: String, CodingKey { case memory, pool, predictor }
