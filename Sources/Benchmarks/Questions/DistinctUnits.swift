import EventLog
import Events

/// For each variant of each experiment how many distinct units its decisions have: a bit for each unit and variant.
struct DistinctUnits: Question {
  func answer(_ log: LogReader, jobs: Int) throws -> [AnswerRow] {
    var pairs = try PairCodes(log)
    let wordCount = Int(log.codeLimit(.units)) / 64 + 1
    let pairLimit = pairs.limit
    var seen: [[UInt64]] = Array(repeating: [], count: Int(pairLimit))
    let decisions = FrameFilter(kinds: [.decision])
    try log.forEachBatch([.unit, .experiment, .variant], where: decisions) { batch in
      pairs.load(batch)
      for row in 0..<batch.count where batch.kinds[row] == EventKind.decision.rawValue {
        let pair = Int(pairs.codes[row])
        let unit = Int(batch.units[row])
        if seen[pair].isEmpty { seen[pair] = Array(repeating: 0, count: wordCount) }
        seen[pair][unit >> 6] |= 1 << UInt64(unit & 63)
      }
    }
    return seen.enumerated().filter { !$1.isEmpty }.map { pair, words in
      pairs.row(pair, "units", Double(words.reduce(0) { $0 + $1.nonzeroBitCount }))
    }
  }
}
