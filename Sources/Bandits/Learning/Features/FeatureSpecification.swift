public import Specifications

/// The features that models and policies see of a decision and a variant, declared once for evaluation, learning,
/// environments made of logs, and warm starts.
///
/// The textual form is a list of terms separated by `+`, such as `number(age)+one-hot(country)+cross(country,slot)`. A
/// plus sign separates nothing else in a specification, so the list needs no further parentheses as the value of a
/// parameter, where commas and semicolons are taken: the commas of a term are protected by its own parentheses. An
/// intercept, which is always 1, is the first column of every list.
///
/// | term | columns |
/// |---|---|
/// | `number(A)` | the number, 0 if absent; and 1 if present, unless it always is |
/// | `standardized(A)` | the same after subtraction of the mean and division by the population standard deviation |
/// | `one-hot(A)`, `one-hot(A,K)` | 1 for the value in one of K columns (200), all zero if absent |
/// | `cross(F,G,...)`, `cross(F,G,...,K)` | the same for combinations of values, times the numbers among the factors |
/// | `hash(A,...,N)` | 1 or −1, by a hash of the values, in one of N columns; all zero if one is absent |
///
/// An attribute A is `variant`, `slot`, `features.NAME` for a feature of the variant, or NAME or `context.NAME` for the
/// context. A factor is an attribute, `number(A)` or `standardized(A)`; a cross with an absent factor is all zero. Of
/// the values that a ``FeatureSurvey`` counted, the K most frequent have a column of their own, equal counts in
/// bytewise order; all others share one column, which exists only if there were others. Names have no commas and
/// parentheses.
public struct FeatureSpecification: Hashable, Sendable, CustomStringConvertible {
  /// The terms after the intercept.
  let terms: [FeatureTerm]
  /// The attributes that the terms read, in the order in which they first occur. A row has a cell for each.
  public let sources: [FeatureSource]

  /// Parses a specification; an empty text has only the intercept.
  ///
  /// - Throws: `SpecificationError` for an unknown term, invalid arguments, a repeated term, or more than 100 terms.
  public init(parsing text: String) throws(SpecificationError) {
    var terms: [FeatureTerm] = []
    if !text.isEmpty {
      guard let parts = Specification.parts(of: text[...], at: "+") else {
        throw SpecificationError("the features \"\(text)\" have parentheses that do not match")
      }
      for part in parts {
        let term = try FeatureTerm(parsing: part)
        guard !terms.contains(term) else {
          throw SpecificationError("the feature \(term) is given twice in \"\(text)\"; keep one")
        }
        terms.append(term)
      }
    }
    guard terms.count <= 100 else {
      throw SpecificationError("there are \(terms.count) features; 100 are the most")
    }
    self.init(terms: terms)
  }

  init(terms: [FeatureTerm]) {
    self.terms = terms
    var sources: [FeatureSource] = []
    for source in terms.flatMap({ $0.numbers.map(\.source) + $0.categories })
    where !sources.contains(source) {
      sources.append(source)
    }
    self.sources = sources
  }

  /// The textual form, without defaults.
  public var description: String { terms.map(\.description).joined(separator: "+") }

  /// Whether all choices of a decision have the same features.
  public var isShared: Bool { sources.allSatisfy(\.isShared) }

  /// Returns whether some term counts the values of a source.
  func counts(_ source: FeatureSource) -> Bool {
    terms.contains { $0.kind != .hash && $0.categories.contains(source) }
  }

  /// Returns whether some term hashes the values of a source.
  func hashes(_ source: FeatureSource) -> Bool {
    terms.contains { $0.kind == .hash && $0.categories.contains(source) }
  }

  /// Declares the parameter of a policy or a model that takes features.
  public static func parameter(
    _ key: String = "features", default standard: FeatureSpecification
  ) -> Parameter<FeatureSpecification> {
    Parameter(
      SpecificationInfo.Parameter(
        key, standard.description, "terms such as number(age)+one-hot(country), separated by +"),
      read: { (specification) throws(SpecificationError) in
        guard let text = specification[key] else { return standard }
        return try FeatureSpecification(parsing: text)
      }, write: \.description)
  }

  /// `one-hot(slot)+one-hot(variant)`, which any log has.
  public static let standard = FeatureSpecification(
    terms: [.slot, .variant].map {
      FeatureTerm(
        kind: .oneHot, categories: [$0], numbers: [], limit: FeatureTerm.standardLimit)
    })
}
