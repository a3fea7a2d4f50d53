public import Specifications
public import Statistics

/// `regcb:mellowness=0.1,mode=optimistic,lambda=1,models=auto,intercept=no`: confidence bounds from all regressions
/// that fit the past nearly as well as the best one.
///
/// D. Foster, A. Agarwal, M. Dudík, H. Luo and R. E. Schapire, "Practical contextual bandits with regression oracles"
/// (ICML 2018): over all linear regressions whose squared error is at most β above the least one, the bounds of the
/// prediction for x are θ·x ± √β·√(xᵀA⁻¹x), in closed form, clamped to the range of rewards if known. β is
/// mellowness·ln(K·t) at decision t, as in A. Bietti, A. Agarwal and J. Langford, "A contextual bandit bake-off" (JMLR
/// 22, 2021), section 3. `optimistic` chooses the largest upper bound; `elimination` chooses uniformly among the
/// variants whose upper bound is not below the largest lower one. The errors include the ridge penalty.
/// ``LinearPolicy`` describes the features.
public struct RegCB: LinearPolicy {
  /// How the bounds determine the choice.
  public enum Mode: String, CaseIterable, Sendable {
    /// The variant with the largest upper bound.
    case optimistic
    /// Any variant that may be the best.
    case elimination
  }

  /// The factor of ln(K t).
  public var mellowness = 0.1
  /// The mode: optimistic for the largest upper bound, elimination for any variant that may be the best.
  public var mode = Mode.optimistic
  /// The models and their features.
  public var options = LinearOptions()
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "regcb", "confidence bounds from all regressions that fit nearly as well as the best",
    source: "Foster, Agarwal, Dudík, Luo and Schapire 2018",
    example: "regcb:mellowness=0.1,mode=optimistic,lambda=1,models=auto,intercept=no")

  public static var parameters: [Field] {
    Field.number("mellowness", \.mellowness, in: 0...1e9, "factor of ln(K t), {range}")
    Field.word(
      "mode", \.mode,
      "optimistic for the largest upper bound, elimination for any variant that may be the best"
    )
    Field.group(\.options)
  }

  public static let needsSpreads = true

  /// Chooses the largest bound, or uniformly among the variants that may be the best.
  public func decide(_ beliefs: inout LinearPredictions, _ random: inout Xoshiro256) -> Choice {
    let level = Double.log(Double(beliefs.room.count)) + Double.log(Double(beliefs.learned + 1))
    let radius = (mellowness * level).squareRoot()
    var floor = -Double.infinity
    for variant in beliefs.room.indices {
      let mean = beliefs.models.means[variant]
      let width = radius * beliefs.models.spreads[variant].squareRoot()
      beliefs.room[variant] = cut(mean + width, beliefs.range)
      if beliefs.table.roster.has(variant) { floor = max(floor, cut(mean - width, beliefs.range)) }
    }
    return beliefs.table.roster.largest(&random) {
      mode == .elimination && beliefs.room[$0] >= floor ? .infinity : beliefs.room[$0]
    }
  }

  @inline(__always)
  private func cut(_ value: Double, _ range: ClosedRange<Double>?) -> Double {
    guard let range else { return value }
    return value > range.upperBound
      ? range.upperBound : value < range.lowerBound ? range.lowerBound : value
  }
}
