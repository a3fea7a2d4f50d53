/// A time-uniform boundary, which a martingale ever crosses with a probability of at most α: S. R. Howard et al.,
/// "Time-uniform Chernoff bounds via nonnegative supermartingales" (2020) and "Time-uniform, nonparametric,
/// nonasymptotic confidence sequences" (Annals of Statistics 2021). Here `v` is the intrinsic time, such as a sum of
/// variances.
public protocol UniformBoundary: Sendable {
  /// Returns ln of the mixture supermartingale at the sum `s` and intrinsic time `v`.
  func logSupermartingale(_ s: Double, _ v: Double) -> Double
  /// Returns the sum at which the supermartingale reaches 1/α at the intrinsic time `v`.
  func bound(_ v: Double, alpha: Double) -> Double
}

extension UniformBoundary {
  /// Solves for the sum numerically; the supermartingale increases with the sum.
  public func bound(_ v: Double, alpha: Double) -> Double {
    let target = -Double.log(alpha)
    var high = max(1, v.squareRoot())
    for _ in 0..<200 where !(logSupermartingale(high, v) > target) { high *= 2 }
    return RootFinding.zero(between: 0, and: high) { logSupermartingale($0, v) - target }
  }
}

/// The normal mixture for sub-Gaussian processes.
public struct NormalMixture: UniformBoundary, Equatable {
  /// The precision of the mixture, in units of intrinsic time.
  public let rho: Double
  /// Whether deviations to both sides count.
  public let twoSided: Bool

  /// Creates the mixture that is tightest at the intrinsic time `v`: ρ = v/(2 ln(1/α) + ln(1 + 2 ln(1/α))), with 2α in
  /// place of α for one side.
  ///
  /// - Precondition: `v` is positive and `alpha` between 0 and 1, exclusive.
  public init(tightestAt v: Double, alpha: Double = 0.05, twoSided: Bool = true) {
    precondition(v > 0 && alpha > 0 && alpha < 1, "a time is positive, a level in (0, 1)")
    let log = -2 * Double.log(twoSided ? alpha : min(2 * alpha, 0.999_999))
    rho = v / (log + Double.log(1 + log))
    self.twoSided = twoSided
  }

  /// ½ ln(ρ/(v + ρ)) + s²/(2(v + ρ)) for two sides; for one side the first term is ½ ln(4ρ/(v + ρ)), and ln Φ(s/√(v +
  /// ρ)) is added.
  public func logSupermartingale(_ s: Double, _ v: Double) -> Double {
    let total = v + rho
    let core = s * s / (2 * total)
    if twoSided { return 0.5 * Double.log(rho / total) + core }
    return 0.5 * Double.log(4 * rho / total) + core
      + Double.log(StandardNormal.cdf(s / total.squareRoot()))
  }

  /// √((v + ρ)·ln((v + ρ)/(α²ρ))) for two sides; found numerically for one.
  public func bound(_ v: Double, alpha: Double) -> Double {
    let total = v + rho
    guard twoSided else {
      let target = -Double.log(alpha)
      let most = (2 * total * (target + Double.log(2 + total / rho))).squareRoot() + 1
      return RootFinding.zero(between: 0, and: most) { logSupermartingale($0, v) - target }
    }
    return (total * (Double.log(total / rho) - 2 * Double.log(alpha))).squareRoot()
  }
}

/// The gamma mixture for sub-exponential processes of scale c.
public struct GammaExponentialMixture: UniformBoundary, Equatable {
  private let mixture: GammaMixture

  /// Creates the mixture that is tightest at about the intrinsic time `v`.
  ///
  /// - Precondition: `v` and `c` are positive, `alpha` between 0 and 1, exclusive.
  public init(tightestAt v: Double, alpha: Double = 0.05, scale c: Double) {
    mixture = GammaMixture(tightestAt: v, alpha: alpha, scale: c, tail: .lower)
  }

  /// Creates the mixture with a precision, in units of intrinsic time.
  ///
  /// - Precondition: `rho` and `c` are positive.
  public init(rho: Double, scale c: Double) {
    mixture = GammaMixture(rho: rho, scale: c, tail: .lower)
  }

  /// ln ∫ θ^{(v + ρ)/c² − 1}·e^{−θ(cs + v + ρ)/c²} over θ in (0, 1], of the conjugate mixture.
  public func logSupermartingale(_ s: Double, _ v: Double) -> Double {
    let (c, rho) = (mixture.scale, mixture.rho)
    let square = c * c
    return mixture.logRatio((v + rho) / square, (c * s + v + rho) / square) + (c * s + v) / square
  }
}

