import EventLog
import Events

/// The hashes of units and experiments that have a decision, in bounded memory: those beyond it are on disk.
///
/// Hashes of 64 bits in memory take about half the time of a `FingerprintMap`, which holds the rest.
struct DecisionIndex {
  private var units: UnitSet
  private var rest: FingerprintMap

  /// Creates an empty index.
  ///
  /// - Parameters:
  ///   - rest: An empty map, which those beyond `capacity` go to.
  ///   - capacity: The maximum number kept in memory; by default, they take 64 MiB.
  init(rest: FingerprintMap, capacity: Int = 6 << 20) {
    units = UnitSet(capacity: capacity)
    self.rest = rest
  }

  /// Has the processor load what is known of a hash, without waiting for it.
  @inline(__always)
  func prefetch(_ unit: UInt64) {
    units.prefetch(unit)
    if !rest.isEmpty { rest.prefetch(Self.key(unit)) }
  }

  /// Adds a hash, which is not 0.
  mutating func insert(_ unit: UInt64) throws(FingerprintMapError) {
    if units.insert(unit) { return }
    try rest.set(1, for: Self.key(unit))
  }

  /// Returns whether a hash was added.
  func contains(_ unit: UInt64) throws(FingerprintMapError) -> Bool {
    if units.contains(unit) { return true }
    guard !rest.isEmpty else { return false }
    return try rest.value(for: Self.key(unit)) != nil
  }

  private static func key(_ unit: UInt64) -> Fingerprint { Fingerprint(high: unit, low: unit) }
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
    where events[a].bytes[first.lowerBound + offset] != events[b].bytes[second.lowerBound + offset] {
      return false
    }
    return true
  }
}
