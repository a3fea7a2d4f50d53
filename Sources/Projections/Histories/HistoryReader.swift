internal import Replay
internal import Specifications
internal import Statistics
internal import Threads

/// Reads the events of a bucket, in log order.
struct HistoryReader {
  let table: Monitor<HistoryTable>
  let bucket: Int
  let bucketCount: Int
  let arms: [Arm]

  /// Returns all events of a range of runs.
  func events(runs: Range<Int>) throws -> [UnitEvent] {
    var events: [UnitEvent] = []
    for run in runs {
      for chunk in try table.withLock({ try $0.chunks(run, bucket) }) {
        for entry in try entries(of: chunk) {
          try HistoryChunk.read(entry, of: chunk.bytes, arms: arms, into: &events)
        }
      }
    }
    return events
  }

  /// Returns the earlier events of some units: all of them, and those that a projection divided by experiments has to
  /// revise.
  func events(
    of units: NewUnits, runs: Range<Int>
  ) throws -> (whole: [UnitEvent], part: [UnitEvent]) {
    var events: [UnitEvent] = []
    var part: [UnitEvent] = []
    let codes = units.codes
    for run in runs {
      var next = 0
      for chunk in try table.withLock({ try $0.chunks(run, bucket, of: codes) }) {
        for entry in try entries(of: chunk) {
          while next < codes.count, codes[next] < entry.unit { next += 1 }
          guard next < codes.count, codes[next] == entry.unit else { continue }
          let start = events.count
          try HistoryChunk.read(entry, of: chunk.bytes, arms: arms, into: &events)
          units.append(events[start...], ofUnit: next, to: &part)
        }
      }
    }
    return (events, part)
  }

  private func entries(of chunk: HistoryChunk) throws -> [HistoryChunk.Entry] {
    let entries = try HistoryChunk.entries(
      of: chunk.bytes, bucket: bucket, bucketCount: bucketCount)
    guard entries.last?.unit == chunk.last else {
      throw StateError("a history is in the wrong place")
    }
    return entries
  }
}

/// The units of a bucket that have new events, by ascending codes, and the experiments of these events.
struct NewUnits {
  private(set) var codes: [UInt32] = []
  /// For each unit, the end of its experiments; an empty range stands for all.
  private var ends: [Int] = []
  private var experiments: [UInt32] = []

  /// Adds a unit by its new events.
  mutating func add(_ events: Span<UnitEvent>) {
    let start = experiments.count
    codes.append(events[0].unit)
    for index in 0..<events.count {
      let experiment = events[index].experiment
      // An event without an experiment can affect the events of any.
      guard experiment != 0 else {
        experiments.removeSubrange(start...)
        break
      }
      if !experiments[start...].contains(experiment) { experiments.append(experiment) }
    }
    ends.append(experiments.count)
  }

  /// Appends the events of a unit that are in experiments with new events, or in none.
  func append(_ history: ArraySlice<UnitEvent>, ofUnit unit: Int, to events: inout [UnitEvent]) {
    let wanted = experiments[(unit == 0 ? 0 : ends[unit - 1])..<ends[unit]]
    if wanted.isEmpty {
      events += history
      return
    }
    for event in history where event.experiment == 0 || wanted.contains(event.experiment) {
      events.append(event)
    }
  }
}