/// The gamma mixture for sub-Poisson processes of scale c.
public struct GammaPoissonMixture: UniformBoundary, Equatable {
  private let mixture: GammaMixture

  /// Creates the mixture that is tightest at about the intrinsic time `v`.
  ///
  /// - Precondition: `v` and `c` are positive, `alpha` between 0 and 1, exclusive.
  public init(tightestAt v: Double, alpha: Double = 0.05, scale c: Double) {
    mixture = GammaMixture(tightestAt: v, alpha: alpha, scale: c, tail: .upper)
  }

  /// ln ∫ θ^{(cs + v + ρ)/c² − 1}·e^{−θ(v + ρ)/c²} over θ from 1 on, of the conjugate mixture.
  public func logSupermartingale(_ s: Double, _ v: Double) -> Double {
    let (c, rho) = (mixture.scale, mixture.rho)
    let square = c * c
    return mixture.logRatio((c * s + v + rho) / square, (v + rho) / square) + v / square
  }
}

/// The common part of both gamma mixtures: the integral of θ^{a − 1}·e^{−θx} on one side of θ = 1, which is γ(a, x)/xᵃ
/// below it and Γ(a, x)/xᵃ above.
private struct GammaMixture: Equatable {
  enum Tail { case lower, upper }

  let rho: Double
  let scale: Double
  private let tail: Tail
  private let normalizer: Double

  init(tightestAt v: Double, alpha: Double, scale: Double, tail: Tail) {
    let rho = NormalMixture(tightestAt: v, alpha: alpha, twoSided: false).rho
    self.init(rho: rho, scale: scale, tail: tail)
  }

  init(rho: Double, scale: Double, tail: Tail) {
    precondition(rho > 0 && scale > 0, "a precision and a scale are positive")
    (self.rho, self.scale, self.tail) = (rho, scale, tail)
    let a = rho / (scale * scale)
    normalizer = Self.logIntegral(a, a, tail)
  }

  /// ln of the integral over its initial value.
  func logRatio(_ a: Double, _ x: Double) -> Double { Self.logIntegral(a, x, tail) - normalizer }

  private static func logIntegral(_ a: Double, _ x: Double, _ tail: Tail) -> Double {
    let tails = SpecialFunctions.logIncompleteGammaTails(a, x)
    return Double.logGamma(a) + (tail == .lower ? tails.lower : tails.upper) - a * Double.log(x)
  }
}

/// The Beta mixture for processes with increments in (−g, h): sums of bounded variables.
public struct BetaBinomialMixture: UniformBoundary, Equatable {
  private let g: Double
  private let h: Double
  private let r: Double
  private let twoSided: Bool
  private let normalizer: Double

  /// Creates the mixture that is tightest at about the intrinsic time `v`.
  ///
  /// - Precondition: `v`, `g` and `h` are positive, `alpha` between 0 and 1, exclusive.
  public init(
    tightestAt v: Double, alpha: Double = 0.05, below g: Double, above h: Double,
    twoSided: Bool = true
  ) {
    precondition(g > 0 && h > 0, "increments reach to both sides")
    (self.g, self.h, self.twoSided) = (g, h, twoSided)
    let rho = NormalMixture(tightestAt: v, alpha: alpha, twoSided: twoSided).rho
    r = max(rho - g * h, 1e-3 * g * h)
    normalizer = Self.logBeta(r / (g * (g + h)), r / (h * (g + h)), g, h, twoSided)
  }

  /// ln of the Beta mixture of the binomial likelihood against its center g/(g + h).
  public func logSupermartingale(_ s: Double, _ v: Double) -> Double {
    let whole = g + h
    let (down, up) = ((r + v - g * s) / (g * whole), (r + v + h * s) / (h * whole))
    // The sum cannot exceed what the increments allow.
    guard down > 0 else { return .infinity }
    return v / (g * h) * Double.log(whole) - (v + h * s) / (h * whole) * Double.log(g)
      - (v - g * s) / (g * whole) * Double.log(h) + Self.logBeta(down, up, g, h, twoSided)
      - normalizer
  }

  /// ln B(a, b), or of its part below h/(g + h) for one side.
  private static func logBeta(
    _ a: Double, _ b: Double, _ g: Double, _ h: Double, _ twoSided: Bool
  ) -> Double {
    let whole = SpecialFunctions.logBeta(a, b)
    return twoSided
      ? whole : whole + Double.log(SpecialFunctions.incompleteBeta(h / (g + h), a, b))
  }
}
