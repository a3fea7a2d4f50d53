/// The pools of the predictors within a mixture.
public struct ExpertPools: OptionPool {
  private let predictors: [Predictor]
  /// The pool of each predictor; nil for predictors without one.
  private var pools: [(any OptionPool)?]

  /// Creates empty pools of predictors.
  init(_ predictors: [Predictor]) {
    self.predictors = predictors
    pools = predictors.map { $0.isPooled ? $0.beginning.common : nil }
  }

  /// Returns whether the pools belong to these predictors.
  func fits(_ predictors: [Predictor]) -> Bool { self.predictors == predictors }

  /// Lets a predictor and its pool learn a take.
  ///
  /// - Parameters:
  ///   - option: The index of the option.
  ///   - situation: The time, the options and the features of the unit.
  ///   - learning: The state of the predictor for the unit.
  ///   - expert: The index of the predictor.
  mutating func take(
    _ option: Int, in situation: Situation, _ learning: inout Predictor.Learning, of expert: Int
  ) {
    guard pools.indices.contains(expert), pools[expert] != nil else {
      return learning.take(option, in: situation)
    }
    learning.memory.take(option, in: situation, sharing: &pools[expert])
  }

  /// Lets the pool of a predictor learn a take of a unit whose learning state is elsewhere.
  ///
  /// - Parameters:
  ///   - code: The code of the option.
  ///   - recent: The last takes of the unit.
  ///   - expert: The index of the predictor.
  mutating func learn(_ code: UInt64, after recent: RecentTakes, of expert: Int) {
    guard pools.indices.contains(expert) else { return }
    predictors[expert].learn(code, after: recent, sharing: &pools[expert])
  }

  /// Writes a predictor's confidences into the buffer.
  ///
  /// - Returns: Whether the forecast is blind.
  func forecast(
    into confidences: inout [Double], in situation: Situation, _ learning: Predictor.Learning,
    of expert: Int
  ) -> Bool {
    guard pools.indices.contains(expert), let pool = pools[expert] else {
      return learning.forecast(into: &confidences, in: situation)
    }
    return learning.memory.forecast(into: &confidences, in: situation, sharing: pool)
  }
}

extension ExpertPools: Equatable {
  public static func == (a: ExpertPools, b: ExpertPools) -> Bool {
    a.predictors == b.predictors
      && zip(a.pools, b.pools).allSatisfy { a, b in a?.isEqual(to: b) ?? (b == nil) }
  }
}

extension ExpertPools: Codable {
  public init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    var (predictors, pools): ([Predictor], [(any OptionPool)?]) = ([], [])
    while !list.isAtEnd {
      let entry = try list.nestedContainer(keyedBy: LearningKeys.self)
      let predictor = try entry.decode(Predictor.self, forKey: .predictor)
      predictors.append(predictor)
      pools.append(predictor.isPooled ? try Self.pool(of: predictor.base, in: entry) : nil)
    }
    (self.predictors, self.pools) = (predictors, pools)
  }

  private static func pool<P: OptionPredictor>(
    of predictor: P, in entry: KeyedDecodingContainer<LearningKeys>
  ) throws -> any OptionPool {
    let pool = try entry.decode(P.Learning.Pool.self, forKey: .pool)
    guard predictor.fits(pool) else {
      throw entry.damaged(.pool, "does not fit \(predictor.specification)")
    }
    return pool
  }

  /// Encodes a list of predictors, each with its pool if it has one.
  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for (predictor, pool) in zip(predictors, pools) {
      var entry = list.nestedContainer(keyedBy: LearningKeys.self)
      try entry.encode(predictor, forKey: .predictor)
      if let pool { try entry.encode(pool, forKey: .pool) }
    }
  }
}
