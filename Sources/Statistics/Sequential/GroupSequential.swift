/// Boundaries of group sequential tests: the z at which an experiment with K looks stops at each look, so that the
/// overall significance level holds. Computed by the recursion of P. Armitage, C. K. McPherson and B. C. Rowe (1969),
/// as in C. Jennison and B. W. Turnbull, "Group sequential methods" (2000), chapter 19.
public enum GroupSequential {
  /// An alpha-spending function of the information fraction t.
  public enum Spending: Sendable, Hashable {
    /// K. K. G. Lan and D. L. DeMets's O'Brien–Fleming-type function, 4 − 4Φ(z_{α/4}/√t) for two sides.
    case obrienFleming
    /// Lan and DeMets's Pocock-type function, α·ln(1 + (e − 1)t).
    case pocock
    /// The power function, α·t to a power.
    case power(Double)

    /// Returns the significance level spent at the information fraction `t`, in 0 ... 1.
    public func spent(_ t: Double, alpha: Double, twoSided: Bool = true) -> Double {
      guard t > 0 else { return 0 }
      switch self {
      case .obrienFleming:
        let sides = twoSided ? 2.0 : 1.0
        let z = -StandardNormal.quantile(alpha / (2 * sides))
        return min(alpha, 2 * sides * StandardNormal.upperTail(z / t.squareRoot()))
      case .pocock: return min(alpha, alpha * Double.log(onePlus: (Double.exp(1) - 1) * t))
      case .power(let power): return min(alpha, alpha * Double.pow(t, power))
      }
    }
  }

  /// Returns the boundaries of a spending function.
  ///
  /// - Parameters:
  ///   - information: The information at the looks over that planned, ascending above 0; beyond 1 the whole level is
  ///     spent.
  ///   - spending: The alpha-spending function.
  ///   - alpha: The overall significance level.
  ///   - twoSided: Whether both tails count.
  /// - Returns: One z for each look; infinite once the level has been spent.
  public static func boundaries(
    information: [Double], spending: Spending, alpha: Double = 0.05, twoSided: Bool = true
  ) -> [Double] {
    var walk = StoppedWalk(twoSided: twoSided)
    var before = 0.0
    return information.map { t in
      let spent = spending.spent(t, alpha: alpha, twoSided: twoSided)
      defer { before = max(before, spent) }
      return walk.look(at: t, spending: max(0, spent - before))
    }
  }

  /// Returns S. J. Pocock's boundary (1977): the same z at each of `count` equally spaced looks, two-sided.
  public static func pocock(count: Int, alpha: Double = 0.05) -> [Double] {
    shaped(count, alpha) { _ in 1 }
  }

  /// Returns P. C. O'Brien and T. R. Fleming's boundary (1979): z decreasing as √(K/k), two-sided.
  public static func obrienFleming(count: Int, alpha: Double = 0.05) -> [Double] {
    shaped(count, alpha) { (Double(count) / Double($0)).squareRoot() }
  }

  private static func shaped(_ count: Int, _ alpha: Double, _ shape: (Int) -> Double) -> [Double] {
    let looks = Array(1...max(1, count))
    let excess = { (scale: Double) in
      var walk = StoppedWalk(twoSided: true)
      var crossed = 0.0
      for look in looks {
        let t = Double(look) / Double(looks.count)
        crossed += walk.look(at: t, boundary: scale * shape(look))
      }
      return crossed - alpha
    }
    let single = -StandardNormal.quantile(alpha / 2)
    let scale = RootFinding.zero(between: single * 0.5, and: single * 3, excess)
    return looks.map { scale * shape($0) }
  }
}

/// A Brownian motion stopped at its boundaries: the density of the paths that have not stopped.
private struct StoppedWalk {
  let twoSided: Bool
  private var time = 0.0
  /// The quadrature nodes of the density over the continuation region; empty before the first look.
  private var places: [Double] = []
  /// Density times weight.
  private var masses: [Double] = []

  init(twoSided: Bool) { self.twoSided = twoSided }

  /// Advances to the next look and stops there with the given probability; returns its boundary.
  mutating func look(at t: Double, spending: Double) -> Double {
    guard spending > 1e-300 else {
      advance(to: t, boundary: 40)
      return .infinity
    }
    let z = RootFinding.zero(between: 0, and: 40) { crossing(t, boundary: $0) - spending }
    advance(to: t, boundary: z)
    return z
  }

  /// Advances to the next look with the boundary; returns the probability of stopping there.
  mutating func look(at t: Double, boundary: Double) -> Double {
    let probability = crossing(t, boundary: boundary)
    advance(to: t, boundary: boundary)
    return probability
  }

  /// Returns the probability of reaching the boundary, in standard deviations, at the time without having stopped
  /// before.
  private func crossing(_ t: Double, boundary: Double) -> Double {
    let edge = boundary * t.squareRoot()
    guard !places.isEmpty else { return tails(edge / t.squareRoot(), 0) }
    let step = (t - time).squareRoot()
    var sum = 0.0
    for (place, mass) in zip(places, masses) { sum += mass * tails(edge / step, place / step) }
    return sum
  }

  private func tails(_ edge: Double, _ start: Double) -> Double {
    let upper = StandardNormal.upperTail(edge - start)
    return twoSided ? upper + StandardNormal.upperTail(edge + start) : upper
  }

  private mutating func advance(to t: Double, boundary: Double) {
    let root = t.squareRoot()
    let edge = min(boundary, 12) * root
    let low = twoSided ? -edge : -12 * root
    let step = (t - time).squareRoot()
    // A panel of 32 points over four widths of the kernel is exact up to rounding.
    let panels = max(2, Int(((edge - low) / (4 * step)).rounded(.up)))
    let rule = Quadrature.rule32
    var nextPlaces: [Double] = []
    var nextMasses: [Double] = []
    let width = (edge - low) / Double(panels)
    for panel in 0..<panels {
      let center = low + (Double(panel) + 0.5) * width
      for (node, weight) in zip(rule.nodes, rule.weights) {
        let place = center + width / 2 * node
        nextPlaces.append(place)
        nextMasses.append(density(place, step) * weight * width / 2)
      }
    }
    (places, masses, time) = (nextPlaces, nextMasses, t)
  }

  private func density(_ place: Double, _ step: Double) -> Double {
    guard !places.isEmpty else { return StandardNormal.density(place / step) / step }
    var sum = 0.0
    for (start, mass) in zip(places, masses) {
      sum += mass * StandardNormal.density((place - start) / step)
    }
    return sum / step
  }
}
