internal import Synchronization

/// Student's t distribution with any positive number of degrees of freedom.
///
/// Infinitely many degrees of freedom are allowed and mean the normal distribution.
public struct StudentT: Sendable, Equatable {
  /// The degrees of freedom, positive, not necessarily an integer.
  public let degreesOfFreedom: Double

  /// Creates the distribution.
  ///
  /// - Precondition: `degreesOfFreedom` is positive.
  public init(degreesOfFreedom: Double) {
    precondition(degreesOfFreedom > 0, "the degrees of freedom must be positive")
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// Returns the probability of a value of at most `t`, with full relative accuracy in the lower tail.
  ///
  /// The relative error is at most 2e-13 where measured, for tails down to 1e-300. For t < 0 it is ½·I_x(ν/2, ½) at x =
  /// ν/(ν + t²), Abramowitz and Stegun 26.7.1.
  ///
  /// - Complexity: O(√ν) steps of a continued fraction.
  public func cdf(_ t: Double) -> Double {
    guard !isNormal else { return StandardNormal.cdf(t) }
    guard t.isFinite else { return t.isNaN ? .nan : t < 0 ? 0 : 1 }
    let tails = SpecialFunctions.incompleteBetaTails(point(t), degreesOfFreedom / 2, 0.5)
    return t < 0 ? 0.5 * tails.lower : 0.5 + 0.5 * tails.upper
  }

  /// Returns the probability of a value above `t`, with full relative accuracy if it is small.
  public func upperTail(_ t: Double) -> Double { cdf(-t) }

  /// Returns the value that is exceeded with probability 1 − `p`.
  ///
  /// Minus infinity for `p` = 0, infinity for 1, and also if the quantile is beyond the largest Double. The relative
  /// error is at most 2e-13 where measured (ν from 0.1 to 1e8, p from 1e-200 up), and 2e-15 for the levels and degrees
  /// of freedom of common intervals.
  ///
  /// - Precondition: `p` is in 0 ... 1.
  /// - Complexity: about ten evaluations of ``cdf(_:)``.
  public func quantile(_ p: Double) -> Double {
    precondition(p >= 0 && p <= 1, "a probability is in 0 ... 1")
    guard !isNormal else { return StandardNormal.quantile(p) }
    if p == 0 { return -.infinity }
    if p == 0.5 { return 0 }
    // 1 − p is exact from one half upwards.
    if p > 0.5 { return -quantile(1 - p) }
    guard degreesOfFreedom == degreesOfFreedom.rounded(.down) else { return solved(p) }
    let key = Asked(degrees: degreesOfFreedom, p: p)
    if let known = Self.known.withLock({ $0[key] }) { return known }
    let quantile = solved(p)
    Self.known.withLock { if $0.count < Self.mostKnown { $0[key] = quantile } }
    return quantile
  }

  /// A quantile that was asked for.
  private struct Asked: Hashable {
    var degrees: Double
    var p: Double
  }

  /// Quantiles of whole degrees of freedom: tables of many variants ask for the same ones in row after row.
  private static let known = Mutex<[Asked: Double]>([:])
  private static let mostKnown = 1 << 16

  private func solved(_ p: Double) -> Double {
    let logit = SpecialFunctions.inverseBetaLogit(
      lower: 2 * p, upper: 2 * (0.5 - p), degreesOfFreedom / 2, 0.5)
    // x/(1 − x) is ν/t².
    return -degreesOfFreedom.squareRoot() * Double.exp(-0.5 * logit)
  }

  /// From 1e20 degrees of freedom on, all tails that a Double can hold are normal to 1e-14.
  private var isNormal: Bool { degreesOfFreedom >= 1e20 }

  /// ν/(ν + t²) and its complement, without overflow of t².
  private func point(_ t: Double) -> BetaPoint {
    let scaled = t / degreesOfFreedom.squareRoot()
    let ratio = scaled * scaled
    return BetaPoint(1 / (1 + ratio), ratio.isFinite ? ratio / (1 + ratio) : 1)
  }
}
