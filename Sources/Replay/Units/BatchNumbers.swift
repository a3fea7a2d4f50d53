/// The indices that a register gave to what has a number in the current batch.
///
/// Memory: 16 to 32 bytes for each of them, whatever the numbers: of many registers each may have few.
struct BatchNumbers: Sendable {
  /// The number in the upper half, the index plus one in the lower one; 0 if free. An open-addressing hash table, at
  /// most half full. A number is its own hash code: those of a batch are dense.
  private var entries: [UInt64] = []
  private var count = 0

  /// Returns the place of a number, or the free one where it belongs; there must be one.
  @inline(__always)
  private func place(of number: UInt32) -> Int {
    var place = Int(number) & (entries.count - 1)
    while entries[place] != 0, entries[place] >> 32 != UInt64(number) {
      place = (place + 1) & (entries.count - 1)
    }
    return place
  }

  /// Returns the index that was added for a number; nil if there is none.
  @inline(__always)
  subscript(_ number: UInt32) -> UInt32? {
    guard count > 0 else { return nil }
    let entry = entries[place(of: number)]
    return entry == 0 ? nil : UInt32(truncatingIfNeeded: entry) - 1
  }

  /// Adds the index for a number that has none.
  mutating func add(_ index: UInt32, for number: UInt32) {
    if (count + 1) * 2 > entries.count { grow() }
    entries[place(of: number)] = UInt64(number) << 32 | UInt64(index + 1)
    count += 1
  }

  private mutating func grow() {
    let old = entries
    entries = Array(repeating: 0, count: max(8, old.count * 2))
    for entry in old where entry != 0 { entries[place(of: UInt32(entry >> 32))] = entry }
  }

  /// Forgets all numbers, and keeps the memory.
  mutating func removeAll() {
    guard count > 0 else { return }
    for place in entries.indices { entries[place] = 0 }
    count = 0
  }
}
