public import Specifications
internal import Statistics

/// Exact sums of the values of units, of their numbers of decisions, and of the products of any two of these: all that
/// an estimate and its standard error by the delta method need.
///
/// - Complexity: 48 bytes per sum and product; an addition is O(width²) without allocation.
public struct MomentSums: EstimatorSums, StateFields {
  /// The number of values by which the sums grow for a unit that has more than all before; nil if all have as many.
  private let step: Int?
  /// The number of units.
  public private(set) var units = 0
  /// The number of decisions.
  public private(set) var decisions = 0
  /// The number of decisions that the target policy could have made too: those with a weight above zero.
  public private(set) var matched = 0
  private var sums: [ExactSum]
  /// The sums of products i ≤ j, column by column.
  private var products: [ExactSum]
  /// The sums of (n − 1)·n, and of (n − 1)·value, where n is a unit's number of decisions: nothing for a unit with a
  /// single one.
  private var excess: [ExactSum]

  /// Creates sums without units.
  ///
  /// - Parameters:
  ///   - width: The number of values of a unit, at most 6.
  ///   - step: A unit may have this number of values more, or a multiple of it, which are zero for the others; nil if
  ///     none has.
  init(_ width: Int, growingBy step: Int? = nil) {
    self.step = step
    sums = [ExactSum](repeating: ExactSum(), count: width)
    products = [ExactSum](repeating: ExactSum(), count: width * (width + 1) / 2)
    excess = [ExactSum](repeating: ExactSum(), count: width + 1)
  }

  public var moments: MomentSums { self }

  /// The number of values of a unit.
  var width: Int { sums.count }

  /// Adds a number of units with the same values.
  mutating func add(_ unit: UnitValues, times: Int) {
    add(unit.values.span, decisions: unit.count, matched: unit.matched, times: times)
  }

  /// Adds a number of units with the same values, as many as there are sums unless these grow, and with the same
  /// numbers of decisions and of those with weight.
  @inline(__always)
  mutating func add(_ values: Span<Double>, decisions count: Int, matched: Int, times: Int) {
    if step != nil { widen(to: values.count) }
    units += times
    decisions += count * times
    self.matched += matched * times
    let more = Double(count - 1)
    if count > 1 { excess[0].add(product: more, Double(count), times: times) }
    var column = 0
    for j in 0..<min(width, values.count) {
      let value = values[j]
      defer { column += j + 1 }
      // A zero changes no sum, and most rewards are zero.
      if value == 0 { continue }
      sums[j].add(value, times: times)
      if count > 1 { excess[j + 1].add(product: more, value, times: times) }
      for i in 0...j where values[i] != 0 {
        products[column + i].add(product: values[i], value, times: times)
      }
    }
  }

  private mutating func widen(to width: Int) {
    for column in self.width..<max(width, self.width) {
      sums.append(ExactSum())
      excess.append(ExactSum())
      products += repeatElement(ExactSum(), count: column + 1)
    }
  }

  /// Visits the sums, which are those of units of the same width unless they grow.
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&units, other.units)
    visit(&decisions, other.decisions)
    visit(&matched, other.matched)
    guard step != nil else {
      precondition(width == other.width, "sums of different widths do not merge")
      visit(&sums, other.sums)
      visit(&products, other.products)
      visit(&excess, other.excess)
      return
    }
    visit.list(&sums, other.sums, ExactSum())
    visit.list(&products, other.products, ExactSum())
    visit.list(&excess, other.excess, ExactSum())
  }

  public func validate() throws(StateError) {
    guard products.count == width * (width + 1) / 2, excess.count == width + 1,
      width.isMultiple(of: step ?? 1)
    else { throw StateError("the numbers of sums, of their products and of a unit's values do not match") }
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
    var size = excess[0]
    size.add(Double(decisions))
    add(count, count, size, isDiagonal: true)
    var place = 0
    for j in 0..<width {
      var product = excess[j + 1]
      product.merge(sums[j])
      add(count, coefficients[j], product, isDiagonal: false)
      for i in 0...j {
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

extension MomentSums {
  /// Returns √(U/(U − 1)·Σ(influence)²)/scale; nil for fewer than two units.
  func deviation(_ influence: (count: Double, values: [Double]), scale: Double) -> Double? {
    guard units > 1, isFinite else { return nil }
    let squares = squares(influence.count, influence.values)
    guard squares.isFinite else { return nil }
    let n = Double(units)
    return (squares * n / (n - 1)).squareRoot() / abs(scale)
  }
}
