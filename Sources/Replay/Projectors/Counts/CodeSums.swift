internal import EventLog
internal import Statistics

/// How many numbers there are of each code, and their exact sum.
///
/// A batch whose numbers are of similar size is added without a branch: every number is cut at the same power of two,
/// by adding and taking away 1.5 · 2^(q + 52), so that neither the upper parts nor the lower parts, of which each adds
/// up within a Double without rounding, lose anything (the cut of J. Demmel and H. D. Nguyen, "Parallel reproducible
/// summation", IEEE Transactions on Computers 64, 2015). What the batch came to is then added to exact sums. Other
/// batches are added number by number. So the order of the log, and how it is divided, show nowhere.
struct CodeSums: Sendable {
  /// Codes are taken in turn by so many sums, because a processor that adds to what it has just written must wait.
  private static let laneCount = 8

  private(set) var counts: [Int] = []
  /// By code; a code that no number had has an empty one.
  private(set) var sums: [ExactSum] = []
  private var upper: [Double] = []
  private var lower: [Double] = []
  private var numbers: [Int32] = []

  /// Makes room for codes below the limit.
  mutating func reserve(_ limit: UInt32) {
    let more = Int(limit) - counts.count
    guard more > 0 else { return }
    counts.append(contentsOf: repeatElement(0, count: more))
    sums.append(contentsOf: repeatElement(ExactSum(), count: more))
    upper.append(contentsOf: repeatElement(0, count: more * Self.laneCount))
    lower.append(contentsOf: repeatElement(0, count: more * Self.laneCount))
    numbers.append(contentsOf: repeatElement(0, count: more * Self.laneCount))
  }

  /// Adds the numbers of a batch.
  ///
  /// - Parameters:
  ///   - column: The numbers.
  ///   - codes: A code for each row, below the limit for which there is room; others are passed over.
  mutating func add(_ column: NumberColumn, by codes: [UInt32]) {
    guard codes.count == column.present.count, column.dense.count == column.present.setCount else {
      return
    }
    if let cut = Self.cut(column.dense), counts.count * 4 <= column.dense.count {
      addParts(column, codes, cut)
      flush()
    } else {
      column.forEach { row, number in
        let code = Int(codes[row])
        guard code < counts.count else { return }
        counts[code] += 1
        sums[code].add(number)
      }
    }
  }

  /// Adds the sums of other numbers.
  mutating func add(_ sum: ExactSum, count: Int, of code: UInt32) {
    reserve(code + 1)
    counts[Int(code)] += count
    sums[Int(code)].merge(sum)
  }

  /// What cuts the numbers so that neither part of their sums is ever rounded; nil when nothing does.
  ///
  /// With at most n numbers for each sum, all below 2^(e + 1) in magnitude and multiples of 2^(f - 52): upper parts are
  /// multiples of 2^q and exact while n · 2^(e + 1) ≤ 2^(q + 53); lower parts are at most 2^(q - 1) and exact while
  /// n · 2^(q - 1) ≤ 2^(f + 1).
  static func cut(_ numbers: [Double]) -> Double? {
    var largest: UInt64 = 0
    var smallest = UInt64.max
    for number in numbers {
      let magnitude = number.bitPattern & (1 << 63 - 1)
      largest = max(largest, magnitude)
      // A zero is a multiple of everything: it becomes the largest number there is.
      smallest = min(smallest, magnitude &- 1)
    }
    guard largest > 0 else { return 0 }
    let high = Int(largest >> 52) - 1_023
    let low = Int((smallest &+ 1) >> 52) - 1_023
    let perSum = numbers.count / laneCount + 1
    let bits = Int.bitWidth - (perSum - 1).leadingZeroBitCount
    let q = high + 1 + bits - 53
    guard high <= 900, low >= -900, bits + q - 1 <= low + 1 else { return nil }
    return 1.5 * Double(sign: .plus, exponent: q + 52, significand: 1)
  }

  private mutating func addParts(_ column: NumberColumn, _ codes: [UInt32], _ cut: Double) {
    let limit = UInt32(counts.count)
    let dense = column.dense
    // Safety: there are lanes for every code below the limit, others are passed over; a column has as many dense
    // numbers as rows with a number, all of which are rows of the codes.
    unsafe upper.withUnsafeMutableBufferPointer { upper in
      unsafe lower.withUnsafeMutableBufferPointer { lower in
        unsafe numbers.withUnsafeMutableBufferPointer { numbers in
          unsafe codes.withUnsafeBufferPointer { codes in
            unsafe dense.withUnsafeBufferPointer { dense in
              var next = 0
              column.present.forEachSet { row in
                let code = unsafe codes[row]
                let number = unsafe dense[next]
                next &+= 1
                guard code < limit else { return }
                let place = Int(code) &* Self.laneCount &+ (next & (Self.laneCount - 1))
                let high = (number + cut) - cut
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
