/// The bucketing of LaunchDarkly's SDKs, to verify or take over their assignments.
///
/// The numbers are those that its SDKs are tested with (`EvaluatorBucketing` in
/// https://github.com/launchdarkly/ruby-server-sdk). A unit gets the first variation for which its number is
/// less than the cumulative weight, in hundred-thousandths.
public enum LaunchDarklyBucketing {
  /// Returns the number in 0 ... 1 of a rollout without a seed: SHA-1 of `flag.salt.unit`.
  ///
  /// - Parameters:
  ///   - unit: The value of the attribute that the rollout buckets by, usually the key.
  ///   - flag: The key of the flag, or of the segment.
  ///   - salt: The salt of the flag or segment.
  /// - Returns: The first 60 bits of the digest over 2⁶⁰.
  public static func place(of unit: String, flag: String, salt: String) -> Double {
    place("\(flag).\(salt).\(unit)")
  }

  /// Returns the number in 0 ... 1 of a rollout or experiment with a seed: SHA-1 of `seed.unit`.
  ///
  /// - Parameters:
  ///   - unit: The value of the attribute that the rollout buckets by, usually the key.
  ///   - seed: The seed of the rollout.
  /// - Returns: The first 60 bits of the digest over 2⁶⁰.
  public static func place(of unit: String, seed: Int) -> Double {
    place("\(seed).\(unit)")
  }

  private static func place(_ text: String) -> Double {
    // The SDKs divide by 2⁶⁰ - 1, which in a Double is 2⁶⁰.
    Double(SHA1.first64(text) >> 4) * 0x1p-60
  }
}
