internal import Events

/// Checks that a frame's header does not rule out any event that the frame has, since filters rely on it.
struct FrameHeaderCheck {
  let reader: FrameReader

  /// Returns a description of the first incorrect statement of the header; nil if all are correct.
  func problem() throws(LogError) -> String? {
    let header = reader.frame.header
    let kinds = try reader.integers(.kind, as: UInt8.self)
    let times = try reader.integers(.time, as: Int64.self)
    let experiments = try reader.codes(.experiment, in: .experiments)
    for row in kinds.indices {
      let position = reader.frame.basePosition + UInt64(row)
      guard kinds[row] < 64, header.kinds >> UInt64(kinds[row]) & 1 != 0 else {
        return "event \(position) is of kind \(kinds[row]), which its frame's header rules out"
      }
      // A removed event has neither a time nor an experiment.
      guard kinds[row] < AbsentKind.erased else { continue }
      guard header.earliest <= times[row], times[row] <= header.latest else {
        return "event \(position) lies outside the times of its frame's header"
      }
      guard experiments[row] == 0 || header.experiments >> UInt64(experiments[row] % 64) & 1 != 0
      else {
        return "event \(position) has an experiment that its frame's header rules out"
      }
    }
    return nil
  }
}
