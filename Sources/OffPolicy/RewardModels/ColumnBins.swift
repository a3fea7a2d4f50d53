internal import Bandits

/// How often the values of a column occurred: all of them or, beyond 1024 different ones, ranges of adjacent Doubles.
///
/// Ranges are as narrow as that limit allows: their bounds have as many leading bits as possible. So they depend on the
/// values alone, not on their order or on how parts were merged.
struct ColumnTally: Sendable {
  private static let mostKeys = 1024

  /// The number of values that are 1, those of one-hot columns.
  private var ones = 0
  /// By the leading bits of the value.
  private var counts: [Int64: Int] = [:]
  /// The number of bits that were dropped.
  private var shift: Int64 = 0

  mutating func add(_ value: Double) {
    guard value != 1 else { return ones += 1 }
    counts[Self.order(value) >> shift, default: 0] += 1
    if counts.count > Self.mostKeys { coarsen(to: shift + 1) }
  }

  mutating func merge(_ other: ColumnTally) {
    ones += other.ones
    if other.shift > shift { coarsen(to: other.shift) }
    for (key, count) in other.counts { counts[key >> (shift - other.shift), default: 0] += count }
    if counts.count > Self.mostKeys { coarsen(to: shift + 1) }
  }

  /// Drops bits until there are few enough ranges.
  private mutating func coarsen(to least: Int64) {
    var target = least
    repeat {
      var coarse: [Int64: Int] = [:]
      for (key, count) in counts { coarse[key >> (target - shift), default: 0] += count }
      (counts, shift) = (coarse, target)
      target += 1
    } while counts.count > Self.mostKeys
  }

  /// Returns the lower bounds of all bins but the lowest, for at most so many bins of about equally many rows.
  ///
  /// - Parameters:
  ///   - bins: The maximum number of bins.
  ///   - rows: The number of all rows; in those without a value, it is zero.
  /// - Returns: The bounds, ascending.
  func bounds(_ bins: Int, rows: Int) -> [Double] {
    var all = counts
    if ones > 0 { all[Self.order(1) >> shift, default: 0] += ones }
    let zeros = rows - all.values.reduce(0, +)
    if zeros > 0 { all[0, default: 0] += zeros }
    let keys = all.keys.sorted()
    var bounds: [Double] = []
    var (taken, since) = (0, 0)
    for key in keys {
      let size = all[key] ?? 0
      let isFull =
        since > 0 && (keys.count <= bins || since * (bins - bounds.count) >= rows - taken)
      if isFull, bounds.count < bins - 1 {
        bounds.append(Self.value(key << shift))
        taken += since
        since = 0
      }
      since += size
    }
    return bounds
  }

  /// Returns an integer in the order of the Doubles; 0 for zero.
  private static func order(_ value: Double) -> Int64 {
    let bits = Int64(bitPattern: value.bitPattern)
    return bits < 0 ? bits ^ Int64.max : bits
  }

  private static func value(_ order: Int64) -> Double {
    Double(bitPattern: UInt64(bitPattern: order < 0 ? order ^ Int64.max : order))
  }
}

/// The bins of all columns. The bin of a column that holds zero has no index; all others are numbered from 1, and 0 is
/// the intercept, so a row has indices only for its features that are not zero.
struct ColumnBins: Sendable {
  /// The lower bounds of the bins but the lowest, one column after the other.
  private(set) var bounds: [Double] = []
  /// The position of the first bound of each column, and of the end.
  private(set) var starts = [0]
  /// The bin of each column that holds zero.
  private(set) var zeros: [Int] = []

  init(_ columns: [[Double]]) {
    for column in columns {
      zeros.append(column.count { $0 <= 0 })
      bounds += column
      starts.append(bounds.count)
    }
  }

  /// The number of indices with the intercept: a column has one less than it has bins.
  var count: Int { bounds.count + 1 }

  var columnCount: Int { zeros.count }

  /// Returns the number of bins of a column.
  func binCount(_ column: Int) -> Int { starts[column + 1] - starts[column] + 1 }

  /// Returns the index of a bin; nil for the one that holds zero.
  @inline(__always)
  func index(_ column: Int, _ bin: Int) -> Int? {
    let zero = zeros[column]
    return bin == zero ? nil : starts[column] &+ bin &+ (bin < zero ? 1 : 0)
  }

  /// Returns the bin of a value.
  @inline(__always)
  func bin(_ column: Int, _ value: Double) -> Int {
    let (first, end) = (starts[column], starts[column &+ 1])
    var (low, high) = (first, end)
    while low < high {
      let middle = (low &+ high) / 2
      if bounds[middle] <= value { low = middle &+ 1 } else { high = middle }
    }
    return low &- first
  }

  /// Writes a 1 for each bin of a row but those that hold zero, and for the intercept.
  @inline(__always)
  func write(_ features: FeatureVector, into bins: inout FeatureVector) {
    bins.removeAll()
    bins.append(0, 1)
    for entry in features.entries where entry.column < columnCount {
      if let index = index(entry.column, bin(entry.column, entry.value)) { bins.append(index, 1) }
    }
  }
}
