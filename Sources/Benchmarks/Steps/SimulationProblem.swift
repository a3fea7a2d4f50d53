/// A family of Bernoulli problems of any size, on which speed is measured; peers/problems.py has the same.
///
/// Shortcuts that remember which variant leads pay on the first and cost on the others.
enum SimulationProblem: String, CaseIterable {
  /// Means at equal distances from 0.1 to 0.9, where the best variant stays ahead.
  case spread
  /// Rates of 1, 2 and 5 % in turn, and one of 10 %, where the choice changes often.
  case low
  /// Equal means, and one that is hardly better, where indices stay close to each other.
  case near

  /// The numbers of variants that are measured.
  static let sizes = [2, 9, 64]

  /// The specification of the environment with a number of variants, at least 2.
  func environment(_ variants: Int) -> String {
    "bernoulli:means=" + (0..<variants).map { "\(mean($0, of: variants))" }.joined(separator: ";")
  }

  private func mean(_ variant: Int, of variants: Int) -> Double {
    let isBest = variant == variants - 1
    switch self {
    case .spread:
      let mean = 0.1 + 0.8 * Double(variant) / Double(variants - 1)
      return (mean * 10_000).rounded() / 10_000
    case .low: return isBest ? 0.1 : [0.01, 0.02, 0.05][variant % 3]
    case .near: return isBest ? 0.51 : 0.5
    }
  }
}
