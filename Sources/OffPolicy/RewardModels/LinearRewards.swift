public import Bandits
public import Specifications

/// `linear:lambda=1`: ridge regression of the reward on the features.
///
/// The weights θ minimize Σw(r − θ·x)² + λΣθ², without penalty on the intercept: A. E. Hoerl and R. W. Kennard, "Ridge
/// regression: biased estimation for nonorthogonal problems" (Technometrics 12, 1970). The normal equations are summed
/// exactly in one pass and solved by Cholesky's method. At most 1000 columns: memory is 28·columns² bytes per fold, and
/// a row with m features takes m²/2 additions.
public struct LinearRewards: RewardModel {
  /// The penalty on squared weights but for the intercept.
  public var lambda = 1.0
  public var specification = Self.info.specification()

  /// Creates the model with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "linear", "ridge regression of the reward on the features",
    source: "Hoerl and Kennard 1970", example: "linear:lambda=1")

  public static var parameters: [Field] {
    Field.number(
      "lambda", \.lambda, in: 1e-9...1e9,
      "penalty on squared weights but for the intercept, {range}")
  }

  public static let usesFeatures = true
  public static let fitsInParts = true

  /// The maximum number of columns of models that need a matrix of columns by columns.
  static let mostColumns = 1000

  public func makeFit(_ problem: RewardProblem) throws(SpecificationError) -> any RewardFit {
    try Self.check(problem, Self.info.name)
    return Fit(sums: NormalSums(problem.columns), lambda: lambda)
  }

  /// Checks the number of columns.
  static func check(_ problem: RewardProblem, _ name: String) throws(SpecificationError) {
    guard problem.columns <= mostColumns else {
      throw SpecificationError(
        "\(name) takes features with at most \(mostColumns) columns, and these have \(problem.columns); keep fewer "
          + "values, as in one-hot(NAME,100), or hash them, as in hash(NAME,100)")
    }
  }

  struct Fit: RewardFit {
    fileprivate var sums: NormalSums
    fileprivate let lambda: Double

    static var isAdditive: Bool { true }

    mutating func add(_ row: RewardRow, _ features: FeatureVector) {
      guard row.isUsable else { return }
      sums.add(features, weight: row.weight, moment: row.weight * row.reward)
    }

    var emptyPart: Fit { Fit(sums: NormalSums(sums.dimension), lambda: lambda) }

    mutating func merge(_ part: Fit) { sums.merge(part.sums) }

    func removing(_ part: Fit) -> Fit? {
      var rest = self
      rest.sums.subtract(part.sums)
      return rest
    }

    func write(to writer: inout StateWriter) { sums.write(to: &writer) }

    mutating func read(from reader: inout StateReader) throws(StateError) {
      try sums.read(from: &reader)
    }

    mutating func finishPass() -> Bool { false }

    func fitted() throws(SpecificationError) -> any FittedRewardModel {
      var matrix = sums.matrix
      // Without rows, the intercept has no equation.
      guard matrix[0] > 0 else { return LinearPredictor(weights: []) }
      NormalSums.penalize(&matrix, lambda, dimension: sums.dimension)
      guard let weights = PackedSymmetric.solve(matrix, sums.vector) else {
        throw SpecificationError(
          "the normal equations of linear:lambda=\(lambda) cannot be solved; increase lambda, or write "
            + "standardized(NAME) instead of number(NAME)")
      }
      return LinearPredictor(weights: weights)
    }
  }
}

/// A prediction θ·x.
struct LinearPredictor: FittedRewardModel {
  let weights: [Double]

  func reward(of variant: Int, in slot: Int, _ features: FeatureVector) -> Double {
    features.dot(weights)
  }
}
