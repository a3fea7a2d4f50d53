/// Where LaunchDarkly's SDKs put a unit, for those who check what an SDK did or take its assignments over.
///
/// The numbers are those that its SDKs are tested with (`EvaluatorBucketing` in
/// https://github.com/launchdarkly/ruby-server-sdk). A unit gets the first variation for which its number is less than the sum
/// of the weights, in hundred-thousandths, up to and including its own.
public enum LaunchDarklyBucketing {
  /// The number in 0 ... 1 of a rollout without a seed: SHA-1 of `flag.salt.unit`.
  ///
  /// - Parameters:
  ///   - unit: The value of the attribute that the rollout buckets by, the key as a rule.
  ///   - flag: The key of the flag, or of the segment.
  ///   - salt: The salt of the flag or segment.
  /// - Returns: The first 60 bits of the digest over 2⁶⁰.
  public static func place(of unit: String, flag: String, salt: String) -> Double {
    place("\(flag).\(salt).\(unit)")
  }

  /// The number in 0 ... 1 of a rollout or experiment with a seed: SHA-1 of `seed.unit`.
  ///
  /// - Parameters:
  ///   - unit: The value of the attribute that the rollout buckets by, the key as a rule.
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
