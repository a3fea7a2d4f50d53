/// The order of steps of different units.
struct StepKey: Comparable, Sendable {
  let time: Int64
  /// The number by which units are ordered (`UnitHashes`).
  let unit: UInt64

  static func < (a: StepKey, b: StepKey) -> Bool {
    a.time < b.time || a.time == b.time && a.unit < b.unit
  }
}
