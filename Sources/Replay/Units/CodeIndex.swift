/// Assigns dense indices to 64-bit keys, in order of first appearance.
struct CodeIndex: Sendable {
  /// The keys by their indices.
  private(set) var keys: [UInt64] = []
  /// An open-addressing hash table: the index of a key plus one, 0 if free. At most half full.
  private var places = [UInt32](repeating: 0, count: 64)

  init() {}

  /// Returns the index of a key; nil if it is not present.
  func find(_ key: UInt64) -> Int? {
    var place = Self.hash(key) & (places.count - 1)
    while places[place] != 0 {
      let index = Int(places[place] - 1)
      if keys[index] == key { return index }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }

  /// Returns the index of a key, adding the key if needed.
  ///
  /// - Complexity: O(1) on average.
  mutating func index(of key: UInt64) -> Int {
    if let index = find(key) { return index }
    keys.append(key)
    if keys.count * 2 > places.count {
      places = Array(repeating: 0, count: places.count * 2)
      for index in keys.indices { place(index) }
    } else {
      place(keys.count - 1)
    }
    return keys.count - 1
  }

  private mutating func place(_ index: Int) {
    var place = Self.hash(keys[index]) & (places.count - 1)
    while places[place] != 0 { place = (place + 1) & (places.count - 1) }
    places[place] = UInt32(index + 1)
  }

  private static func hash(_ key: UInt64) -> Int {
    let mixed = (key ^ key >> 32) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: (mixed ^ mixed >> 29) & 0x7FFF_FFFF_FFFF_FFFF)
  }
}
