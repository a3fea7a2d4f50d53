public import Specifications

/// The predictors that a specification such as `half-life:days=5` can name.
///
/// ``Catalog/standard`` has the built-in ones. A program with predictors of its own adds them, and names them, alone or
/// within ``Mixture`` and ``Pooled``, through the catalog.
public typealias PredictorCatalog = Catalog<PredictorEntry>

extension PredictorCatalog {
  /// The built-in predictors.
  public static var standard: PredictorCatalog { Predictors.catalog }

  /// Returns the catalog with a predictor added, replacing any predictor of the same name.
  public func adding<P: OptionPredictor>(_ type: P.Type) -> PredictorCatalog {
    adding(PredictorEntry(type))
  }

  /// Returns the predictor that a text such as `half-life:days=5` describes; omitted parameters have their defaults.
  ///
  /// - Throws: `SpecificationError` if no predictor has that name or a parameter is invalid.
  public func named(_ text: String) throws(SpecificationError) -> Predictor {
    try predictor(Specification(parsing: text))
  }

  /// Returns the predictor that a specification describes.
  ///
  /// - Throws: `SpecificationError` if no predictor has that name or a parameter is invalid.
  public func predictor(_ specification: Specification) throws(SpecificationError) -> Predictor {
    Predictor(try entry(named: specification.name).make(specification, self))
  }

  /// The key in a decoder's `userInfo` of the catalog for decoded predictors; ``standard`` if it is not set.
  public static var userInfoKey: CodingUserInfoKey? {
    CodingUserInfoKey(rawValue: "PredictorCatalog")
  }

  /// The `userInfo` of a decoder that finds predictors in the catalog.
  package var userInfo: [CodingUserInfoKey: Any] {
    Self.userInfoKey.map { [$0: self] } ?? [:]
  }

  static func of(_ decoder: any Decoder) -> PredictorCatalog {
    userInfoKey.flatMap { decoder.userInfo[$0] as? PredictorCatalog } ?? .standard
  }
}
