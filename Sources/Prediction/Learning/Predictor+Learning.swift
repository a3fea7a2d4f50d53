extension Predictor {
  /// The learning state of a predictor, with the predictor and its pool.
  public struct Learning: OptionLearning {
    /// The predictor that learns.
    public let predictor: Predictor
    var memory: any SoloLearning

    /// The pool of all units, which learns along with this state. A pool of another predictor is not accepted.
    public var common: any OptionPool {
      get { memory.common }
      set { if predictor.takes(newValue) { memory.common = newValue } }
    }

    public var optionCount: Int { memory.optionCount }

    public var isSound: Bool { memory.isSound }

    public mutating func apply(_ change: OptionChange, at time: Int64?) {
      memory.apply(change, at: time)
    }

    /// Learns a take with the pool of this state.
    public mutating func take(_ option: Int, in situation: Situation) {
      memory.take(option, in: situation)
    }

    /// Learns a take, given only the time.
    public mutating func take(_ option: Int, at time: Int64?) {
      take(option, in: Situation(places: optionCount, at: time))
    }

    public mutating func take(_ option: Int, in situation: Situation, pool: inout NoPool) {
      take(option, in: situation)
    }

    public func forecast(
      into confidences: inout [Double], in situation: Situation, pool: NoPool = NoPool()
    ) -> Bool {
      memory.forecast(into: &confidences, in: situation)
    }

    public static func == (a: Learning, b: Learning) -> Bool {
      a.predictor == b.predictor && a.memory.isEqual(to: b.memory)
    }
  }
}

extension Predictor.Learning: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: LearningKeys.self)
    predictor = try container.decode(Predictor.self, forKey: .predictor)
    guard let memory = try Self.memory(of: predictor.base, in: container) else {
      throw container.damaged(.memory, "does not fit \(predictor)")
    }
    self.memory = memory
  }

  /// Decodes a learning state; nil if it is not sound or belongs to other parameters.
  private static func memory<P: OptionPredictor>(
    of predictor: P, in container: KeyedDecodingContainer<LearningKeys>
  ) throws -> (any SoloLearning)? {
    let learning = try container.decode(P.Learning.self, forKey: .memory)
    guard predictor.fits(learning) else { return nil }
    let pool =
      P.Learning.Pool.self != NoPool.self
      ? try container.decode(P.Learning.Pool.self, forKey: .pool) : predictor.emptyPool
    guard predictor.fits(pool) else { return nil }
    return SoloUnit(learning: learning, pool: pool)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: LearningKeys.self)
    try container.encode(predictor, forKey: .predictor)
    try memory.write(to: &container)
  }
}
