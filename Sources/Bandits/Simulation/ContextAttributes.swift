/// The attributes of units and variants that an environment made of a log has in each of its contexts, for policies that
/// choose by attributes rather than by the numbers of ``Context``.
public struct ContextAttributes: Hashable, Sendable {
  /// The attributes: neither `variant` nor `slot`.
  public let sources: [FeatureSource]
  /// By ``Context/number``, then by variant, the value of each attribute; a single row for contexts whose values are
  /// the same for all variants.
  private let contexts: [[[FeatureValue?]]]

  /// Creates attributes.
  ///
  /// - Parameters:
  ///   - sources: The attributes.
  ///   - contexts: For each context, by its number, the values of the attributes: a row for each variant, or a
  ///     single row if all variants have the same values.
  public init(_ sources: [FeatureSource], contexts: [[[FeatureValue?]]]) {
    (self.sources, self.contexts) = (sources, contexts)
  }

  /// The number of contexts.
  public var count: Int { contexts.count }

  /// Returns the value of the attribute at an index of ``sources``; nil if absent.
  ///
  /// - Parameters:
  ///   - source: The index of the attribute.
  ///   - variant: The index of the variant.
  ///   - context: The number of the context.
  /// - Returns: The value.
  public func value(_ source: Int, of variant: Int, in context: Int) -> FeatureValue? {
    guard contexts.indices.contains(context), let first = contexts[context].first else {
      return nil
    }
    let row = contexts[context].count == 1 ? first : contexts[context][variant]
    return row[source]
  }
}
