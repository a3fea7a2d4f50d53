/// The bins of a learning curve by the number of earlier takes of a unit: one for each number below 8, then four per
/// doubling, 64 in all, the last one unbounded.
enum HistoryBins {
  static let count = 64

  /// Returns the bin of a number of takes.
  @inline(__always)
  static func index(_ takes: Int) -> Int {
    guard takes >= 8 else { return max(0, takes) }
    let power = Int.bitWidth &- 1 &- takes.leadingZeroBitCount
    let quarter = (takes &>> (power &- 2)) & 3
    return min(count &- 1, 8 &+ (power &- 3) &* 4 &+ quarter)
  }

  /// Returns the least number of takes in a bin.
  static func lowest(_ bin: Int) -> Int {
    bin < 8 ? bin : (4 + (bin - 8) % 4) << ((bin - 8) / 4 + 1)
  }

  /// Returns the greatest number of takes in a bin; nil for the last one.
  static func highest(_ bin: Int) -> Int? { bin < count - 1 ? lowest(bin + 1) - 1 : nil }
}

/// The stages of a unit's history, each twice as long as all before it: 0 earlier takes, 1, 2-3, 4-7, ..., 16,384 and
/// more.
///
/// They are coarser than ``HistoryBins``, since each unit keeps sums by stage, so that two predictors can be compared
/// unit by unit in each stage.
enum HistoryStage {
  static let count = 16
  static var all: Range<Int> { 0..<count }

  /// Returns the stage of a number of takes.
  @inline(__always)
  static func index(_ takes: Int) -> Int {
    min(count &- 1, Int.bitWidth &- max(0, takes).leadingZeroBitCount)
  }

  /// Returns the least number of takes in a stage.
  static func lowest(_ stage: Int) -> Int { stage == 0 ? 0 : 1 << (stage - 1) }

  /// Returns the greatest number of takes in a stage; nil for the last one.
  static func highest(_ stage: Int) -> Int? { stage < count - 1 ? lowest(stage + 1) - 1 : nil }
}
