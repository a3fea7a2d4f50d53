public import Specifications
internal import Statistics

/// The distribution of importance weights in bins of a sixteenth of an octave, from which the weight of the tail
/// follows.
///
/// A bin has the exact number and the exact sum of its weights, so histograms merge exactly. Its upper end is at most
/// 6.3 % above its lower one, which bounds the relative error of a quantile.
public struct WeightHistogram: StateFields, Equatable {
  /// A bin with at least one weight.
  public struct Bin: Sendable, Equatable {
    /// The lower end, which belongs to the bin.
    public let low: Double
    /// The upper end, which does not; the bin of zero ends at zero.
    public let high: Double
    /// The number of weights.
    public let count: Int
    /// The sum of the weights.
    public let sum: Double

    /// The mean of the weights.
    public var mean: Double { min(max(sum / Double(count), low), high) }
  }

  private struct Content: StateFields, Equatable {
    var count = 0
    var sum = ExactSum()

    mutating func add(_ weight: Double, times: Int) {
      count += times
      sum.add(weight, times: times)
    }

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&count, other.count)
      visit(&sum, other.sum)
    }
  }

  /// By the exponent and the first four bits of the significand.
  private var contents: [UInt64: Content] = [:]
  /// The number of weights.
  public private(set) var count = 0

  /// Creates a histogram without weights.
  public init() {}

  /// Adds a weight a number of times; ignores one that is negative or not finite.
  ///
  /// - Precondition: `times` is not negative.
  public mutating func add(_ weight: Double, times: Int = 1) {
    guard weight >= 0, weight.isFinite, times > 0 else { return }
    count += times
    let key = weight == 0 ? 0 : weight.bitPattern >> 48
    contents[key, default: Content()].add(weight, times: times)
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    // The bins of finite weights.
    let limit = Int(Double.infinity.bitPattern >> 48)
    visit.entries(&contents, other.contents, .below(limit), Content())
    count = contents.values.reduce(0) { $0 + $1.count }
  }

  /// The bins that have weights, ascending.
  public var bins: [Bin] {
    contents.sorted { $0.key < $1.key }.map { key, content in
      let low = Double(bitPattern: key << 48)
      let sum = content.sum.value
      let high = sum == 0 ? 0 : Double(bitPattern: (key + 1) << 48)
      return Bin(low: low, high: high, count: content.count, sum: sum)
    }
  }

  /// Returns the weight below which a share of the decisions lies, to within 6.3 %; nil without weights.
  ///
  /// - Parameter share: The share, from 0 to 1.
  /// - Returns: The mean of the bin in which the weight lies.
  public func quantile(_ share: Double) -> Double? {
    let rank = min(max(share, 0), 1) * Double(count)
    var below = 0
    for bin in bins {
      below += bin.count
      if Double(below) >= rank { return bin.mean }
    }
    return nil
  }

  /// Returns the share of the total weight that the decisions with the greatest weights hold; nil if all are zero.
  ///
  /// Exact if the decisions are those of whole bins; a part of a bin counts with its mean.
  ///
  /// - Parameter share: The share of the decisions, from 0 to 1, such as 0.01 for the greatest 1 %.
  /// - Returns: The share of the weight, near `share` if all weights are about the same.
  public func weightShare(ofGreatest share: Double) -> Double? {
    var rest = min(max(share, 0), 1) * Double(count)
    var held = 0.0
    let bins = bins
    for bin in bins.reversed() {
      let taken = min(rest, Double(bin.count))
      held += taken == Double(bin.count) ? bin.sum : taken * bin.mean
      rest -= taken
    }
    let total = bins.reduce(0) { $0 + $1.sum }
    return total > 0 ? min(1, held / total) : nil
  }

  /// Hill's estimate of the tail index ξ: the mean of ln(w/u) over the weights from a threshold u on; nil for fewer
  /// than 20 of these.
  ///
  /// Weights with a tail of w^(−1/ξ) have an infinite variance from ξ = 0.5 on, and standard errors and normal
  /// intervals do not hold; above 0.7 no estimate from the weights is reliable. B. M. Hill, "A simple general approach
  /// to inference about the tail of a distribution" (Annals of Statistics 3, 1975); A. Vehtari et al., "Pareto smoothed
  /// importance sampling" (JMLR 25, 2024) for these limits and for the size of the tail, min(n/5, 3√n), here rounded up
  /// to whole bins whose weights count with their mean.
  public var tailIndex: Double? {
    let wanted = min(Double(count) / 5, 3 * Double(count).squareRoot())
    var tail: [Bin] = []
    var size = 0
    for bin in bins.reversed() where bin.low > 0 && Double(size) < wanted {
      tail.append(bin)
      size += bin.count
    }
    guard size >= 20, let threshold = tail.last?.low else { return nil }
    let logs = tail.reduce(0.0) { $0 + Double($1.count) * Double.log($1.mean / threshold) }
    return logs / Double(size)
  }
}
