internal import Specifications
internal import Statistics

extension StudyTally {
  func write(to writer: inout StateWriter) {
    for count in [units, novel, blind] { writer.write(tally: count) }
    let used = (ranks.lastIndex { $0 > 0 } ?? -1) + 1
    writer.write(UInt64(used))
    for count in ranks[..<used] { writer.write(tally: count) }
    for acted in acted {
      writer.write(tally: acted.count)
      writer.write(tally: acted.right)
    }
    calibration.write(to: &writer)
    narrow.write(to: &writer)
    for option in options {
      for count in [option.taken, option.predicted, option.right] { writer.write(tally: count) }
    }
    for cell in history { cell.write(to: &writer) }
    periods.write(to: &writer)
    for sum in sums { sum.write(to: &writer) }
  }

  private var sums: [FixedPointSum] {
    [
      rankedProbability, unitMeans.hitRate, unitMeans.reciprocalRank, unitMeans.logLoss,
      unitMeans.brier,
    ]
  }

  /// Reads a tally in place of an empty one.
  ///
  /// - Throws: `StateError` if the bytes are not a tally of the same plan.
  mutating func read(from reader: inout StateReader) throws(StateError) {
    units = try reader.readTally()
    novel = try reader.readTally()
    blind = try reader.readTally()
    var counts: [Int] = []
    for _ in 0..<(try reader.readCount()) { counts.append(try reader.readTally()) }
    while ranks.count < counts.count { ranks += [Int](repeating: 0, count: ranks.count) }
    for (place, count) in counts.enumerated() { ranks[place] = count }
    for index in acted.indices {
      acted[index] = Acted(count: try reader.readTally(), right: try reader.readTally())
    }
    calibration = try Calibration(from: &reader, bins: calibration.bins.count)
    narrow = try Calibration(from: &reader, bins: Self.narrowBins)
    for index in options.indices {
      options[index] = Agreement.Option(
        taken: try reader.readTally(), predicted: try reader.readTally(),
        right: try reader.readTally())
    }
    for index in history.indices { history[index] = try CurveCell(from: &reader) }
    periods = try PeriodTally(from: &reader, period: periods.period)
    rankedProbability = try FixedPointSum(from: &reader)
    unitMeans.hitRate = try FixedPointSum(from: &reader)
    unitMeans.reciprocalRank = try FixedPointSum(from: &reader)
    unitMeans.logLoss = try FixedPointSum(from: &reader)
    unitMeans.brier = try FixedPointSum(from: &reader)
  }
}
