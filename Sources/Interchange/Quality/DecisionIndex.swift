import EventLog
import Events

/// The units and experiments that have a decision, in bounded memory: those beyond it are on disk.
///
/// Hashes of 64 bits in memory take about half the time of a `FingerprintMap`, which holds the rest.
struct DecisionIndex {
  private let fingerprint: RecordFingerprint
  private var units: UnitSet
  private var rest: FingerprintMap

  /// Creates an empty index.
  ///
  /// - Parameters:
  ///   - fingerprint: The fingerprints of those beyond `capacity`.
  ///   - rest: An empty map, which those beyond `capacity` go to.
  ///   - capacity: The maximum number kept in memory; by default, they take 64 MiB.
  init(_ fingerprint: RecordFingerprint, rest: FingerprintMap, capacity: Int = 6 << 20) {
    self.fingerprint = fingerprint
    units = UnitSet(capacity: capacity)
    self.rest = rest
  }

  /// Prefetches the place of a unit into the cache.
  ///
  /// - Returns: A dummy value that keeps the prefetch from being optimized away.
  @inline(__always)
  func touch(_ unit: UInt64) -> UInt64 { units.touch(unit) }

  /// Adds the unit and the experiment of a decision, of which the hash is given.
  mutating func add(_ decision: EventRecord, _ unit: UInt64) throws(FingerprintMapError) {
    if units.insert(unit) { return }
    try rest.set(1, for: fingerprint.unit(of: decision))
  }

  /// Returns whether there was a decision for the unit and the experiment of a goal, of which the hash is given.
  func contains(_ goal: EventRecord, _ unit: UInt64) throws(FingerprintMapError) -> Bool {
    if units.contains(unit) { return true }
    guard !rest.isEmpty else { return false }
    return try rest.value(for: fingerprint.unit(of: goal)) != nil
  }
}

extension ImportedRecord {
  /// Returns whether the event before one in the record is a decision of the same unit and experiment, which is so for
  /// most rewards and takes no lookup.
  func followsItsDecision(_ index: Int) -> Bool {
    guard index > 0, events[index - 1].kind == .decision else { return false }
    return isSame(.unit, index - 1, index) && isSame(.experiment, index - 1, index)
  }

  private func isSame(_ field: EventRecord.TextField, _ a: Int, _ b: Int) -> Bool {
    let (first, second) = (events[a][field].range, events[b][field].range)
    guard first.count == second.count else { return false }
    for offset in 0..<first.count
    where events[a].bytes[first.lowerBound + offset] != events[b].bytes[second.lowerBound + offset]
    {
      return false
    }
    return true
  }
}
