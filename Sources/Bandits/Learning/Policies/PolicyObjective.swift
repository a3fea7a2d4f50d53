/// The objective of a learned policy: an estimate of its value on the log.
///
/// With π the policy's probabilities, p the propensity of the chosen variant c, r its reward and q the reward model's
/// predictions, over n decisions.
public enum PolicyObjective: String, CaseIterable, Sendable {
  /// Inverse propensity scoring, Σπ(c)r/p over n: L. Bottou et al., "Counterfactual reasoning and learning systems"
  /// (JMLR 14, 2013).
  case ips
  /// Self-normalized, Σπ(c)r/p over Σπ(c)/p: A. Swaminathan and T. Joachims, "The self-normalized estimator for
  /// counterfactual learning" (NeurIPS 2015).
  case snips
  /// Doubly robust, Σ(Σπq + π(c)(r − q(c))/p) over n: M. Dudík, J. Langford and L. Li, "Doubly robust policy evaluation
  /// and learning" (ICML 2011).
  case dr
  /// The reward model's predictions, ΣΣπq over n.
  case regression

  /// Whether the objective needs a reward model.
  public var needsModel: Bool { self == .dr || self == .regression }
}
