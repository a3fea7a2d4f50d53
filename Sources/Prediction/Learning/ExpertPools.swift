/// What units have in common for each of several predictors that work within another one.
public struct ExpertPools: OptionPool {
  private let predictors: [Predictor]
  /// By predictor; nil where units have nothing in common.
  private var pools: [(any OptionPool)?]

  /// Nothing known, for these predictors.
  init(_ predictors: [Predictor]) {
    self.predictors = predictors
    pools = predictors.map { $0.isPooled ? $0.beginning.common : nil }
  }

  /// Whether the pools are of these predictors.
  func fits(_ predictors: [Predictor]) -> Bool { self.predictors == predictors }

  /// An option was taken: a predictor learns, and with it what units have in common.
  ///
  /// - Parameters:
  ///   - option: The place of the option.
  ///   - situation: When, among what, and what was known of the unit.
  ///   - learning: What the predictor learned of the unit.
  ///   - expert: Which of the predictors it is.
  mutating func take(
    _ option: Int, in situation: Situation, _ learning: inout Predictor.Learning, of expert: Int
  ) {
    guard pools.indices.contains(expert), var pool = pools[expert] else {
      return learning.take(option, in: situation)
    }
    // Held once only, it need not be copied to learn.
    pools[expert] = nil
    learning.take(option, in: situation, sharing: &pool)
    pools[expert] = pool
  }

  /// Writes a predictor's confidences into the buffer.
  ///
  /// - Returns: Whether they are blind.
  func forecast(
    into confidences: inout [Double], in situation: Situation, _ learning: Predictor.Learning,
    of expert: Int
  ) -> Bool {
    guard pools.indices.contains(expert), let pool = pools[expert] else {
      return learning.forecast(into: &confidences, in: situation)
    }
    return learning.forecast(into: &confidences, in: situation, sharing: pool)
  }
}

extension ExpertPools: Equatable {
  /// Whether the predictors are the same and units have the same in common.
  public static func == (a: ExpertPools, b: ExpertPools) -> Bool {
    a.predictors == b.predictors
      && zip(a.pools, b.pools).allSatisfy { a, b in a.map { isEqual($0, b) } ?? (b == nil) }
  }

  private static func isEqual<Pool: OptionPool>(_ a: Pool, _ b: (any OptionPool)?) -> Bool {
    (b as? Pool) == a
  }
}

extension ExpertPools: Codable {
  /// Reads the predictors and their pools.
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
      throw DecodingError.dataCorruptedError(
        forKey: .pool, in: entry, debugDescription: "does not fit \(predictor.specification)")
    }
    return pool
  }

  /// Writes a list of predictors, each with its pool if it has one.
  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for (predictor, pool) in zip(predictors, pools) {
      var entry = list.nestedContainer(keyedBy: LearningKeys.self)
      try entry.encode(predictor, forKey: .predictor)
      if let pool { try entry.encode(pool, forKey: .pool) }
    }
  }
}
