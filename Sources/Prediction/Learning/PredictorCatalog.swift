public import Specifications

/// The predictors that a specification such as `half-life:days=5` can name.
///
/// ``standard`` has the built-in ones. A program with predictors of its own adds them, and names them, alone or
/// within ``Mixture`` and ``Pooled``, through the catalog.
public struct PredictorCatalog: Sendable {
  let entries: [PredictorEntry]

  /// The built-in predictors.
  public static let standard = PredictorCatalog(entries: Predictors.entries)

  /// Returns the catalog with a predictor added, replacing any predictor of the same name.
  ///
  /// - Parameter type: The type of the predictor.
  /// - Returns: The catalog in which ``named(_:)`` finds the predictor by the name in its ``OptionPredictor/info``.
  public func adding<P: OptionPredictor>(_ type: P.Type) -> PredictorCatalog {
    adding(PredictorEntry(type))
  }

  /// Returns the catalog with a wrapping predictor added, replacing any predictor of the same name.
  public func adding<P: WrappingPredictor>(_ type: P.Type) -> PredictorCatalog {
    adding(PredictorEntry(type))
  }

  private func adding(_ entry: PredictorEntry) -> PredictorCatalog {
    PredictorCatalog(entries: entries.filter { $0.info.name != entry.info.name } + [entry])
  }

  /// The name, summary, parameters and citation of each predictor, sorted by name.
  public var all: [SpecificationInfo] { entries.map(\.info).sorted { $0.name < $1.name } }

  /// Returns the predictor that a specification such as `half-life:days=5` describes; omitted parameters have their
  /// defaults.
  ///
  /// - Throws: `SpecificationError` if no predictor has that name or a parameter is invalid.
  public func named(_ text: String) throws(SpecificationError) -> Predictor {
    try predictor(Specification(parsing: text))
  }

  /// Returns the predictor that a specification describes.
  ///
  /// - Throws: `SpecificationError` if no predictor has that name or a parameter is invalid.
  public func predictor(_ specification: Specification) throws(SpecificationError) -> Predictor {
    guard let entry = entries.first(where: { $0.info.name == specification.name }) else {
      throw SpecificationError(
        NearestName.unknown("predictor", specification.name, among: all.map(\.name)))
    }
    try specification.requireKeys(among: entry.info.parameters.map(\.key))
    return Predictor(try entry.make(specification, self))
  }
}

extension PredictorCatalog {
  /// The key in a decoder's `userInfo` of the catalog for decoded predictors; ``standard`` if it is not set.
  public static let userInfoKey = CodingUserInfoKey(rawValue: "PredictorCatalog")

  /// The `userInfo` of a decoder that finds predictors in the catalog.
  package var userInfo: [CodingUserInfoKey: Any] {
    Self.userInfoKey.map { [$0: self] } ?? [:]
  }

  static func of(_ decoder: any Decoder) -> PredictorCatalog {
    userInfoKey.flatMap { decoder.userInfo[$0] as? PredictorCatalog } ?? .standard
  }
}

/// A predictor that wraps other predictors, which its specification names.
public protocol WrappingPredictor: OptionPredictor {
  /// Creates the predictor that a specification describes.
  ///
  /// - Parameters:
  ///   - specification: The name and the parameters, whose keys are known to be in ``OptionPredictor/info``.
  ///   - predictors: The catalog of predictors that it can wrap.
  /// - Throws: `SpecificationError` if a parameter is invalid.
  init(
    _ specification: Specification, predictors: PredictorCatalog
  ) throws(SpecificationError)
}

extension WrappingPredictor {
  /// Creates the predictor from built-in ones.
  ///
  /// - Throws: `SpecificationError` if a parameter is invalid.
  public init(_ specification: Specification) throws(SpecificationError) {
    try self.init(specification, predictors: .standard)
  }
}
