/// A goal not tied to one experiment.
public struct Conversion: Hashable, Sendable {
  /// The goal that was reached.
  public var goal: GoalID
  /// Revenue in the currency of the source; nil when none was recorded.
  public var revenue: Double?
  /// Whether the conversion is marked as the reversal of an earlier one; false when nil. See ``isReversal``.
  public var negative: Bool?
  /// Additional attributes.
  public var metadata: Attributes?

  /// Creates a conversion.
  public init(
    goal: GoalID, revenue: Double? = nil, negative: Bool? = nil, metadata: Attributes? = nil
  ) {
    self.goal = goal
    self.revenue = revenue
    self.negative = negative
    self.metadata = metadata
  }

  /// Whether the conversion is negative: it is marked as ``negative``, or its revenue is below zero.
  public var isReversal: Bool { Self.isReversal(revenue: revenue, negative: negative) }

  /// The revenue that counts: that of a negative conversion is subtracted, whatever its sign. Without one, nil.
  public var signedRevenue: Double? {
    revenue.map { Self.signed($0, isNegative: isReversal) }
  }

  /// Returns whether a conversion is negative, which is never that of a converter: it is marked as such, or its revenue
  /// is below zero.
  @inlinable
  public static func isReversal(revenue: Double?, negative: Bool?) -> Bool {
    negative == true || (revenue ?? 0) < 0
  }

  /// Returns the revenue of a conversion as it counts: that of a negative one is subtracted, whatever its sign.
  @inlinable
  public static func signed(_ revenue: Double, isNegative: Bool) -> Double {
    isNegative ? -revenue.magnitude : revenue
  }
}

extension EventRecord {
  /// Whether it is a negative conversion; see ``Conversion/isReversal``.
  package var isReversal: Bool { Conversion.isReversal(revenue: revenue, negative: negative) }
}
