public import Statistics

/// The predictors that a specification such as `half-life:days=5` can name.
///
/// ``standard`` has the built-in ones. A program that has predictors of its own adds them, and names them, alone or
/// within ``Mixture`` and ``Pooled``, through the catalog.
public struct PredictorCatalog: Sendable {
  let entries: [PredictorEntry]

  /// The built-in predictors.
  public static let standard = PredictorCatalog(entries: Predictors.entries)

  /// Returns the catalog with one more predictor, which replaces a predictor of the same name.
  ///
  /// - Parameter type: The predictor.
  /// - Returns: The catalog in which ``named(_:)`` finds the predictor by the name in its ``OptionPredictor/info``.
  public func adding<P: OptionPredictor>(_ type: P.Type) -> PredictorCatalog {
    adding(PredictorEntry(type))
  }

  /// Returns the catalog with one more predictor that is made of others, which replaces a predictor of the same name.
  public func adding<P: WrappingPredictor>(_ type: P.Type) -> PredictorCatalog {
    adding(PredictorEntry(type))
  }

  private func adding(_ entry: PredictorEntry) -> PredictorCatalog {
    PredictorCatalog(entries: entries.filter { $0.info.name != entry.info.name } + [entry])
  }

  /// The name, parameters and source of each predictor, sorted by name.
  public var all: [SpecificationInfo] { entries.map(\.info).sorted { $0.name < $1.name } }

  /// Returns the predictor that a text such as `half-life:days=5` names; a parameter left out has its default.
  ///
  /// - Throws: `SpecificationError` if no predictor has that name or a parameter is invalid.
  public func named(_ text: String) throws(SpecificationError) -> Predictor {
    try predictor(Specification(parsing: text))
  }

  /// Returns the predictor that a specification names.
  ///
  /// - Throws: `SpecificationError` if no predictor has that name or a parameter is invalid.
  public func predictor(_ specification: Specification) throws(SpecificationError) -> Predictor {
    guard let entry = entries.first(where: { $0.info.name == specification.name }) else {
      throw SpecificationError(
        "there is no predictor \"\(specification.name)\""
          + NearestName.choices(for: specification.name, among: all.map(\.name)))
    }
    try specification.requireKeys(among: entry.info.parameters.map(\.key))
    return Predictor(try entry.make(specification, self))
  }
}

extension PredictorCatalog {
  /// The key in a decoder's `userInfo` of the catalog that finds the predictors it reads; without it, that is
  /// ``standard``.
  public static let userInfoKey = CodingUserInfoKey(rawValue: "PredictorCatalog")

  static func of(_ decoder: any Decoder) -> PredictorCatalog {
    userInfoKey.flatMap { decoder.userInfo[$0] as? PredictorCatalog } ?? .standard
  }
}

/// A predictor that is made of others, which its specification names.
public protocol WrappingPredictor: OptionPredictor {
  /// Makes the predictor from a specification.
  ///
  /// - Parameters:
  ///   - specification: The name and the parameters, whose keys are known to be in ``info``.
  ///   - predictors: The predictors that it may be made of.
  /// - Throws: `SpecificationError` if a value cannot be used.
  init(
    _ specification: Specification, predictors: PredictorCatalog
  ) throws(SpecificationError)
}

extension WrappingPredictor {
  /// Makes the predictor of built-in ones.
  ///
  /// - Throws: `SpecificationError` if a value cannot be used.
  public init(_ specification: Specification) throws(SpecificationError) {
    try self.init(specification, predictors: .standard)
  }
}
