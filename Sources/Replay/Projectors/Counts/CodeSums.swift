internal import EventLog
internal import Events
internal import Statistics

/// The count and the exact sum of the numbers of each code.
///
/// A batch whose numbers are of similar size is added without branches: every number is split at the same power of
/// two, by adding and subtracting 1.5 · 2^(q + 52), so that the upper parts and the lower parts each sum within a
/// Double without rounding (the splitting of J. Demmel and H. D. Nguyen, "Parallel reproducible summation", IEEE
/// Transactions on Computers 64, 2015). The sums of the batch are then added to exact sums. Other batches are added
/// number by number. The result therefore does not depend on the order of the log or how it is divided.
struct CodeSums: Sendable {
  /// The number of sums that the numbers of a code rotate among, because a processor that adds to what it has just
  /// written must wait.
  private static let laneCount = 8

  /// The codes of the rows of a batch, which count where the kind is the wanted one.
  private struct Rows {
    var codes: [UInt32]
    var kinds: [UInt8]
    var kind: UInt8
  }

  private(set) var counts: [Int] = []
  /// The sums by code; empty for a code without numbers.
  private(set) var sums: [ExactSum] = []
  private var upper: [Double] = []
  private var lower: [Double] = []
  private var numbers: [Int32] = []
  /// The split of the previous batch, which usually fits the next one as well.
  private var last: Cut?

  /// Reserves room for codes below the limit.
  mutating func reserve(_ limit: UInt32) {
    let more = Int(limit) - counts.count
    guard more > 0 else { return }
    counts.append(contentsOf: repeatElement(0, count: more))
    sums.append(contentsOf: repeatElement(ExactSum(), count: more))
    upper.append(contentsOf: repeatElement(0, count: more * Self.laneCount))
    lower.append(contentsOf: repeatElement(0, count: more * Self.laneCount))
    numbers.append(contentsOf: repeatElement(0, count: more * Self.laneCount))
  }

  /// Adds the numbers of the events of a kind in a batch.
  ///
  /// - Parameters:
  ///   - column: The numbers.
  ///   - codes: The code of each row; codes at or above the reserved limit are skipped.
  ///   - kinds: The kind of each row. Numbers of other kinds, and those of lost events, count for code 0.
  ///   - kind: The kind of the events, whose codes are not 0.
  mutating func add(
    _ column: NumberColumn, by codes: [UInt32], of kinds: [UInt8], _ kind: EventKind
  ) {
    let count = column.present.count
    guard codes.count == count, kinds.count == count,
      column.dense.count == column.present.setCount
    else { return }
    let rows = Rows(codes: codes, kinds: kinds, kind: kind.rawValue)
    let isWorthIt = counts.count * 4 <= column.dense.count
    if isWorthIt, let last, last.fits(column.dense.count), addParts(column, rows, last) {
      return flush()
    }
    last = isWorthIt ? Cut(column.dense) : nil
    if let last, addParts(column, rows, last) { return flush() }
    column.forEach { row, number in
      let code = kinds[row] == kind.rawValue ? Int(codes[row]) : 0
      guard code < counts.count else { return }
      counts[code] += 1
      sums[code].add(number)
    }
  }

  /// Adds a sum of other numbers to a code.
  mutating func add(_ sum: ExactSum, count: Int, of code: UInt32) {
    reserve(code + 1)
    counts[Int(code)] += count
    sums[Int(code)].merge(sum)
  }

  /// Adds a number as many times as given to a code.
  mutating func add(_ number: Double, times count: Int, of code: UInt32) {
    reserve(code + 1)
    counts[Int(code)] += count
    if 0x1p-900...0x1p900 ~= number.magnitude {
      // The product and its rounding error are exact in this range.
      sums[Int(code)].add(product: number, Double(count))
    } else {
      for _ in 0..<(number == 0 ? 1 : count) { sums[Int(code)].add(number) }
    }
  }

