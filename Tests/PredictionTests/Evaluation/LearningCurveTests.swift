import Statistics
import TestSupport
import Testing

@testable import Prediction

@Suite("Learning curves")
struct LearningCurveTests {
  @Test("bins of history are contiguous and match their bounds")
  func bins() {
    #expect(HistoryBins.lowest(0) == 0)
    for bin in 0..<HistoryBins.count {
      let low = HistoryBins.lowest(bin)
      #expect(HistoryBins.index(low) == bin)
      guard let high = HistoryBins.highest(bin) else { continue }
      #expect(HistoryBins.index(high) == bin)
      #expect(HistoryBins.lowest(bin + 1) == high + 1)
    }
    #expect(HistoryBins.index(.max) == HistoryBins.count - 1)
    #expect(HistoryBins.index(-5) == 0)
    #expect([8, 9, 10, 12, 16, 19, 20].map(HistoryBins.index) == [8, 8, 9, 10, 12, 12, 13])
    for stage in HistoryStage.all {
      #expect(HistoryStage.index(HistoryStage.lowest(stage)) == stage)
      #expect(HistoryStage.index(HistoryStage.highest(stage) ?? .max) == stage)
    }
    #expect(
      [0, 1, 2, 3, 4, 7, 8, .max, .min].map(HistoryStage.index) == [0, 1, 2, 2, 3, 3, 4, 15, 0])
  }

  @Test("periods are as long as it takes, whatever the order and the parts", arguments: 0..<40)
  func periods(chunk: Int) {
    for seed in (chunk * 10)..<(chunk * 10 + 10) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let period = generator.pick([1, 3, 1000, 86_400_000_000, .max, -4] as [Int64], or: 1)
      let spread = generator.pick([10, 2000, 1 << 40, .max] as [Int64], or: 10)
      let times = (0..<(1 + generator.index(30))).map { _ in
        Int64.random(in: (-spread)...spread, using: &generator)
      }
      func tally(_ times: some Sequence<Int64>) -> PeriodTally {
        var tally = PeriodTally(period: period)
        for time in times { tally.add(time, isHit: time % 2 == 0, loss: 1, brier: 2) }
        return tally
      }
      let whole = tally(times)
      #expect(whole == tally(times.shuffled(using: &generator)), "seed \(seed)")
      let cut = generator.index(times.count + 1)
      var merged = tally(times[cut...])
      merged.merge(tally(times[..<cut]))
      #expect(whole == merged, "seed \(seed)")
      check(whole, times, period: max(1, period), "seed \(seed)")
    }
  }

  private func check(_ tally: PeriodTally, _ times: [Int64], period: Int64, _ comment: String) {
    #expect(tally.cells.count <= PeriodTally.limit, "\(comment)")
    for (point, next) in zip(tally.curve.points, tally.curve.points.dropFirst()) {
      #expect(point.high == next.low, "\(comment)")
      let count = times.count { $0 >= point.low && $0 < next.low }
      #expect(point.events == count, "\(comment) at \(point.low)")
    }
    // The shortest length that fits is the one that is taken.
    let number = { (time: Int64, doublings: Int64) -> Int128 in
      let length = Int128(period) << Int128(doublings)
      return (Int128(time) - (time < 0 ? length - 1 : 0)) / length
    }
    guard let first = times.min(), let last = times.max() else { return }
    var doublings: Int64 = 0
    while number(last, doublings) - number(first, doublings) >= PeriodTally.limit { doublings += 1 }
    #expect(tally.doublings == doublings, "\(comment)")
    #expect(tally.cells.reduce(0) { $0 + $1.events } == times.count, "\(comment)")
    #expect(tally.cells.first?.events ?? 0 > 0 && tally.cells.last?.events ?? 0 > 0, "\(comment)")
  }

  @Test("a window covers the given number of points")
  func windows() {
    var tally = PeriodTally(period: 10)
    for time: Int64 in [0, 1, 12, 35] {
      tally.add(time, isHit: time == 1, loss: FixedPointSum.cutSteps(of: Double(time)), brier: 0)
    }
    let curve = tally.curve
    #expect(curve.points.map(\.events) == [2, 1, 0, 1])
    #expect(curve.points.map(\.logLoss) == [0.5, 12, nil, 35])
    #expect(curve.rolling(2).points.map(\.events) == [2, 3, 1, 1])
    #expect(curve.rolling(2).points.map(\.low) == [0, 0, 10, 20])
    #expect(curve.rolling(0) == curve)
    #expect(curve.cumulative.points.map(\.hitRate) == [0.5, 1.0 / 3, 1.0 / 3, 0.25])
    #expect(curve.cumulative.points.map(\.low) == [0, 0, 0, 0])
  }
}
