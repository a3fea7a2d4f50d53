/// Counts units with one rewarded decision that are alike in kind and reward, in a table that is emptied when it is
/// full; private to one thread.
struct SingleCounts {
  /// The most entries of the table, which take 8 MB.
  private static let most = 1 << 19

  private struct Entry {
    var kind: UInt32 = 0
    /// The number of decisions; 0 if the entry is free.
    var count: UInt32 = 0
    var reward = 0.0
  }

  /// By index of the kind, the decisions that were counted.
  private(set) var counted: [Int]
  /// An open-addressing hash table, at most half full.
  private var entries = [Entry](repeating: Entry(), count: 1 << 8)
  private var filled = 0
  private let rows: [CreditedDecision]

  /// Creates counts of units; nil if there are so many kinds that few are alike.
  init?(_ singleUnits: SingleUnits) {
    guard let alike = singleUnits.alike else { return nil }
    self.init(alike)
  }

  /// Creates counts of kinds, of which the rows are examples.
  init(_ rows: [CreditedDecision]) {
    self.rows = rows
    counted = Array(repeating: 0, count: rows.count)
  }

  /// Counts a unit; calls the closure with those that were counted first if there is no room.
  mutating func add(_ kind: Int, _ reward: Double, _ body: (SingleUnit) -> Void) {
    counted[kind] += 1
    let place = place(kind, reward)
    if entries[place].count == .max { empty(body) }
    if entries[place].count == 0 {
      entries[place] = Entry(kind: UInt32(truncatingIfNeeded: kind), reward: reward)
      filled += 1
    }
    entries[place].count += 1
    if filled * 2 > entries.count { grow(body) }
  }

  /// Returns the entry of a kind and reward, or the free one where it belongs.
  @inline(__always)
  private func place(_ kind: Int, _ reward: Double) -> Int {
    var mixed = (reward.bitPattern ^ UInt64(kind) << 17) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 32) &* 0xBF58_476D_1CE4_E5B9
    var place = Int(truncatingIfNeeded: mixed >> 32) & (entries.count - 1)
    while entries[place].count != 0,
      entries[place].kind != kind || entries[place].reward.bitPattern != reward.bitPattern
    {
      place = (place + 1) & (entries.count - 1)
    }
    return place
  }

  private mutating func grow(_ body: (SingleUnit) -> Void) {
    guard entries.count < Self.most else { return empty(body) }
    let old = entries
    entries = Array(repeating: Entry(), count: old.count * 4)
    for entry in old where entry.count > 0 { entries[place(Int(entry.kind), entry.reward)] = entry }
  }

  /// Calls the closure with the units that were counted, and forgets them but for their numbers.
  mutating func empty(_ body: (SingleUnit) -> Void) {
    for place in entries.indices where entries[place].count != 0 {
      let entry = entries[place]
      var row = rows[Int(entry.kind)]
      row.reward = entry.reward
      body(SingleUnit(row: row, times: Int(entry.count), unit: 0))
      entries[place] = Entry()
    }
    filled = 0
  }
}