  /// Adds the numbers of a batch to the empty lanes.
  ///
  /// - Returns: Whether the split fits all of them; if not, the lanes are empty again.
  private mutating func addParts(_ column: NumberColumn, _ rows: Rows, _ cut: Cut) -> Bool {
    let limit = UInt32(counts.count)
    let dense = column.dense
    let kind = rows.kind
    var unfit = false
    // Safety: there are lanes for every code below the limit, others are skipped; a column has as many dense numbers
    // as rows with a number, all of which are rows of the codes and kinds.
    unsafe upper.withUnsafeMutableBufferPointer { upper in
      unsafe lower.withUnsafeMutableBufferPointer { lower in
        unsafe numbers.withUnsafeMutableBufferPointer { numbers in
          unsafe rows.codes.withUnsafeBufferPointer { codes in
            unsafe rows.kinds.withUnsafeBufferPointer { kinds in
              unsafe dense.withUnsafeBufferPointer { dense in
                var next = 0
                column.present.forEachSet { row in
                  let code = unsafe kinds[row] == kind ? codes[row] : 0
                  let number = unsafe dense[next]
                  next &+= 1
                  guard code < limit else { return }
                  unfit = unfit || !cut.isRight(for: number)
                  let place = Int(code) &* Self.laneCount &+ (next & (Self.laneCount - 1))
                  let high = (number + cut.value) - cut.value
                  unsafe upper[place] += high
                  unsafe lower[place] += number - high
                  unsafe numbers[place] &+= 1
                }
              }
            }
          }
        }
      }
    }
    if unfit { clear() }
    return !unfit
  }

  private mutating func clear() {
    for place in numbers.indices where numbers[place] != 0 {
      numbers[place] = 0
      upper[place] = 0
      lower[place] = 0
    }
  }

  private mutating func flush() {
    for place in numbers.indices where numbers[place] != 0 {
      let code = place / Self.laneCount
      counts[code] += Int(numbers[place])
      sums[code].add(upper[place])
      sums[code].add(lower[place])
      numbers[place] = 0
      upper[place] = 0
      lower[place] = 0
    }
  }
}

extension CodeSums {
  /// A split of numbers into two parts whose sums are never rounded.
  ///
  /// With at most n numbers for each sum, all below 2^(e + 1) in magnitude and multiples of 2^(f - 52): upper parts
  /// are multiples of 2^q and exact while n · 2^(e + 1) ≤ 2^(q + 53); lower parts are at most 2^(q - 1) and exact
  /// while n · 2^(q - 1) ≤ 2^(f + 1).
  struct Cut: Sendable {
    /// 1.5 · 2^(q + 52): adding and subtracting it rounds a number to the nearest multiple of 2^q.
    let value: Double
    /// The bits of the smallest allowed magnitude of a nonzero number, and the bits from which on a number is too
    /// large.
    private let low: UInt64
    private let high: UInt64
    /// The maximum total count of numbers.
    private let most: Int

    /// Creates a split for the numbers; nil if their magnitudes are too far apart.
    init?(_ numbers: [Double]) {
      var largest: UInt64 = 0
      var smallest = UInt64.max
      for number in numbers {
        let magnitude = number.bitPattern & (1 << 63 - 1)
        largest = max(largest, magnitude)
        // A zero is a multiple of everything: it becomes the largest number there is.
        smallest = min(smallest, magnitude &- 1)
      }
      let e = Int(largest >> 52) - 1_023
      let f = Int((smallest &+ 1) >> 52) - 1_023
      let perSum = numbers.count / laneCount + 1
      let bits = Int.bitWidth - (perSum - 1).leadingZeroBitCount
      let q = e + 1 + bits - 53
      guard largest > 0, e <= 900, f >= -900, bits + q - 1 <= f + 1 else { return nil }
      value = 1.5 * Double(sign: .plus, exponent: q + 52, significand: 1)
      // The next batch may hold smaller numbers than this one: allow for the smallest that the bound permits.
      low = UInt64(bits + q - 2 + 1_023) << 52
      high = (largest >> 52 + 1) << 52
      most = (1 << bits) * laneCount - laneCount
    }

    /// Returns whether the split fits a count of numbers.
    func fits(_ count: Int) -> Bool { count <= most }

    /// Returns whether the split fits a number.
    @inline(__always)
    func isRight(for number: Double) -> Bool {
      let magnitude = number.bitPattern & (1 << 63 - 1)
      return magnitude &- low < high &- low || magnitude == 0
    }
  }
}
