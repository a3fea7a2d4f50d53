/// The purpose of a learned policy: its data, objective and choices.
public struct PolicyProblem: Sendable, Hashable {
  /// The names of the slots.
  public var slots: [String]
  /// The names of the variants.
  public var variants: [String]
  /// The features.
  public var map: FeatureMap

  /// Creates a problem.
  public init(slots: [String], variants: [String], map: FeatureMap) {
    (self.slots, self.variants, self.map) = (slots, variants, map)
  }
}
