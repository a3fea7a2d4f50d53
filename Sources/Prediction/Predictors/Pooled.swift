public import Specifications

/// Partial pooling: a unit's own prediction shrunk towards the takes of all units. A unit with little history borrows
/// from all the others, and less and less as its history grows.
///
/// Confidence = (n × own + strength × shared) ÷ (n + strength). `own` is the confidence of the base predictor,
/// divided by the sum of its confidences; if its forecast is blind, n is 0. `shared` is the
/// option's share in the takes of all units that followed the same last takes, as many as `context` says:
/// shared(length) = (count + strength × shared(length − 1)) ÷ (count of all present options + strength), and without
/// a context (count + 1) ÷ (count of all present options + number of options). `n` is the number of takes of the unit
/// that followed the same last takes since the study was defined, and without a context its takes of the present
/// options, definitions included. The confidences sum to 1.
///
/// With the base `beauchamp` it is the posterior mean of a Dirichlet-multinomial whose prior is the takes of all
/// units; with contexts it is the hierarchical Dirichlet language model of D. J. C. MacKay and L. C. Bauman Peto, *A
/// hierarchical Dirichlet language model*, Natural Language Engineering 1(3), 1995,
/// https://doi.org/10.1017/S1351324900000218. Shrinkage towards the overall mean: B. Efron and C. Morris, *Data
/// analysis using Stein's estimator and its generalizations*, JASA 70, 1975,
/// https://doi.org/10.1080/01621459.1975.10479864. A base that depends on last takes, such as `markov:order=1`, goes
/// well with a context of the same length. The unit's own takes are among those of all units.
///
/// - Complexity: memory that of the base and O(contexts) for a unit, O(contexts × options) for the study; contexts
///   are at most as many as takes, and as options to the power of `context`.
public struct Pooled: OptionPredictor {
  /// The predictor of a unit by itself.
  public var base = Self.standard
  /// The length of the context in the takes of all units.
  public var context = 0
  /// The number of takes of a unit that those of all units are worth.
  public var strength = 5.0
  public private(set) var emptyPool = Common(base: ExpertPools([Self.standard]))

  // It is prepared here, because the catalog lists pooled predictors.
  private static let standard = Predictor(.compiled(for: Beauchamp()))

  public static let info = SpecificationInfo(
    "pooled", "a predictor for a unit alone, shrunk towards what all units did",
    source: "MacKay and Peto 1995, https://doi.org/10.1017/S1351324900000218; "
      + "Efron and Morris 1975, https://doi.org/10.1080/01621459.1975.10479864",
    example: "pooled:base=(markov:order=1),context=1")

  /// Creates the predictor with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field(
      SpecificationInfo.Parameter("base", "(beauchamp)", "any predictor, in parentheses"),
      read: { (made, specification, predictors) throws(SpecificationError) in
        try specification.refuseDepth(of: "base", "predictors")
        let nested = try specification.nested("base") ?? made.base.specification
        made.base = try predictors.predictor(nested)
      }, write: { "(\($0.base))" },
      check: { (made, name) throws(SpecificationError) in
        try Specification(name, [.init(key: "base", value: "(\(made.base))")])
          .refuseDepth(of: "base", "predictors")
      })
    Field.integer(
      "context", \.context, in: 0...4,
      "how many last takes are looked at in what all did, {range}")
    Field.number(
      "strength", \.strength, in: 1e-6...1e6,
      "how many own takes what all did is worth, 0.000001 to 1000000")
  }

  public mutating func validate() { emptyPool = Common(base: ExpertPools([base])) }

  /// The length of the context, or more if the pool of the base needs more.
  public var poolContext: Int? {
    base.isPooled ? base.poolContext.map { max($0, context) } : context
  }

  public func learn(_ code: UInt64, after recent: RecentTakes, pool: inout Common) {
    pool.base.learn(code, after: recent, of: 0)
    pool.contexts.add(code, after: recent, upTo: context)
  }

  public var beginning: Learning {
    Learning(context: context, strength: strength, base: base.beginning)
  }

  public func fits(_ pool: Common) -> Bool { pool.base.fits([base]) }

  public static func == (a: Pooled, b: Pooled) -> Bool { a.specification == b.specification }

  public func hash(into hasher: inout Hasher) { hasher.combine(specification) }

  /// The takes of all units by context, and the pool of the base.
  public struct Common: OptionPool {
    fileprivate var contexts = KeyedTallies()
    fileprivate var base: ExpertPools
  }
}

