internal import Bandits
internal import Specifications
internal import Statistics

/// The sums Σ w·xᵢxⱼ and Σ w·r·xᵢ of weighted rows with sparse features, exact but for the rounding of each product, so
/// that they depend neither on the order of the rows nor on how parts were merged.
///
/// Products that are 1, those of indicators in rows of weight 1, are only counted.
///
/// - Complexity: 28·d² bytes for d columns; an addition of a row with m features is O(m²).
struct NormalSums: StateFields {
  let dimension: Int
  /// The upper triangle as in ``PackedSymmetric``.
  private var products: [ExactSum]
  /// The number of products that are 1 and not in ``products``.
  private var ones: [Int]
  private var moments: [ExactSum]

  init(_ dimension: Int) {
    self.dimension = dimension
    products = Array(repeating: ExactSum(), count: PackedSymmetric.size(dimension))
    ones = Array(repeating: 0, count: products.count)
    moments = Array(repeating: ExactSum(), count: dimension)
  }

  /// Adds a row; columns from ``dimension`` on are left out.
  ///
  /// - Parameters:
  ///   - features: The features.
  ///   - weight: The factor of the products of features.
  ///   - moment: The factor of the features themselves.
  @inline(__always)
  mutating func add(_ features: FeatureVector, weight: Double, moment: Double) {
    let entries = features.entries.span
    for i in entries.indices {
      let (column, value) = (entries[i].column, entries[i].value)
      guard column < dimension else { return }
      if moment != 0 { moments[column].add(moment * value) }
      let row = column &* (2 &* dimension &- column &- 1) / 2
      let factor = weight * value
      for j in i..<entries.count where entries[j].column < dimension {
        let (place, product) = (row &+ entries[j].column, factor * entries[j].value)
        if product == 1 { ones[place] &+= 1 } else { products[place].add(product) }
      }
    }
  }

  mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    for place in products.indices {
      visit(&products[place], other.products[place])
      visit(&ones[place], other.ones[place])
    }
    visit(&moments, other.moments)
  }

  /// The sums of products, packed.
  var matrix: [Double] {
    zip(products, ones).map { sum, count in
      var sum = sum
      sum.add(1, times: count)
      return sum.value
    }
  }

  /// The sums Σ moment·xᵢ.
  var vector: [Double] { moments.map(\.value) }

  /// Adds a penalty to the diagonal of a packed matrix but for the intercept, column 0.
  static func penalize(_ matrix: inout [Double], _ penalty: Double, dimension: Int) {
    var place = dimension
    for row in 1..<max(1, dimension) {
      matrix[place] += penalty
      place += dimension - row
    }
  }
}

extension PackedSymmetric {
  /// Returns the x with Ax = b; nil if A is not positive definite.
  ///
  /// A is scaled to a unit diagonal first, so that columns of very different sizes lose no digits, and the solution is
  /// refined once.
  static func solve(_ matrix: [Double], _ right: [Double]) -> [Double]? {
    let d = right.count
    var scales: [Double] = []
    var place = 0
    for row in 0..<d {
      guard matrix[place] > 0, matrix[place].isFinite else { return nil }
      scales.append(1 / matrix[place].squareRoot())
      place += d - row
    }
    var scaled = matrix
    place = 0
    for row in 0..<d {
      for column in row..<d {
        scaled[place] *= scales[row] * scales[column]
        place += 1
      }
    }
    guard let factor = factor(scaled, 0, d) else { return nil }
    let target = zip(right, scales).map { $0 * $1 }
    var solution = [Double](repeating: 0, count: d)
    var product = solution
    for _ in 0..<2 {
      multiply(scaled, 0, solution, into: &product)
      var rest = zip(target, product).map { $0 - $1 }
      solveLower(factor, &rest)
      solveUpper(factor, &rest)
      for row in 0..<d { solution[row] += rest[row] }
    }
    guard solution.allSatisfy(\.isFinite) else { return nil }
    return zip(solution, scales).map { $0 * $1 }
  }
}
