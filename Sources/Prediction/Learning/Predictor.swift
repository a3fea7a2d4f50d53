public import Statistics

/// A predictor of whatever type, for code that lets its user choose.
public struct Predictor: Sendable, CustomStringConvertible {
  private let prepared: PreparedPredictor

  init(_ prepared: PreparedPredictor) { self.prepared = prepared }

  /// Makes a predictor of one whose type is known, built-in or not.
  public init(_ predictor: some OptionPredictor) { prepared = PreparedPredictor(predictor) }

  /// Makes the built-in predictor that a specification names.
  ///
  /// - Throws: `SpecificationError` if no predictor has that name or a parameter is invalid.
  public init(_ specification: Specification) throws(SpecificationError) {
    self = try PredictorCatalog.standard.predictor(specification)
  }

  /// How the predictor is written, with all its parameters.
  public var specification: Specification { prepared.base.specification }

  /// The specification as it is written, such as `markov:order=1`.
  public var description: String { specification.description }

  /// Whether units learn from each other.
  public var isPooled: Bool { prepared.base.isPooled }

  /// Whether this predictor learned what units have in common.
  public func takes(_ common: any OptionPool) -> Bool { prepared.base.takes(common) }

  /// Whether it looks at what is known of the unit.
  public var wantsFeatures: Bool { prepared.base.wantsFeatures }

  /// No options, and nothing known of other units.
  public var beginning: Learning { Learning(predictor: self, memory: prepared.beginning) }

  /// What evaluates the predictor.
  public func evaluation(_ plan: EvaluationPlan) -> PredictorEvaluation {
    prepared.makeEvaluation(plan)
  }

  /// The predictor by its type, for predictors that are made of others.
  var base: any OptionPredictor { prepared.base }
}

extension Predictor: Hashable {
  /// Whether both are written alike.
  public static func == (a: Predictor, b: Predictor) -> Bool { a.specification == b.specification }

  /// Hashes how it is written.
  public func hash(into hasher: inout Hasher) { hasher.combine(specification) }
}

extension Predictor: Codable {
  /// Reads the specification as text, and finds the predictor in the catalog of the decoder:
  /// ``PredictorCatalog/userInfoKey``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = try PredictorCatalog.of(decoder).named(try container.decode(String.self))
    } catch let error as SpecificationError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }

  /// Writes the specification as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
