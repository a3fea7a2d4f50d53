/// The order of units at equal times: by the hash of their names, at equal hashes by the bytes of the names.
enum NaiveUnitOrder {
  static func isBefore(_ a: String, _ b: String) -> Bool {
    let (first, second) = (hash(a), hash(b))
    return first == second ? a.utf8.lexicographicallyPrecedes(b.utf8) : first < second
  }

  /// FNV-1a, then the finalizer of SplitMix64.
  static func hash(_ name: String) -> UInt64 {
    var hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)).multipliedReportingOverflow(by: 0x0000_0100_0000_01B3).partialValue
    }
    for (shift, factor) in [
      (30, 0xBF58_476D_1CE4_E5B9 as UInt64), (27, 0x94D0_49BB_1331_11EB as UInt64),
    ] {
      hash = (hash ^ (hash >> shift)).multipliedReportingOverflow(by: factor).partialValue
    }
    return hash ^ (hash >> 31)
  }
}

extension NaiveRewards {
  /// The decisions by time, at equal times by unit, and within a unit as they count.
  var inOrder: [Counted] { decisions.sorted(by: Self.isBefore) }

  static func isBefore(_ a: Counted, _ b: Counted) -> Bool {
    guard a.moment.0 == b.moment.0 else { return a.moment.0 < b.moment.0 }
    return a.unit == b.unit ? a.moment.2 < b.moment.2 : NaiveUnitOrder.isBefore(a.unit, b.unit)
  }
}
