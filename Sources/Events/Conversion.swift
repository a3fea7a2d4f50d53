/// A goal not tied to one experiment.
public struct Conversion: Hashable, Sendable {
  /// The goal that was reached.
  public var goal: GoalID
  /// Revenue in the currency of the source; nil when none was recorded.
  public var revenue: Double?
  /// Whether the conversion reverses an earlier one; false when nil.
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

  /// The revenue that counts: that of a negative conversion is subtracted, whatever its sign. Without one, nil.
  public var signedRevenue: Double? {
    revenue.map { Self.signed($0, isNegative: negative == true) }
  }

  /// Returns the revenue of a conversion as it counts: that of a negative one is subtracted, whatever its sign.
  @inlinable
  public static func signed(_ revenue: Double, isNegative: Bool) -> Double {
    isNegative ? -revenue.magnitude : revenue
  }
}
