/// Assigns dense indices to 64-bit keys, in order of first appearance.
struct CodeIndex: Sendable {
  /// The keys by their indices.
  private(set) var keys: [UInt64] = []
  private var table = IndexTable()

  init() {}

  /// Returns the index of a key; nil if it is not present.
  func find(_ key: UInt64) -> Int? { location(of: key).index }

  private func location(of key: UInt64) -> IndexTable.Location {
    table.find(Self.code(key)) { keys[$0] == key }
  }

  /// Returns the index of a key, adding the key if needed.
  ///
  /// - Complexity: O(1) on average.
  mutating func index(of key: UInt64) -> Int {
    let location = location(of: key)
    if let index = location.index { return index }
    keys.append(key)
    table.add(at: location)
    if table.isFull { table.grow(keys.lazy.map(Self.code)) }
    return keys.count - 1
  }

  private static func code(_ key: UInt64) -> Int {
    IndexTable.code((key ^ key >> 32) &* 0x9E37_79B9_7F4A_7C15)
  }
}
