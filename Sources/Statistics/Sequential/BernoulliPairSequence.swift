/// A nonasymptotic confidence sequence of two proportions, simultaneously valid at all times: the pairs of proportions
/// that the product of their Beta-binomial mixtures does not reject.
///
/// Under the true pair the mixture of each is a martingale, whatever the trials of the other, and so is their product
/// (Howard et al. 2021, section 4). It depends on counts only, and needs no blocks of trials as the test of R. J.
/// Turner and P. D. Grünwald, "Exact anytime-valid confidence intervals for contingency tables and beyond" (Statistics
/// and Probability Letters 198, 2023) does. Difference, ratio and p-value are those of one set of pairs: they agree.
public struct BernoulliPairSequence: Sendable {
  private let treatment: Proportion
  private let control: Proportion
  private let sequence: BernoulliSequence
  private let limit: Double
  private let shares: (treatment: Double, control: Double)

  /// Creates the sequence; returns nil if either proportion has no trials.
  ///
  /// - Parameters:
  ///   - treatment: The successes and trials of the treatment so far.
  ///   - control: Those of the control.
  ///   - count: The number of trials of each at which it is tightest, positive and chosen before the first.
  ///   - alpha: The probability that the truth is ever outside, between 0 and 1, exclusive.
  public init?(
    treatment: Proportion, control: Proportion, tightestAt count: Double, alpha: Double = 0.05
  ) {
    guard let p = treatment.value, let q = control.value else { return nil }
    (self.treatment, self.control, shares) = (treatment, control, (p, q))
    sequence = BernoulliSequence(tightestAt: count, alpha: alpha)
    limit = -Double.log(alpha)
  }

  /// The p-value of equal proportions: the inverse of the least evidence against any common proportion, at most 1.
  ///
  /// - Complexity: O(1), about 30 evaluations of the mixtures; an interval needs about 25 times as many.
  public var pValue: Double { min(1, Double.exp(-evidence(difference: 0))) }

  /// The interval of treatment less control.
  public var difference: Interval {
    let center = shares.treatment - shares.control
    return Interval(
      end(from: center, to: -1, evidence(difference:)) ?? -1,
      end(from: center, to: 1, evidence(difference:)) ?? 1)
  }

  /// The interval of treatment over control; nil if neither has a success.
  public var ratio: Interval? {
    let (p, q) = shares
    guard p > 0 || q > 0 else { return nil }
    let far = 25.0
    let center = p == 0 ? -far : q == 0 ? far : Double.log(p / q)
    let evidence = { (log: Double) in self.evidence(ratio: Double.exp(log)) }
    return Interval(
      end(from: center, to: -far, evidence).map { Double.exp($0) } ?? 0,
      end(from: center, to: far, evidence).map { Double.exp($0) } ?? .infinity)
  }

  /// Returns where the evidence reaches its limit, by the Illinois method on its root, which is nearly linear; nil if
  /// it does not.
  private func end(from center: Double, to far: Double, _ evidence: (Double) -> Double) -> Double? {
    func excess(_ place: Double) -> Double {
      max(0, evidence(place)).squareRoot() - limit.squareRoot()
    }
    var (inside, outside) = (center, far)
    guard inside != outside else { return nil }
    var (below, above) = (excess(inside), excess(outside))
    guard above > 0 else { return nil }
    var last = 0.0
    for _ in 0..<60 {
      let place = inside + (outside - inside) * below / (below - above)
      let value = excess(place)
      if abs(value) < 1e-9 { return place }
      if value > 0 {
        if last > 0 { below /= 2 }
        (outside, above) = (place, value)
      } else {
        if last < 0 { above /= 2 }
        (inside, below) = (place, value)
      }
      last = value
    }
    return outside
  }

  private func evidence(difference: Double) -> Double {
    let rest = 1 - abs(difference)
    return leastEvidence { (max(0, difference) + $0 * rest, max(0, -difference) + $0 * rest) }
  }

  private func evidence(ratio: Double) -> Double {
    leastEvidence { ($0 * min(1, ratio), $0 * min(1, 1 / ratio)) }
  }

  /// Returns the least evidence against the pairs of a curve of a parameter in 0 ... 1, by golden-section search over
  /// its logit: the evidence falls toward its least value from both ends.
  private func leastEvidence(_ pair: (Double) -> (treatment: Double, control: Double)) -> Double {
    func evidence(_ logit: Double) -> Double {
      let (p, q) = pair(1 / (1 + Double.exp(-logit)))
      return sequence.evidence(against: p, treatment) + sequence.evidence(against: q, control)
    }
    let golden = ((5 as Double).squareRoot() - 1) / 2
    var (low, high) = (-28.0, 28.0)
    var (a, b) = (high - golden * (high - low), low + golden * (high - low))
    var (fa, fb) = (evidence(a), evidence(b))
    for _ in 0..<28 {
      if fa <= fb {
        (high, b, fb) = (b, a, fa)
        a = high - golden * (high - low)
        fa = evidence(a)
      } else {
        (low, a, fa) = (a, b, fb)
        b = low + golden * (high - low)
        fb = evidence(b)
      }
    }
    return min(fa, fb)
  }
}
