public import Specifications

/// The built-in policies.
///
/// Each policy is one file and one entry here; a test fails for any that is not listed.
public enum Policies {
  /// The policies by family.
  static let catalog = PolicyCatalog(
    of: "policy",
    families: [
      "basic": [
        PolicyEntry(Uniform.self), PolicyEntry(Weights.self), PolicyEntry(Fixed.self), PolicyEntry(Greedy.self),
        PolicyEntry(EpsilonGreedy.self), PolicyEntry(EpsilonDecreasing.self), PolicyEntry(Softmax.self),
        PolicyEntry(Gradient.self), PolicyEntry(ExploreThenCommit.self),
      ],
      "index": [
        PolicyEntry(UCB1.self), PolicyEntry(UCB.self), PolicyEntry(UCB1Tuned.self), PolicyEntry(UCB2.self),
        PolicyEntry(UCBV.self), PolicyEntry(MOSS.self), PolicyEntry(OCUCB.self), PolicyEntry(BayesUCB.self),
        PolicyEntry(Gittins.self), PolicyEntry(KLUCB.self), PolicyEntry(KLUCBPlus.self),
        PolicyEntry(KLUCBPlusPlus.self), PolicyEntry(KLUCBGaussian.self), PolicyEntry(KLUCBPoisson.self),
        PolicyEntry(KLUCBExponential.self), PolicyEntry(IMED.self),
      ],
      "Thompson": [
        PolicyEntry(Thompson.self), PolicyEntry(GaussianThompson.self), PolicyEntry(UnknownVarianceThompson.self),
        PolicyEntry(PoissonThompson.self), PolicyEntry(TopTwoThompson.self), PolicyEntry(BootstrapThompson.self),
      ],
      "elimination and sampling": [
        PolicyEntry(DMED.self), PolicyEntry(BESA.self), PolicyEntry(SuccessiveElimination.self),
      ],
      "best arm": [
        PolicyEntry(SuccessiveRejects.self), PolicyEntry(SequentialHalving.self), PolicyEntry(LilUCB.self),
        PolicyEntry(LUCB.self), PolicyEntry(TrackAndStop.self),
      ],
      "changing rewards": [
        PolicyEntry(DiscountedUCB.self), PolicyEntry(DiscountedThompson.self), PolicyEntry(SlidingWindowUCB.self),
        PolicyEntry(SlidingWindowKLUCB.self), PolicyEntry(CusumUCB.self), PolicyEntry(MonitoredUCB.self),
        PolicyEntry(GLRKLUCB.self), PolicyEntry(Fewa.self), PolicyEntry(RawUCB.self),
      ],
      "adversarial": [
        PolicyEntry(Exp3.self), PolicyEntry(Exp3S.self), PolicyEntry(Exp3IX.self), PolicyEntry(Exp3PlusPlus.self),
        PolicyEntry(Exp4.self), PolicyEntry(Hedge.self), PolicyEntry(TsallisINF.self), PolicyEntry(Corral.self),
      ],
      "contextual": [
        PolicyEntry(LinearEpsilonGreedy.self), PolicyEntry(LinUCB.self), PolicyEntry(LinUCBHybrid.self),
        PolicyEntry(LinTS.self), PolicyEntry(LogisticThompson.self), PolicyEntry(SquareCB.self),
        PolicyEntry(RegCB.self), PolicyEntry(Cover.self), PolicyEntry(KNearest.self), PolicyEntry(PartitionTree.self),
      ],
      "around others": [PolicyEntry(Conservative.self), PolicyEntry(Floor.self)],
    ])

  /// The name, summary, parameters and citation of each policy, sorted by name.
  public static var all: [SpecificationInfo] { PolicyCatalog.standard.all }

  /// Returns the policy that a specification such as `thompson` or `epsilon-greedy:epsilon=0.1` describes.
  ///
  /// - Parameters:
  ///   - text: A name from ``all``, with or without parameters.
  ///   - variants: The names of the variants, in order.
  /// - Returns: The policy, ready to run.
  /// - Throws: `SpecificationError` if the name is unknown or a parameter is invalid.
  public static func named(
    _ text: String, variants: [String] = []
  ) throws(SpecificationError) -> PreparedPolicy {
    try PolicyCatalog.standard.named(text, variants: variants)
  }
}
