public import Specifications

/// A mixture of experts: several predictors, weighted by how well each has predicted so far.
///
/// Confidence = Σ weight(expert) × share(expert, option). The confidences of an expert need not sum to 1, so each is
/// divided by their sum and mixed with a floor: share = (1 − floor) × confidence ÷ sum + floor ÷ number of options;
/// if an expert gives every option confidence 0, each option has the same share. At each take the weight of an expert
/// is multiplied by (its share of the option taken)^rate, before any expert learns the take, and the weights are
/// normalised. Then the part `share` of each weight is distributed equally over all experts, so that an expert that
/// was wrong for long regains weight soon when the behaviour changes. If `share` is 0 and the rate 1, the weights are
/// the posterior probabilities of the experts, and the log loss is at most ln(experts) above that of the best one.
/// The weights are those of one study of one unit, and start equal whenever the study is defined.
///
/// Aggregation: V. Vovk, *Aggregating strategies*, COLT 1990; N. Cesa-Bianchi and G. Lugosi, *Prediction, learning,
/// and games*, 2006, chapters 2, 3 and 9, https://doi.org/10.1017/CBO9780511546921. Sharing: M. Herbster and
/// M. K. Warmuth, *Tracking the best expert*, Machine Learning 32, 1998, https://doi.org/10.1023/A:1007424614876.
///
/// The confidences sum to 1. The mixture learns across units if any of its experts does.
///
/// - Complexity: that of all experts, twice for each take; memory that of all experts.
public struct Mixture: OptionPredictor {
  /// The maximum number of experts.
  public static let mostExperts = 64

  /// The predictors of the mixture.
  public var experts = Self.standard
  /// The learning rate of the weights: 1 for Bayesian posterior weights.
  public var rate = 1.0
  /// The part of its weight that each expert shares with all.
  public var share = 0.0
  /// The part of each expert's confidence that is uniform over options.
  public var floor = 0.01
  /// The empty pools of the experts.
  public private(set) var emptyPool = ExpertPools(Self.standard)
  /// Whether any of the experts learns across units.
  public private(set) var isPooled = false

  // They are prepared here, because the catalog lists the mixture.
  private static let standard = [
    Predictor(.compiled(for: Beauchamp())), Predictor(.compiled(for: HalfLife())),
    Predictor(.compiled(for: LastTaken())), Predictor(.compiled(for: Markov())),
    Predictor(.compiled(for: PartialMatching())),
  ]

  public static let info = SpecificationInfo(
    "mixture", "several predictors, weighted by how well each predicted so far",
    source: "Cesa-Bianchi and Lugosi 2006, https://doi.org/10.1017/CBO9780511546921; "
      + "Herbster and Warmuth 1998, https://doi.org/10.1023/A:1007424614876",
    example: "mixture:experts=(last);(markov:order=2)")

  /// Creates the predictor with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field(
      SpecificationInfo.Parameter(
        "experts", text(standard), "predictors in parentheses, with semicolons, at most 64"),
      read: { (made, specification, predictors) throws(SpecificationError) in
        let list = try list(specification) ?? made.experts.map(\.specification)
        made.experts = []
        for expert in list { made.experts.append(try predictors.predictor(expert)) }
      }, write: { text($0.experts) },
      check: { (made, name) throws(SpecificationError) in
        _ = try list(Specification(name, [.init(key: "experts", value: text(made.experts))]))
      })
    Field.number(
      "rate", \.rate, in: 0.0...100.0, "how fast weights follow the log losses, {range}; 1 for Bayes")
    Field.number(
      "share", \.share, in: 0...1,
      "what part of its weight each shares with all at each take, {range}")
    Field.number(
      "floor", \.floor, in: 1e-9...0.5, "what part of an expert's confidence is uniform, {range}")
  }

  public mutating func validate() {
    emptyPool = ExpertPools(experts)
    isPooled = experts.contains(where: \.isPooled)
  }

  private static func text(_ experts: [Predictor]) -> String {
    experts.map { "(\($0))" }.joined(separator: ";")
  }

  /// Parses the list of experts, unless they are too many or nested too deeply; nil if it is not given.
  private static func list(
    _ specification: Specification
  ) throws(SpecificationError) -> [Specification]? {
    let list = try specification.nestedList("experts", "predictors")
    if let list, list.count > mostExperts {
      throw SpecificationError("mixture has \(list.count) experts; \(mostExperts) are the most")
    }
    return list
  }

  /// As many last takes as the pools of the experts need.
  public var poolContext: Int? {
    var most = 0
    for expert in experts where expert.isPooled {
      guard let length = expert.poolContext else { return nil }
      most = max(most, length)
    }
    return most
  }

  public func learn(_ code: UInt64, after recent: RecentTakes, pool: inout ExpertPools) {
    for expert in experts.indices { pool.learn(code, after: recent, of: expert) }
  }

  /// Whether any of the experts uses the features of the unit.
  public var wantsFeatures: Bool { experts.contains(where: \.wantsFeatures) }

  /// No options, and the same weight for each expert.
  public var beginning: Learning {
    Learning(rate: rate, share: share, floor: floor, experts: experts.map(\.beginning))
  }

  public func fits(_ pool: ExpertPools) -> Bool { pool.fits(experts) }

  public static func == (a: Mixture, b: Mixture) -> Bool { a.specification == b.specification }

  public func hash(into hasher: inout Hasher) { hasher.combine(specification) }
}

extension Predictor {
  /// A mixture of predictors, weighted by how well each has predicted so far: ``Prediction/Mixture``.
  ///
  /// - Throws: `SpecificationError` if there is no expert, there are too many or they are nested too deeply, or a
  ///   number is not in its range.
  public static func mixture(
    _ experts: [Predictor], rate: Double? = nil, share: Double? = nil, floor: Double? = nil
  ) throws(SpecificationError) -> Predictor {
    Predictor(
      try Mixture {
        $0.experts = experts
        $0.rate = rate ?? $0.rate
        $0.share = share ?? $0.share
        $0.floor = floor ?? $0.floor
      })
  }
}
