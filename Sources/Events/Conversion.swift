/// A goal not tied to one experiment.
public struct Conversion: Hashable, Sendable {
  /// Which goal was reached.
  public var goal: GoalID
  /// Revenue in the currency of the source; nil when none was recorded.
  public var revenue: Double?
  /// Whether the conversion takes an earlier one back; false when nil.
  public var negative: Bool?
  /// Anything else that was known of it.
  public var metadata: Attributes?

  /// Makes a conversion.
  public init(
    goal: GoalID, revenue: Double? = nil, negative: Bool? = nil, metadata: Attributes? = nil
  ) {
    self.goal = goal
    self.revenue = revenue
    self.negative = negative
    self.metadata = metadata
  }
}
