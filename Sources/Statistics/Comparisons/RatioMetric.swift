public import Specifications

/// The moments of a ratio metric: sums of numerator and denominator over units, such as revenue per session.
public struct RatioMoments: Sendable, Equatable {
  /// The numerators.
  public private(set) var numerator = Moments()
  /// The denominators.
  public private(set) var denominator = Moments()
  private var products = ExactSum()

  /// Creates the moments of no units.
  public init() {}

  /// Adds one unit.
  public mutating func add(_ numerator: Double, over denominator: Double) {
    self.numerator.add(numerator)
    self.denominator.add(denominator)
    products.add(product: numerator, denominator)
  }

  /// Adds units with zeros.
  mutating func addZeros(_ count: Int) {
    numerator.addZeros(count)
    denominator.addZeros(count)
  }

  /// The moments of the inverse ratio.
  public var inverse: RatioMoments {
    var inverse = self
    (inverse.numerator, inverse.denominator) = (denominator, numerator)
    return inverse
  }

  /// The sample covariance of numerator and denominator; nil for fewer than two units.
  public var covariance: Double? {
    Moments.covariance(numerator, denominator, products: products)
  }

  /// The ratio of the means with the variance of one unit by the delta method, (Var n − 2R·Cov + R²·Var d)/mean(d)² (A.
  /// Deng et al., "Applying the delta method in metric analytics", KDD 2018); nil for fewer than two units or if the
  /// denominators add up to zero.
  public var ratio: SampleMean? {
    guard let n = numerator.mean, let d = denominator.mean, d != 0, numerator.count > 1 else {
      return nil
    }
    let ratio = n / d
    let squares = squares(around: ratio)
    let variance = squares / Double(numerator.count - 1) / d / d
    return SampleMean(count: Double(numerator.count), mean: ratio, variance: variance)
  }
}

extension Moments {
  /// Returns the sample covariance of two variables of the same units, from their moments and the exact sum of their
  /// products; nil for fewer than two units.
  static func covariance(_ a: Moments, _ b: Moments, products: ExactSum) -> Double? {
    guard a.count > 1, let x = a.mean, let y = b.mean else { return nil }
    // Σ(a − x)(b − y) = Σab − xΣb − yΣa + nxy, exact until rounded at the end.
    var sum = products
    for term in b.total.expansion { sum.add(product: -x, term) }
    for term in a.total.expansion { sum.add(product: -y, term) }
    sum.add(product: Double(a.count) * x, y)
    return sum.value / Double(a.count - 1)
  }
}

extension RatioMoments {
  /// Returns Σ(n − r·d)², exact until rounded at the end: as a difference of variances its rounding error would be of
  /// the size of their squares if all units have the same ratio. A result within the rounding error of r itself is
  /// zero.
  package func squares(around ratio: Double) -> Double {
    let (high, low) = (ratio * ratio, (-(ratio * ratio)).addingProduct(ratio, ratio))
    var sum = numerator.totalOfSquares
    for term in products.expansion { sum.add(product: -2 * ratio, term) }
    let below = denominator.totalOfSquares.expansion
    for term in below {
      sum.add(product: high, term)
      sum.add(product: low, term)
    }
    let squares = sum.value
    guard squares.isFinite else { return squares }
    let scale = high * denominator.totalOfSquares.value
    return squares <= scale * Self.roundingError ? 0 : max(0, squares)
  }

  /// The square of a relative difference that is only rounding error: (2⁻⁵⁰)².
  private static let roundingError = 0x1p-100
}

extension RatioMoments: StateFields, EmptyState {
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&numerator, other.numerator)
    visit(&denominator, other.denominator)
    visit(&products, other.products)
  }
}
