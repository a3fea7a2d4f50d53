internal import Specifications
internal import Statistics

/// Up to six values of one unit.
typealias UnitValues = InlineArray<6, Double>

/// Exact sums of the values of units, of their numbers of decisions, and of the products of any two of these: all that
/// an estimate and its standard error by the delta method need.
///
/// - Complexity: 48 bytes per sum and product; an addition is O(width²) without allocation.
struct UnitProducts: StateFields, Equatable {
  /// The number of values of a unit.
  let width: Int
  /// The number of units.
  private(set) var units = 0
  /// The number of decisions.
  private(set) var decisions = 0
  private var sums: [ExactSum]
  /// The sums of products i ≤ j, row by row.
  private var products: [ExactSum]
  /// The sums of (n − 1)·value, and of (n − 1)·n at the end, where n is a unit's number of decisions: nothing for a
  /// unit with a single one.
  private var excess: [ExactSum]

  /// Creates sums without units.
  ///
  /// - Parameter width: The number of values that are used, at most 6.
  init(_ width: Int) {
    self.width = width
    sums = [ExactSum](repeating: ExactSum(), count: width)
    products = [ExactSum](repeating: ExactSum(), count: width * (width + 1) / 2)
    excess = [ExactSum](repeating: ExactSum(), count: width + 1)
  }

  /// Adds a number of units with the same values and the same number of decisions.
  mutating func add(_ values: UnitValues, decisions count: Int = 1, times: Int = 1) {
    units += times
    decisions += count * times
    let more = Double(count - 1)
    if count > 1 { excess[width].add(product: more, Double(count), times: times) }
    var row = 0
    for i in 0..<width {
      let value = values[i]
      defer { row += width - i }
      // A zero changes no sum, and most rewards are zero.
      if value == 0 { continue }
      sums[i].add(value, times: times)
      if count > 1 { excess[i].add(product: more, value, times: times) }
      for j in i..<width where values[j] != 0 {
        products[row + j - i].add(product: value, values[j], times: times)
      }
    }
  }

  /// Visits the sums, which are those of units of the same width.
  mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    precondition(width == other.width, "sums of different widths do not merge")
    visit(&units, other.units)
    visit(&decisions, other.decisions)
    visit(&sums, other.sums)
    visit(&products, other.products)
    visit(&excess, other.excess)
  }

  /// Returns the sum of a value.
  func sum(_ index: Int) -> ExactSum { sums[index] }

  /// Returns Σ over units of (c·n + Σᵢ cᵢ·valueᵢ)², exact for these coefficients until it is rounded. A result within
  /// the rounding error of the coefficients is zero.
  ///
  /// - Parameters:
  ///   - count: The coefficient c of a unit's number of decisions.
  ///   - coefficients: The coefficients of the values.
  /// - Returns: The sum, not negative unless it is NaN.
  func squares(_ count: Double, _ coefficients: [Double]) -> Double {
    var total = ExactSum()
    var scale = 0.0
    func add(_ a: Double, _ b: Double, _ sum: ExactSum, isDiagonal: Bool) {
      guard a != 0, b != 0 else { return }
      let factor = isDiagonal ? a : 2 * a
      let high = factor * b
      let low = (-high).addingProduct(factor, b)
      for term in sum.expansion {
        total.add(product: high, term)
        total.add(product: low, term)
      }
      if isDiagonal { scale += high * sum.value }
    }
    var size = excess[width]
    size.add(Double(decisions))
    add(count, count, size, isDiagonal: true)
    var place = 0
    for i in 0..<width {
      var product = excess[i]
      product.merge(sums[i])
      add(count, coefficients[i], product, isDiagonal: false)
      for j in i..<width {
        add(coefficients[i], coefficients[j], products[place], isDiagonal: i == j)
        place += 1
      }
    }
    let squares = total.value
    guard squares.isFinite, scale.isFinite else { return .nan }
    return squares <= scale * Self.roundingError ? 0 : squares
  }

  /// Whether no sum and no product has overflowed.
  var isFinite: Bool {
    sums.allSatisfy { $0.value.isFinite } && products.allSatisfy { $0.value.isFinite }
  }

  /// The square of a relative difference that is only rounding error: (2⁻⁵⁰)².
  private static let roundingError = 0x1p-100
}
