internal import Statistics

/// The probability of each of several Dirichlet-distributed shares to be the largest.
///
/// Such shares are independent Gamma variables divided by their sum (L. Devroye, *Non-Uniform Random Variate
/// Generation*, Springer 1986, chapter XI.4.1), so it is the probability that one of these is the largest:
/// ∫ f_i(u)·∏_{j≠i} F_j(u) du, where u is the logarithm of the variable, in which densities are smooth.
///
/// A variable with more takes is stochastically larger, so the integral runs over the range of the favourite, in
/// equal steps no wider than a third of its spread; all others have a wider spread. The trapezoidal rule is then
/// exact to rounding. A distribution function is the running integral of its density, corrected at its upper end by
/// the Euler-Maclaurin formula up to h⁶. The error is below 1e-9, as compared with the incomplete Beta function for
/// two options and with sums of exact fractions for more.
struct LargestShare {
  /// Options with equal takes, and the state of their variable at the current step.
  private struct Group {
    let shape: Double
    let copies: Double
    /// ln of the favourite's shape ÷ this one's, and that ratio less 1.
    let lead: Double
    let excess: Double
    /// The log of the density's constant factor.
    let scale: Double
    /// The density, and the sum of densities since the start with half of the first one.
    var density = 0.0
    var sum = 0.0
    /// The distribution function where the sum starts, less the correction there.
    var start = 0.0
    var distribution = 0.0
    var chance = 0.0

    init(shape: Double, copies: Int, favourite: Double) {
      self.shape = shape
      self.copies = Double(copies)
      excess = (favourite - shape) / shape
      lead = Double.log(onePlus: excess)
      scale =
        0.5 * Double.log(shape / (2 * .pi)) - SpecialFunctions.stirlingError(shape)
    }

    /// Returns the density where the favourite's variable is its shape × (1 + rise), t being ln(1 + rise), and the
    /// Euler-Maclaurin correction.
    @inline(__always)
    func density(at t: Double, rise: Double, step: Double) -> (density: Double, correction: Double) {
      let beyond = excess + (1 + excess) * rise
      let density = Double.exp(scale - shape * (beyond - (t + lead)))
      return (density, density * Self.correction(slope: -shape * beyond, shape: shape, step))
    }

    /// -h²/12·f′ + h⁴/720·f‴ - h⁶/30240·f⁗′ over f, where (ln f)′ is the slope and each further derivative of ln f is
    /// minus the variable, which is shape - slope.
    @inline(__always)
    static func correction(slope: Double, shape: Double, _ step: Double) -> Double {
      let (s, y, h2) = (slope, shape - slope, step * step)
      let third = s * s * s - 3 * s * y - y
      let squares = s * s
      let fifth =
        s * squares * squares - 10 * s * squares * y - 10 * squares * y + 15 * s * y * y
        - 5 * s * y + 10 * y * y - y
      return h2 * (-s / 12 + h2 * (third / 720 - h2 * fifth / 30_240))
    }
  }

  /// Writes the probability of each option into the buffer; they sum to 1.
  ///
  /// - Parameters:
  ///   - takes: The takes of each option, at least one of them positive.
  ///   - prior: The prior weight of each option.
  ///   - confidences: The buffer.
  static func chances(_ takes: [Int], prior: Double, into confidences: inout [Double]) {
    let order = takes.indices.sorted {
      takes[$0] != takes[$1] ? takes[$0] > takes[$1] : $0 < $1
    }
    var groups: [Group] = []
    var place = 0
    while place < order.count {
      var end = place + 1
      while end < order.count, takes[order[end]] == takes[order[place]] { end += 1 }
      groups.append(
        Group(
          shape: Double(takes[order[place]]) + prior, copies: end - place,
          favourite: Double(takes[order[0]]) + prior))
      place = end
    }
    integrate(&groups)
    var total = 0.0
    for group in groups { total += group.chance * group.copies }
    confidences.refill(takes.count) { _ in 0 }
    place = 0
    for group in groups {
      for _ in 0..<Int(group.copies) {
        confidences[order[place]] = group.chance / total
        place += 1
      }
    }
  }

  /// Sets the probability of one option of each group.
  private static func integrate(_ groups: inout [Group]) {
    guard let favourite = groups.first?.shape else { return }
    let (low, high) = ends(shape: favourite)
    let steps = favourite < 16 ? 96 : 48
    let step = (high - low) / Double(steps)
    let firstRise = Double.expMinusOne(low)
    // Variables that are certainly smaller have no chance and are skipped.
    var rivals = 0
    while rivals < groups.count, begin(&groups[rivals], low, firstRise, step, isFirst: rivals == 0) {
      rivals += 1
    }
    guard rivals > 1 || groups[0].copies > 1 else {
      groups[0].chance = 1
      return
    }
    for number in 0...steps {
      let t = low + Double(number) * step
      let rise = Double.expMinusOne(t)
      var product = 1.0
      for index in 0..<rivals {
        let (density, correction) = groups[index].density(at: t, rise: rise, step: step)
        groups[index].sum += density
        let running = step * (groups[index].sum - density / 2)
        let distribution = min(1, max(1e-300, groups[index].start + running + correction))
        (groups[index].density, groups[index].distribution) = (density, distribution)
        let copies = groups[index].copies
        product *= copies == 1 ? distribution : Double.pow(distribution, copies)
      }
      for index in 0..<rivals {
        groups[index].chance +=
          step * groups[index].density * (product / groups[index].distribution)
      }
    }
  }

  /// Starts the running integral of a group.
  ///
  /// - Returns: Whether its variable may exceed the lower end of the favourite's range.
  private static func begin(
    _ group: inout Group, _ low: Double, _ rise: Double, _ step: Double, isFirst: Bool
  ) -> Bool {
    let mass = isFirst ? 0 : below(group, low, rise)
    let (density, correction) = group.density(at: low, rise: rise, step: step)
    group.sum = -density / 2
    group.start = mass - correction
    return mass < 1
  }

  /// Returns the probability that the variable of a group is below the lower end of the favourite's range.
  private static func below(_ group: Group, _ low: Double, _ rise: Double) -> Double {
    let end = low + group.lead
    let (least, largest) = ends(shape: group.shape)
    guard end > least else { return 0 }
    guard end < largest else { return 1 }
    if group.shape < 100 {
      return SpecialFunctions.incompleteGamma(group.shape, group.shape * Double.exp(end))
    }
    let step = (end - least) / 64
    var sum = 0.0
    for number in 0..<64 {
      let t = least + Double(number) * step - group.lead
      sum += group.density(at: t, rise: Double.expMinusOne(t), step: step).density
    }
    let (density, correction) = group.density(at: low, rise: rise, step: step)
    return min(1, step * (sum + density / 2) + correction)
  }

  /// Returns the range of the log of a Gamma variable, less that of its shape, except for a probability of about
  /// 1e-11: the roots of eᵗ - 1 - t = 24 ÷ shape, by Newton's method from outside.
  private static func ends(shape: Double) -> (low: Double, high: Double) {
    let level = 24 / shape
    var (low, high) = (-level - (2 * level).squareRoot(), (2 * level).squareRoot())
    for _ in 0..<8 {
      let (lowRise, highRise) = (Double.expMinusOne(low), Double.expMinusOne(high))
      low -= (lowRise - low - level) / lowRise
      high -= (highRise - high - level) / highRise
    }
    return (low, high)
  }
}
