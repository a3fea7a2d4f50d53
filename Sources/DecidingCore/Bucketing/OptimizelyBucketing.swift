/// The bucketing of Optimizely's SDKs, to verify or take over their assignments.
///
/// The numbers are those that all its SDKs are tested with (`testHashIsCompliant` in
/// https://github.com/optimizely/swift-sdk). A unit gets the first entry of the traffic allocation whose
/// `endOfRange` is greater than its number.
public enum OptimizelyBucketing {
  /// Returns the number in 0 ..< 10,000: murmur3 with seed 1 of the concatenated bucketing id and entity id,
  /// as a share of 2³², in ten-thousandths rounded down.
  ///
  /// - Parameters:
  ///   - bucketingID: The user's id, or the `$opt_bucketing_id` attribute where it is given.
  ///   - entityID: The id of the experiment, rollout rule or group.
  /// - Returns: The number.
  public static func bucket(of bucketingID: String, entityID: String) -> Int {
    Int((UInt64(Murmur3.hash32(bucketingID + entityID, seed: 1)) * 10_000) >> 32)
  }
}
