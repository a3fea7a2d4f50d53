public import Specifications

/// The moments of a ratio metric and of the same ratio from before the experiment, for variance reduction.
///
/// Both ratios are linearised by the delta method, metric as (n − R·d)/mean(d) and covariate as (p − X·q)/mean(q), as
/// in A. Deng et al., "Applying the delta method in metric analytics" (KDD 2018), section 4.4; the covariance of the
/// two is that of these terms.
public struct CupedRatioMoments: Sendable, Equatable {
  /// The moments of numerator and denominator from the first exposure on.
  public private(set) var metric = RatioMoments()
  /// The moments of numerator and denominator from before it.
  public private(set) var covariate = RatioMoments()
  /// Sums of products: n·p, n·q, d·p and d·q.
  private var products = Array(repeating: ExactSum(), count: 4)

  /// Creates the moments of no units.
  public init() {}

  /// Adds one unit: the numerator and denominator of its metric and of its covariate.
  public mutating func add(
    _ metric: (numerator: Double, denominator: Double),
    covariate: (numerator: Double, denominator: Double)
  ) {
    self.metric.add(metric.numerator, over: metric.denominator)
    self.covariate.add(covariate.numerator, over: covariate.denominator)
    products[0].add(product: metric.numerator, covariate.numerator)
    products[1].add(product: metric.numerator, covariate.denominator)
    products[2].add(product: metric.denominator, covariate.numerator)
    products[3].add(product: metric.denominator, covariate.denominator)
  }
}

extension CupedRatioMoments: CovariateMoments {
  /// Both ratios with the variances and covariance of their linear terms; nil for fewer than two units, or where the
  /// denominators of metric or covariate add up to zero.
  public var summary: CovariateSummary? {
    guard let ratio = metric.ratio, let before = covariate.ratio,
      let d = metric.denominator.mean, let q = covariate.denominator.mean
    else { return nil }
    let pairs = [
      (metric.numerator, covariate.numerator), (metric.numerator, covariate.denominator),
      (metric.denominator, covariate.numerator), (metric.denominator, covariate.denominator),
    ]
    let covariances = zip(pairs, products).map { pair, products in
      Moments.covariance(pair.0, pair.1, products: products) ?? 0
    }
    let above = covariances[0] - before.mean * covariances[1]
    let below = covariances[2] - before.mean * covariances[3]
    return CovariateSummary(
      metric: ratio, covariate: before, covariance: (above - ratio.mean * below) / d / q)
  }
}

extension CupedRatioMoments: StateFields, EmptyState {
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&metric, other.metric)
    visit(&covariate, other.covariate)
    visit(&products, other.products)
  }
}
