import EventLog
import Events

/// A set of 64-bit hashes of experiments with units, with open addressing in 11 to 22 bytes for each.
struct UnitSet {
  private let capacity: Int
  private var count = 0
  /// The hashes, 0 where there is none; a power of two in number, at most three quarters used.
  private var slots: [UInt64] = Array(repeating: 0, count: 1 << 10)

  /// Creates an empty set.
  ///
  /// - Parameter capacity: The maximum number of elements.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Returns whether a hash is in the set.
  func contains(_ hash: UInt64) -> Bool { slots[place(of: hash)] == hash }

  /// Loads the slot of a hash into the cache, and returns a dummy value that keeps the load from being optimized away.
  @inline(__always)
  func touch(_ hash: UInt64) -> UInt64 {
    slots[Int(truncatingIfNeeded: hash) & (slots.count &- 1)]
  }

  /// Adds a hash; returns false if it is new and the set is full.
  mutating func insert(_ hash: UInt64) -> Bool {
    let place = place(of: hash)
    if slots[place] == hash { return true }
    guard count < capacity else { return false }
    slots[place] = hash
    count += 1
    if count * 4 > slots.count * 3 { grow() }
    return true
  }

  private func place(of hash: UInt64) -> Int {
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while slots[place] != 0, slots[place] != hash { place = (place &+ 1) & mask }
    return place
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: old.count * 2)
    for hash in old where hash != 0 { slots[place(of: hash)] = hash }
  }
}

/// The hash of an event's experiment and unit.
struct UnitHash: Sendable {
  /// The key that makes hashes unpredictable to the author of the input.
  let key: FingerprintKey

  /// Returns the hash of an event's experiment and unit, which is never 0.
  func callAsFunction(_ event: borrowing EventRecord) -> UInt64 {
    let experiment = hash(event[.experiment].range, of: event.bytes, key.first)
    return max(1, hash(event[.unit].range, of: event.bytes, experiment))
  }

  /// Returns the keyed hash of a text: products of 128 bits, folded, as in wyhash.
  private func hash(_ range: Range<Int>, of bytes: [UInt8], _ start: UInt64) -> UInt64 {
    let text = bytes.span.extracting(range)
    var hash = fold(start ^ UInt64(range.count))
    var next = 0
    while next + 8 <= text.count {
      // Safety: the eight bytes are in the span, which the load checks; every bit pattern is a number.
      let word = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: next, as: UInt64.self)
      hash = fold(hash ^ word)
      next += 8
    }
    var rest: UInt64 = 0
    while next < text.count {
      rest = rest << 8 | UInt64(text[next])
      next += 1
    }
    return fold(hash ^ rest)
  }

  @inline(__always)
  private func fold(_ word: UInt64) -> UInt64 {
    let product = (word ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: key.second | 1)
    return product.high ^ product.low
  }
}
