/// The bucketing of GrowthBook's SDKs, to verify or take over their assignments.
///
/// The numbers are those of the `hash` cases that all its SDKs are tested with, at
/// https://docs.growthbook.io/lib/build-your-own. An SDK assigns the variation whose range of `0 ..< 1`
/// contains the number; the ranges are contiguous, in the order of the weights.
public enum GrowthBookBucketing {
  /// The version of the algorithm: the `hashVersion` of an experiment.
  public enum Version: Int, Sendable, CaseIterable {
    /// Version 1: FNV-1a of the value and the seed, in thousandths. It is biased between experiments that run
    /// in parallel.
    case one = 1
    /// Version 2: FNV-1a of the decimal FNV-1a of the seed and the value, in ten-thousandths.
    case two = 2
  }

  /// Returns the number in [0, 1) by which a unit is assigned.
  ///
  /// Each UTF-16 code unit is one round of the hash, as in GrowthBook's JavaScript SDK; for non-ASCII text
  /// its SDKs in other languages may differ.
  ///
  /// - Parameters:
  ///   - value: The value of the hash attribute, such as the user's id.
  ///   - seed: The experiment's seed, or its key if it has none.
  ///   - version: The version of the algorithm.
  /// - Returns: A multiple of .001 or .0001.
  public static func place(of value: String, seed: String, version: Version) -> Double {
    switch version {
    case .one:
      return Double(FNV1a.hash32((value + seed).utf16) % 1000) / 1000
    case .two:
      let first = FNV1a.hash32((seed + value).utf16)
      return Double(FNV1a.hash32(String(first).utf16) % 10_000) / 10_000
    }
  }
}
