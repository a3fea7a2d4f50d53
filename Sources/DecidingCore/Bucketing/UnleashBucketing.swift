/// The bucketing of Unleash's SDKs, to verify or take over their assignments.
///
/// The numbers are those of Unleash's client specification, https://github.com/Unleash/client-specification:
/// a gradual rollout includes a unit whose number is at most its percentage, and a variant the units whose
/// number is at most the cumulative weight.
public enum UnleashBucketing {
  /// Returns the number in 1 ... 100 of a gradual rollout: murmur3 of `group:unit`, normalized.
  ///
  /// - Parameters:
  ///   - unit: The user's or session's id.
  ///   - group: The `groupId` of the strategy.
  /// - Returns: The number.
  public static func rollout(of unit: String, group: String) -> Int {
    normalized(unit, group, below: 100, seed: 0)
  }

  /// Returns the number in 1 ... `weights` that picks a variant: murmur3 with a separate seed, so that
  /// variants are independent of membership in the rollout.
  ///
  /// - Parameters:
  ///   - unit: The user's or session's id.
  ///   - group: The name of the feature, or the `groupId` of the strategy that has the variants.
  ///   - weights: The sum of the variants' weights, usually 1000.
  /// - Returns: The number; nil when the sum is not in 1 ... 2³² - 1.
  public static func variant(of unit: String, group: String, weights: Int = 1000) -> Int? {
    guard let weights = UInt32(exactly: weights), weights > 0 else { return nil }
    return normalized(unit, group, below: weights, seed: 86_028_157)
  }

  private static func normalized(
    _ unit: String, _ group: String, below count: UInt32, seed: UInt32
  ) -> Int {
    Int(Murmur3.hash32("\(group):\(unit)", seed: seed) % count) + 1
  }
}
