internal import Specifications

/// How a contextual policy divides its reward models among the variants.
public enum ContextModels: String, CaseIterable, Sendable {
  /// One joint model if the variants have features, otherwise one model per variant.
  case auto
  /// One model per variant.
  case each
  /// One joint model of all variants.
  case one
}

/// The feature vector of each variant at a decision: the shared features, then those of the variant, then a 1 if an
/// intercept is requested.
///
/// A missing or non-finite feature is 0.
struct ContextFeatures: Sendable {
  /// The limit on the numbers in the matrices of all models: 800 MB.
  static let mostNumbers = 1e8

  /// The number of models: one per variant, or 1.
  let modelCount: Int
  /// The length of a feature vector.
  let dimension: Int
  /// Whether all variants have the same vector.
  let isCommon: Bool
  private let shared: Int
  private let own: Int
  private let hasIntercept: Bool

  init(_ problem: Problem, _ options: LinearOptions, of policy: String) throws(SpecificationError) {
    shared = problem.sharedFeatures
    own = problem.variantFeatures
    hasIntercept = options.hasIntercept
    dimension = shared + own + (hasIntercept ? 1 : 0)
    isCommon = own == 0
    let isOne = options.models == .one || (options.models == .auto && own > 0)
    modelCount = isOne ? 1 : problem.variants
    if isOne, own == 0 {
      throw SpecificationError(
        "models=one of \(policy) needs features of the variants, and this environment has only shared ones, by "
          + "which one model cannot distinguish variants; write models=each")
    }
    guard dimension <= 2000 else {
      throw SpecificationError(
        "\(policy) computes with matrices of \(dimension) by \(dimension) numbers here; take an environment with "
          + "at most 2000 features")
    }
    guard Double(modelCount) * Double(dimension) * Double(dimension) <= Self.mostNumbers else {
      throw SpecificationError(
        "\(policy) needs too much memory for \(modelCount) models of \(dimension) features; write models=one where "
          + "variants are described, or take an environment with fewer features")
    }
  }

  /// Returns the index of a variant's model.
  @inline(__always)
  func model(_ variant: Int) -> Int { modelCount == 1 ? 0 : variant }

  /// Writes the feature vector of a variant.
  @inline(__always)
  func write(_ context: Context, _ variant: Int, into x: inout [Double]) {
    for feature in 0..<shared { x[feature] = Self.number(context.shared, feature) }
    let first = variant &* own
    for feature in 0..<own {
      x[shared &+ feature] = Self.number(context.variants, first &+ feature)
    }
    if hasIntercept { x[dimension &- 1] = 1 }
  }

  /// Returns the number at an index if it exists and is finite, otherwise 0; clamped to ±1e100 so that squares are
  /// finite.
  @inline(__always)
  static func number(_ numbers: [Double], _ place: Int) -> Double {
    guard place < numbers.count else { return 0 }
    let number = numbers[place]
    return abs(number) <= 1e100 ? number : number.isFinite ? (number > 0 ? 1e100 : -1e100) : 0
  }
}