extension Pooled {
  /// The base's learning state of the unit, and the amount of evidence.
  public struct Learning: OptionLearning {
    /// The length of the context in the takes of all units.
    public let context: Int
    /// The number of takes of a unit that those of all units are worth.
    public let strength: Double
    fileprivate var base: Predictor.Learning
    /// The unit's takes of each present option.
    fileprivate var takes: [Int] = []
    /// The last takes.
    fileprivate var recent = RecentTakes()
    /// The takes of the unit after each context of the full length.
    fileprivate var followed = OptionTally()

    public var optionCount: Int { takes.count }

    public var isSound: Bool {
      base.isSound && base.optionCount == takes.count && takes.allSatisfy { $0 >= 0 }
        && recent.count <= context
    }

    public mutating func apply(_ change: OptionChange, at time: Int64?) {
      base.apply(change, at: time)
      takes.apply(change)
      if change.startsAnew(leaving: takes.count) { (recent, followed) = (RecentTakes(), OptionTally()) }
    }

    /// Learns a take, for the unit and for all units.
    public mutating func take(_ option: Int, in situation: Situation, pool: inout Common) {
      guard takes.indices.contains(option) else { return }
      pool.base.take(option, in: situation, &base, of: 0)
      takes[option] = takes[option].addingCount(1)
      guard let code = situation.code(at: option) else { return }
      pool.contexts.add(code, after: recent, upTo: context)
      if context > 0, recent.count == context { followed.add(recent.key(context)) }
      recent.append(code, keeping: context)
    }

    /// The forecast is blind if that of the base is, and no present option was ever taken by any unit.
    public func forecast(
      into confidences: inout [Double], in situation: Situation, pool: Common
    ) -> Bool {
      let isBaseBlind = pool.base.forecast(into: &confidences, in: situation, base, of: 0)
      let (count, equal) = (confidences.count, 1 / Double(takes.count))
      // The shares in the takes of all units stand behind the unit's own confidences, in the same buffer.
      for _ in 0..<count { confidences.append(equal) }
      var span = confidences.mutableSpan
      let isPoolBlind = share(&span, from: count, in: situation, pool)
      var sum = 0.0
      for option in 0..<count { sum += span[option] }
      let weight = isBaseBlind || sum <= 0 ? 0 : evidence
      for option in 0..<count {
        let own = weight > 0 ? span[option] / sum : 0
        span[option] = min(
          (weight * own + strength * span[count + option]) / (weight + strength), 1)
      }
      confidences.removeLast(count)
      return isBaseBlind && isPoolBlind
    }

    /// Writes the shares in the takes of all units.
    ///
    /// - Returns: Whether no present option was ever taken by any unit.
    @inline(__always)
    private func share(
      _ shares: inout MutableSpan<Double>, from start: Int, in situation: Situation, _ pool: Common
    ) -> Bool {
      let known = pool.contexts.refine(
        &shares, from: start, after: recent.key(0), in: situation, strength: Double(takes.count))
      for length in 1..<recent.count + 1 {
        _ = pool.contexts.refine(
          &shares, from: start, after: recent.key(length), in: situation, strength: strength)
      }
      return known == 0
    }

    /// The number of takes of the unit behind the base's forecast.
    private var evidence: Double {
      if recent.count == 0 { return takes.total }
      return recent.count == context ? Double(followed[recent.key(context)]) : 0
    }
  }
}

extension Predictor {
  /// A unit's own prediction shrunk towards the takes of all units: ``Prediction/Pooled``.
  ///
  /// - Throws: `SpecificationError` if the base is nested too deeply, or a number is not in its range.
  public static func pooled(
    base: Predictor = .beauchamp, context: Int? = nil, strength: Double? = nil
  ) throws(SpecificationError) -> Predictor {
    Predictor(
      try Pooled {
        $0.base = base
        $0.context = context ?? $0.context
        $0.strength = strength ?? $0.strength
      })
  }
}
