public import Specifications

/// A type-erased predictor.
public struct Predictor: Sendable, CustomStringConvertible {
  private let prepared: PreparedPredictor

  init(_ prepared: PreparedPredictor) { self.prepared = prepared }

  /// Creates a type-erased predictor from a built-in or custom one.
  public init(_ predictor: some OptionPredictor) { prepared = .prepared(predictor) }

  /// Creates the built-in predictor that a specification describes.
  ///
  /// - Throws: `SpecificationError` if no predictor has that name or a parameter is invalid.
  public init(_ specification: Specification) throws(SpecificationError) {
    self = try PredictorCatalog.standard.predictor(specification)
  }

  /// The specification of the predictor, with all its parameters.
  public var specification: Specification { prepared.base.specification }

  /// The specification as text, such as `markov:order=1`.
  public var description: String { specification.description }

  /// Whether the predictor learns across units.
  public var isPooled: Bool { prepared.base.isPooled }

  /// Returns whether a pool belongs to this predictor.
  public func takes(_ common: any OptionPool) -> Bool { prepared.base.takes(common) }

  /// Whether the predictor uses the features of the unit.
  public var wantsFeatures: Bool { prepared.base.wantsFeatures }

  /// The number of last takes of a unit from which its next one is learned by the pool
  /// (``OptionPredictor/poolContext``), at most ``RecentTakes/most``.
  public var poolContext: Int? {
    prepared.base.poolContext.flatMap { 0...RecentTakes.most ~= $0 ? $0 : nil }
  }

  /// The learning state before the first event, without options.
  public var beginning: Learning { Learning(predictor: self, memory: prepared.beginning) }

  /// Returns an evaluation of the predictor.
  public func evaluation(_ plan: EvaluationPlan) -> PredictorEvaluation { evaluation(plan, .all) }

  /// Returns an evaluation of the predictor on a slice of the runs.
  package func evaluation(_ plan: EvaluationPlan, _ slice: RunSlice) -> PredictorEvaluation {
    prepared.makeEvaluation(plan, slice)
  }

  /// Lets a pool of any type learn a take of a unit whose learning state is elsewhere.
  func learn(_ code: UInt64, after recent: RecentTakes, sharing pool: inout (any OptionPool)?) {
    prepared.base.learn(code, after: recent, sharing: &pool)
  }

  /// The wrapped predictor, for predictors that are composed of others.
  var base: any OptionPredictor { prepared.base }
}

extension Predictor: Hashable {
  public static func == (a: Predictor, b: Predictor) -> Bool { a.specification == b.specification }

  public func hash(into hasher: inout Hasher) { hasher.combine(specification) }
}

extension Predictor: Codable {
  /// Decodes the specification as text, and finds the predictor in the catalog of the decoder:
  /// ``Catalog/userInfoKey``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = try PredictorCatalog.of(decoder).named(try container.decode(String.self))
    } catch let error as SpecificationError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }

  /// Encodes the specification as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
