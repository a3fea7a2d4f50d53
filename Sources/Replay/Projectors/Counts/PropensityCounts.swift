internal import EventLog
internal import Events

/// Counts the decisions of a batch by experiment, variant and propensity, where a log stores few distinct propensities:
/// a sum is then that of a product for each distinct propensity instead of one number for each decision.
struct PropensityCounts: Sendable {
  /// Rows use the counters of a cell in turn, because a processor that adds to what it has just written must wait.
  private static let laneCount = 2

  private let variantLimit: UInt32
  private let experimentBits: UInt32
  private let variantBits: UInt32
  /// By pair, propensity and lane; all zero between batches. The first pair counts rows that are not decisions; the
  /// propensity after the last distinct one counts decisions without any.
  private var counters: [UInt16] = []
  /// The first counter of the pair of each row.
  private var places: [UInt32] = []

  /// Creates counts for codes below the limits.
  init(experiments: UInt32, variants: UInt32) {
    variantLimit = max(1, variants)
    experimentBits = Self.bits(max(1, experiments) - 1)
    variantBits = Self.bits(variantLimit - 1)
  }

  private static func bits(_ number: UInt32) -> UInt32 {
    UInt32(UInt32.bitWidth - number.leadingZeroBitCount)
  }

  /// Counts the decisions of a batch and calls the closure with each count that is not zero.
  ///
  /// - Parameters:
  ///   - batch: The batch, with experiments, variants and indexed propensities.
  ///   - body: Receives the code of a pair, which is that of the experiment times the limit of variants, plus that of
  ///     the variant; a propensity, nil for decisions without one; and the number of such decisions.
  /// - Returns: Whether the decisions are counted: they are not if the batch has no indexed propensities, or too many
  ///   distinct ones for its number of events.
  mutating func count(
    _ batch: EventBatch, _ body: (_ pair: Int, _ propensity: Double?, _ count: Int) -> Void
  ) -> Bool {
    let numbers = batch.indexedPropensities
    // No counter can overflow: each counts at most half of the rows with a number, or at most all of those without.
    guard batch.count <= 1 << 16, numbers.present.count == batch.count, !numbers.indices.isEmpty,
      numbers.indices.count == numbers.present.setCount, numbers.distinct.count < 1 << 16
    else { return false }
    let numberBits = Self.bits(UInt32(numbers.distinct.count))
    let cellBits = experimentBits + variantBits + numberBits
    guard cellBits < 16, 1 << Int(cellBits) <= batch.count else { return false }
    // The first pair comes before those with codes.
    let cellCount = 1 << Int(cellBits) + 1 << Int(numberBits)
    let more = cellCount * Self.laneCount - counters.count
    if more > 0 { counters.append(contentsOf: repeatElement(0, count: more)) }
    guard let decisions = place(batch, numberBits) else { return false }
    countNumbers(numbers)
    let others = (0..<numbers.distinct.count).reduce(0) { $0 + take($1) }
    if decisions > numbers.indices.count - others { countOthers(numbers) }
    flush(numbers.distinct, numberBits, cellCount, body)
    return true
  }

  /// Computes the first counter of the pair of each row.
  ///
  /// - Returns: The number of decisions; nil if a code is beyond its limit.
  private mutating func place(_ batch: EventBatch, _ numberBits: UInt32) -> Int? {
    let count = batch.count
    let (experiments, variants, kinds) = (batch.experiments, batch.variants, batch.kinds)
    guard experiments.count == count, variants.count == count, kinds.count == count else {
      return nil
    }
    if places.count != count { places = Array(repeating: 0, count: count) }
    let (kind, variantBits) = (EventKind.decision.rawValue, variantBits)
    let pairBits = numberBits + UInt32(Self.laneCount.trailingZeroBitCount)
    var (experimentUnion, variantUnion, decisions): (UInt32, UInt32, UInt32) = (0, 0, 0)
    // Safety: rows are below the count of all four.
    unsafe places.withUnsafeMutableBufferPointer { places in
      unsafe experiments.withUnsafeBufferPointer { experiments in
        unsafe variants.withUnsafeBufferPointer { variants in
          unsafe kinds.withUnsafeBufferPointer { kinds in
            for row in 0..<count {
              let (experiment, variant) = unsafe (experiments[row], variants[row])
              experimentUnion |= experiment
              variantUnion |= variant
              let pair = experiment &<< variantBits &+ variant &+ 1
              let isDecision: UInt32 = unsafe kinds[row] == kind ? .max : 0
              unsafe places[row] = pair &<< pairBits & isDecision
              decisions &-= isDecision
            }
          }
        }
      }
    }
    let areWithin = experimentUnion >> experimentBits == 0 && variantUnion >> variantBits == 0
    return areWithin ? Int(decisions) : nil
  }

  /// Counts every row with a number in the cell of its pair and number.
  private mutating func countNumbers(_ numbers: IndexedNumbers) {
    let (rows, indices) = (numbers.present, numbers.indices)
    // Safety: a place is that of a pair, which has counters for more than the distinct numbers, and each index is below
    // their count; the rows that are set are as many as the indices, and below the count of places.
    unsafe counters.withUnsafeMutableBufferPointer { counters in
      unsafe places.withUnsafeBufferPointer { places in
        unsafe indices.withUnsafeBufferPointer { indices in
          var next = 0
          rows.forEachSet { row in
            let cell = unsafe Int(places[row] &+ indices[next] &* UInt32(Self.laneCount))
            unsafe counters[cell &+ (next & (Self.laneCount - 1))] &+= 1
            next &+= 1
          }
        }
      }
    }
  }

  /// Counts every row without a number in the last cell of its pair.
  private mutating func countOthers(_ numbers: IndexedNumbers) {
    let last = numbers.distinct.count * Self.laneCount
    for row in places.indices where !numbers.present[row] { counters[Int(places[row]) + last] += 1 }
  }

  /// Calls the closure with the counts, and sets them to zero.
  private mutating func flush(
    _ distinct: [Double], _ numberBits: UInt32, _ cellCount: Int,
    _ body: (_ pair: Int, _ propensity: Double?, _ count: Int) -> Void
  ) {
    let perPair = 1 << Int(numberBits)
    for start in stride(from: 0, to: cellCount, by: perPair) where isCounted(start, perPair) {
      let pair = start / perPair - 1
      let (experiment, variant) = (pair >> Int(variantBits), pair & (1 << Int(variantBits) - 1))
      for index in 0...distinct.count {
        let count = take(start + index)
        guard count > 0, pair >= 0 else { continue }
        let propensity = index < distinct.count ? distinct[index] : nil
        body(experiment * Int(variantLimit) + variant, propensity, count)
      }
    }
  }

  /// Returns whether one of some cells is not zero.
  private func isCounted(_ start: Int, _ count: Int) -> Bool {
    var union: UInt16 = 0
    for counter in counters[start * Self.laneCount..<(start + count) * Self.laneCount] {
      union |= counter
    }
    return union != 0
  }

  /// Returns the count of a cell and sets it to zero.
  private mutating func take(_ cell: Int) -> Int {
    var count = 0
    for lane in cell * Self.laneCount..<(cell + 1) * Self.laneCount where counters[lane] != 0 {
      count += Int(counters[lane])
      counters[lane] = 0
    }
    return count
  }
}
