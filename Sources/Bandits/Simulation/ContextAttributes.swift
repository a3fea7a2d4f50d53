/// The attributes of units and variants that an environment made of a log has in each of its contexts, for policies
/// that choose by attributes rather than by the numbers of ``Context``.
///
/// Two are equal if they have the same attributes and number of contexts.
public struct ContextAttributes: Sendable {
  /// The attributes: neither `variant` nor `slot`.
  public let sources: [FeatureSource]
  /// The number of contexts.
  public let count: Int
  private let find: @Sendable (_ source: Int, _ variant: Int, _ context: Int) -> FeatureValue?

  /// Creates attributes.
  ///
  /// - Parameters:
  ///   - sources: The attributes.
  ///   - count: The number of contexts.
  ///   - value: Returns the value of the attribute at an index of the sources, for the variant at an index, in the
  ///     context with a ``Context/number``; nil if absent.
  public init(
    _ sources: [FeatureSource], count: Int,
    value: @escaping @Sendable (_ source: Int, _ variant: Int, _ context: Int) -> FeatureValue?
  ) {
    (self.sources, self.count) = (sources, count)
    find = value
  }

  /// Returns the value of the attribute at an index of ``sources``; nil if absent, or without such a context.
  ///
  /// - Parameters:
  ///   - source: The index of the attribute.
  ///   - variant: The index of the variant.
  ///   - context: The number of the context.
  /// - Returns: The value.
  public func value(_ source: Int, of variant: Int, in context: Int) -> FeatureValue? {
    context >= 0 && context < count ? find(source, variant, context) : nil
  }
}

extension ContextAttributes: Hashable {
  public static func == (a: ContextAttributes, b: ContextAttributes) -> Bool {
    a.sources == b.sources && a.count == b.count
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(sources)
    hasher.combine(count)
  }
}
