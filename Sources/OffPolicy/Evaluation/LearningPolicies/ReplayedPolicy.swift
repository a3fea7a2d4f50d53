public import Bandits
public import Specifications

/// A learning policy that is evaluated by replay: it decides on the decisions of a log in their order, and learns the
/// rewards of those on which it agrees.
///
/// A decision on which the policy agrees is accepted with probability floor/p, where p is the logged propensity, so
/// that every decision of the log is accepted with the same probability as under a uniform logging policy: L. Li, W.
/// Chu, J. Langford and X. Wang, "Unbiased offline evaluation of contextual-bandit-based news article recommendation
/// algorithms" (WSDM 2011), with the rejection sampling of M. Dudík, D. Erhan, J. Langford and L. Li, "Sample-efficient
/// nonstationary policy evaluation for contextual bandits" (UAI 2012). Without bias if no propensity is below the
/// floor.
public struct ReplayedPolicy: Sendable, Hashable {
  private static let floor = Parameter.optionalNumber(
    "floor", in: 1e-9...1,
    "propensity below which decisions are not accepted more rarely; without it, the least of the log"
  )

  /// The name, summary and parameters.
  public static let info = SpecificationInfo(
    "replay", "a learning policy, which learns from the decisions on which it agrees with the log",
    [
      SpecificationInfo.Parameter("policy", nil, "a learning policy such as (ucb1)"),
      floor.listing,
    ], source: "Li et al., WSDM 2011; Dudik et al., UAI 2012")

  /// The specification as it was given, such as `ucb1` or `replay:policy=(ucb1),floor=0.01`.
  public let specification: Specification
  /// The learning policy.
  public let policy: Specification
  /// The propensity below which a decision is accepted whenever the policy agrees; nil for the least one of the log.
  public let floor: Double?

  /// Creates the policy of a specification: that of a learning policy, or `replay` around one.
  ///
  /// - Throws: `SpecificationError` if there is no such policy, or a parameter is invalid.
  public init(
    _ specification: Specification, policies: PolicyCatalog = .standard
  ) throws(SpecificationError) {
    self.specification = specification
    if specification.name == Self.info.name {
      try specification.requireKeys(among: Self.info.parameters.map(\.key))
      guard let policy = try specification.nested("policy") else {
        throw SpecificationError("replay needs a policy; write replay:policy=(ucb1)")
      }
      (self.policy, floor) = (policy, try Self.floor.value(in: specification))
    } else {
      (policy, floor) = (specification, nil)
    }
    guard policies.all.contains(where: { $0.name == policy.name }) else {
      throw SpecificationError(
        NearestName.unknown("policy", policy.name, among: policies.all.map(\.name)))
    }
  }
}
