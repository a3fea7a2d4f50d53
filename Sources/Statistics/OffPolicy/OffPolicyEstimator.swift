/// An off-policy estimator of the value of a target policy from the log of another policy.
///
/// With w = π(a)/p the weight of a decision, r its reward, q̂ the model's prediction for the chosen variant and v̂ its
/// prediction for the target policy, over n decisions. Every estimator is a mean of terms plus a ratio of sums of
/// terms, either of which may be absent; its sums, standard error and merging follow from that.
public enum OffPolicyEstimator: Sendable, Hashable {
  /// The direct method, Σv̂/n: the model's prediction.
  case directMethod
  /// Inverse propensity scoring, Σwr/n: D. G. Horvitz and D. J. Thompson (JASA 47, 1952).
  case inversePropensity
  /// Inverse propensity scoring with weights clipped at λ, Σmin(w, λ)r/n: E. L. Ionides, "Truncated importance
  /// sampling" (Journal of Computational and Graphical Statistics 17, 2008).
  case clippedInversePropensity(lambda: Double)
  /// Self-normalized inverse propensity scoring, Σwr/Σw: A. Swaminathan and T. Joachims, "The self-normalized estimator
  /// for counterfactual learning" (NeurIPS 2015).
  case selfNormalized
  /// Doubly robust, Σ(v̂ + w(r − q̂))/n: M. Dudík, J. Langford and L. Li, "Doubly robust policy evaluation and learning" (ICML
  /// 2011).
  case doublyRobust
  /// Doubly robust with normalized weights, Σv̂/n + Σw(r − q̂)/Σw.
  case selfNormalizedDoublyRobust

  /// The specification, such as `clipped-ips:lambda=2`.
  public var specification: Specification {
    switch self {
    case .directMethod: Specification("dm")
    case .inversePropensity: Specification("ips")
    case .clippedInversePropensity(let lambda):
      Specification("clipped-ips", [.init(key: "lambda", number: lambda)])
    case .selfNormalized: Specification("snips")
    case .doublyRobust: Specification("dr")
    case .selfNormalizedDoublyRobust: Specification("sndr")
    }
  }

  /// The contributions of one decision to the sum of the mean and to both sums of the ratio.
  struct Terms {
    var mean: Double?
    var ratio: (numerator: Double, denominator: Double)?
  }

  func terms(of decision: LoggedDecision) -> Terms {
    let (w, r) = (decision.weight, decision.reward)
    return switch self {
    case .directMethod: Terms(mean: decision.expected)
    case .inversePropensity: Terms(mean: w * r)
    case .clippedInversePropensity(let lambda): Terms(mean: min(w, lambda) * r)
    case .selfNormalized: Terms(ratio: (w * r, w))
    case .doublyRobust: Terms(mean: decision.expected + w * (r - decision.modelled))
    case .selfNormalizedDoublyRobust:
      Terms(mean: decision.expected, ratio: (w * (r - decision.modelled), w))
    }
  }
}
