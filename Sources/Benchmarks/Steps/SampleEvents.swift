import EventLog
import Events

/// Synthetic events with independently drawn columns, which only packing can compress: a log that is harder to scan
/// than most.
///
/// Of 100 events 85 are decisions with one of six variants and one of ten propensities; the rest are goals, of
/// which one in three has a value in cents.
struct SampleEvents {
  private var state: UInt64
  private var time: Int64 = 1_767_225_600_000_000

  init(seed: UInt64) { state = seed }

  /// SplitMix64, as for the log's own salts.
  private mutating func draw(_ count: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: (mixed ^ (mixed >> 31)) >> 33) % count
  }

  /// Fills the record with the next event.
  mutating func next(_ record: inout EventRecord) {
    time += Int64(draw(40_000_000))
    let isDecision = draw(100) < 85
    record.reset(kind: isDecision ? .decision : .goal, time: Timestamp(microseconds: time))
    record[.unit] = record.add("u-\(draw(100_000))")
    record[.experiment] = record.add("experiment-\(draw(8))")
    if isDecision {
      record[.variant] = record.add("variant-\(draw(6))")
      record.propensity = Double(draw(10) + 1) / 10
    } else {
      record[.goal] = record.add("goal-\(draw(3))")
      if draw(3) == 0 { record.value = Double(draw(100_000)) / 100 }
    }
  }

  /// Writes a log of such events.
  static func write(_ count: Int, seed: UInt64, to path: String, _ profile: CompressionProfile)
    throws
  {
    let writer = try LogWriter(path, options: LogOptions(profile: profile, seed: seed))
    var events = SampleEvents(seed: seed)
    var record = EventRecord()
    for _ in 0..<count {
      events.next(&record)
      try writer.append(parsed: record)
    }
    try writer.commit()
  }
}
