extension Predictor {
  /// What a predictor has learned, with the predictor, and with what it knows of other units.
  public struct Learning: OptionLearning {
    /// Which predictor learns.
    public let predictor: Predictor
    private var memory: any LoneLearning

    init(predictor: Predictor, memory: any LoneLearning) {
      self.predictor = predictor
      self.memory = memory
    }

    /// What units have in common; it learns what this one does. One that another predictor learned is not taken.
    public var common: any OptionPool {
      get { memory.common }
      set { if predictor.takes(newValue) { memory.common = newValue } }
    }

    public var optionCount: Int { memory.optionCount }

    public var isSound: Bool { memory.isSound }

    public mutating func define(takes: [Int], encounters: Int, at time: Int64?) {
      memory.define(takes: takes, encounters: encounters, at: time)
    }

    public mutating func add(takes: Int, encounters: Int, at time: Int64?) {
      memory.add(takes: takes, encounters: encounters, at: time)
    }

    public mutating func revise(_ option: Int, takes: Int, encounters: Int, at time: Int64?) {
      memory.revise(option, takes: takes, encounters: encounters, at: time)
    }

    public mutating func raise(by encounters: Int, at time: Int64?) {
      memory.raise(by: encounters, at: time)
    }

    public mutating func remove(_ option: Int) { memory.remove(option) }

    public mutating func encounter(at time: Int64?) { memory.encounter(at: time) }

    public mutating func take(_ option: Int, in situation: Situation) {
      var none = NoPool()
      memory.take(option, in: situation, pool: &none)
    }

    /// An option was taken, and nothing is known but the time.
    public mutating func take(_ option: Int, at time: Int64?) {
      take(option, in: Situation(places: optionCount, at: time))
    }

    public mutating func take(_ option: Int, in situation: Situation, pool: inout NoPool) {
      memory.take(option, in: situation, pool: &pool)
    }

    /// Writes a confidence for each option into the buffer.
    public func forecast(
      into confidences: inout [Double], in situation: Situation, pool: NoPool = NoPool()
    ) -> Bool {
      memory.forecast(into: &confidences, in: situation, pool: pool)
    }

    /// An option was taken, and what units have in common is kept elsewhere.
    mutating func take(
      _ option: Int, in situation: Situation, sharing pool: inout any OptionPool
    ) {
      memory.take(option, in: situation, sharing: &pool)
    }

    /// Writes a confidence for each option into the buffer; what units have in common is kept elsewhere.
    func forecast(
      into confidences: inout [Double], in situation: Situation, sharing pool: any OptionPool
    ) -> Bool {
      memory.forecast(into: &confidences, in: situation, sharing: pool)
    }

    /// Whether the same predictor has learned the same.
    public static func == (a: Learning, b: Learning) -> Bool {
      a.predictor == b.predictor && a.memory.isEqual(to: b.memory)
    }

    /// Reads the predictor and what it has learned.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: LearningKeys.self)
      predictor = try container.decode(Predictor.self, forKey: .predictor)
      guard let memory = try Self.memory(of: predictor.base, in: container) else {
        throw DecodingError.dataCorruptedError(
          forKey: .memory, in: container, debugDescription: "does not fit \(predictor)")
      }
      self.memory = memory
    }

    /// Reads what a predictor has learned; nil when that is not sound or was learned with other parameters.
    private static func memory<P: OptionPredictor>(
      of predictor: P, in container: KeyedDecodingContainer<LearningKeys>
    ) throws -> (any LoneLearning)? {
      let learning = try container.decode(P.Learning.self, forKey: .memory)
      guard predictor.fits(learning) else { return nil }
      let pool =
        P.Learning.Pool.self != NoPool.self
        ? try container.decode(P.Learning.Pool.self, forKey: .pool) : predictor.emptyPool
      guard predictor.fits(pool) else { return nil }
      return Lone(learning: learning, pool: pool)
    }

    /// Writes the predictor and what it has learned.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: LearningKeys.self)
      try container.encode(predictor, forKey: .predictor)
      try memory.write(to: &container)
    }
  }
}
