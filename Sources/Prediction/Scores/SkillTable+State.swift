package import Specifications
internal import Statistics

extension SkillTable {
  /// Writes the tally of each pair.
  package func write(to writer: inout StateWriter) {
    for pair in pairs { pair.write(to: &writer) }
  }

  /// Reads the table of a number of predictors.
  ///
  /// - Throws: `StateError` if the bytes are not one.
  package init(from reader: inout StateReader, count: Int) throws(StateError) {
    self.init(count: count)
    for index in pairs.indices { pairs[index] = try SkillTally(from: &reader) }
  }
}

extension SkillTally {
  fileprivate func write(to writer: inout StateWriter) {
    for moments in [logLoss, brier, hits, reciprocalRank] { moments.write(to: &writer) }
    writer.write(UInt64(stages.count))
    for moments in stages { moments.write(to: &writer) }
    writer.write(tally: events)
    writer.write(tally: unpaired)
  }

  fileprivate init(from reader: inout StateReader) throws(StateError) {
    self.init()
    logLoss = try RatioMoments(from: &reader)
    brier = try RatioMoments(from: &reader)
    hits = try RatioMoments(from: &reader)
    reciprocalRank = try RatioMoments(from: &reader)
    for _ in 0..<(try reader.readCount(below: HistoryStage.count + 1)) {
      stages.append(try RatioMoments(from: &reader))
    }
    events = try reader.readTally()
    unpaired = try reader.readTally()
  }
}
