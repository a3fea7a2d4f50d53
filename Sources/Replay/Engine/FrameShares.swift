internal import EventLog

/// The frames that pass a filter, divided into contiguous parts with about the same number of events.
struct FrameShares {
  /// The indices of the frames of each part; at least one part and at most as many as requested, unless there is
  /// nothing to read.
  let parts: [[Int]]

  init(_ log: LogReader, _ filter: FrameFilter, _ count: Int) {
    let frames = log.admittedFrames(where: filter)
    let rows = frames.map { log.rowCount(ofFrame: $0) }
    let total = rows.reduce(0, +)
    let wanted = max(1, min(count, frames.count))
    var parts: [[Int]] = [[]]
    var taken = 0
    for (frame, count) in zip(frames, rows) {
      // A part ends where its share of all events is reached.
      let share = total * parts.count / wanted
      if taken >= share, parts.count < wanted, !parts[parts.count - 1].isEmpty { parts.append([]) }
      parts[parts.count - 1].append(frame)
      taken += count
    }
    self.parts = parts
  }
}
