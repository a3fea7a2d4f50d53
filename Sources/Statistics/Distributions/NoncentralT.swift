/// The noncentral t distribution: (Z + δ)/√(χ²/ν) with an independent standard normal Z and a chi-squared variable with
/// ν degrees of freedom.
public struct NoncentralT: Sendable, Equatable {
  /// The degrees of freedom, positive.
  public let degreesOfFreedom: Double
  /// δ, the mean of the numerator.
  public let noncentrality: Double

  /// Creates the distribution.
  ///
  /// - Precondition: `degreesOfFreedom` is positive.
  public init(degreesOfFreedom: Double, noncentrality: Double) {
    precondition(degreesOfFreedom > 0, "the degrees of freedom must be positive")
    self.degreesOfFreedom = degreesOfFreedom
    self.noncentrality = noncentrality
  }

  /// Returns the probability of a value of at most `t`.
  ///
  /// It is E Φ(t·S − δ) for S = √(χ²/ν), integrated over ln S by the Gauss–Legendre rule. The relative error is at most
  /// 1e-12 where measured, for tails down to 1e-18 and ν from 0.7 to 1e4.
  public func cdf(_ t: Double) -> Double {
    expectations { (StandardNormal.cdf(t * $0 - noncentrality), 0) }.0
  }

  /// Returns the probability of a value above `t`.
  public func upperTail(_ t: Double) -> Double {
    expectations { (StandardNormal.upperTail(t * $0 - noncentrality), 0) }.0
  }

  /// Returns the probability of a value above `t` or of at most `-t`, for a positive `t`.
  func bothTails(_ t: Double) -> Double {
    let tails = expectations {
      (
        StandardNormal.upperTail(t * $0 - noncentrality),
        StandardNormal.cdf(-t * $0 - noncentrality)
      )
    }
    return tails.0 + tails.1
  }

  /// Returns the expectations of two functions of S.
  private func expectations(_ functions: (Double) -> (Double, Double)) -> (Double, Double) {
    let half = degreesOfFreedom / 2
    // The density of u = ln S is 2·kernel(ν·e²ᵘ/2); its peak is at 0 and its width 1/√(2ν).
    let width = 1 / (2 * degreesOfFreedom).squareRoot()
    let log = half * Double.log(half) - Double.logGamma(half)
    let (low, high) = (-max(12 * width, 40 / degreesOfFreedom), 12 * width)
    // Beyond `low` lies less than e⁻⁴⁰ of the density, but more of a function that grows there.
    let far = min(low, -100 / degreesOfFreedom)
    func weighted(_ u: Double) -> SIMD4<Double> {
      let weight = Double.exp(log + degreesOfFreedom * u - half * Double.exp(2 * u))
      let (first, second) = functions(Double.exp(u))
      return SIMD4(weight, weight * first, weight * second, 0)
    }
    let sums =
      Quadrature.integrals(from: low, to: high, panels: 24, weighted)
      + Quadrature.integrals(from: far, to: low, panels: 8, weighted)
    return (min(1, sums.y / sums.x), min(1, sums.z / sums.x))
  }
}
