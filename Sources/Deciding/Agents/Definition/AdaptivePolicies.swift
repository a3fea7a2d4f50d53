internal import Bandits
internal import Statistics

/// Where an agent finds its learning policy.
enum AdaptivePolicies {
  /// The policy that is written so.
  static func named(_ text: String) throws(SpecificationError) -> any AllocationPolicy {
    try AllocationPolicies.named(text)
  }
}
