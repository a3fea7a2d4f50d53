/// A dictionary that only grows, made for being asked all the time.
///
/// A few entries are found by comparing, which is quicker than hashing, and take one small piece of memory; more
/// of them are in a ``GrowingTable``. Two maps with the same entries are equal in whatever order these came.
struct GrowingMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  fileprivate struct Entry: Sendable {
    let key: Key
    var value: Value
  }

  /// The entries while they are a few.
  private var few: [Entry] = []
  /// All entries once they are more; none or one, so that the map takes two words.
  private var table: [GrowingTable<Key, Value>] = []

  /// How many entries are compared one by one.
  private static var most: Int { 8 }

  /// An empty map.
  init() {}

  /// Number of entries.
  var count: Int { table.first?.count ?? few.count }

  /// The value of a key; nil when there is none.
  ///
  /// - Complexity: O(1).
  subscript(key: Key) -> Value? { read(key) { $0 } }

  /// Gives a key a value.
  ///
  /// - Complexity: O(1) amortised.
  mutating func set(_ key: Key, to value: Value) {
    guard let place = place(of: key) else {
      _ = add(Entry(key: key, value: value))
      return
    }
    change(at: place) { $0 = value }
  }

  /// Looks at a value where it is, without copying it.
  ///
  /// - Returns: What the closure answers; nil when there is no value.
  @inline(__always)
  func read<Answer>(_ key: Key, _ body: (Value) -> Answer) -> Answer? {
    guard let place = place(of: key) else { return nil }
    // Spans, as an array would be kept alive by counting for every look.
    return table.isEmpty ? body(few.span[place].value) : table.span[0].read(at: place, body)
  }

  /// Changes the value of a key where it is, if there is one.
  ///
  /// - Returns: What the closure answers; nil when there is no value.
  @discardableResult @inline(__always)
  mutating func change<Answer>(_ key: Key, _ body: (inout Value) -> Answer) -> Answer? {
    guard let place = place(of: key) else { return nil }
    return change(at: place, body)
  }

  /// Changes the value of a key where it is, having added one if there was none.
  @inline(__always)
  mutating func change(
    _ key: Key, orAdd value: @autoclosure () -> Value, _ body: (inout Value) -> Void
  ) {
    let place = place(of: key) ?? add(Entry(key: key, value: value()))
    change(at: place, body)
  }

  @inline(__always)
  private mutating func change<Answer>(at place: Int, _ body: (inout Value) -> Answer) -> Answer {
    table.isEmpty
      ? body(&few[place].value)
      : body(&table[0].chunks[place / Chunk.size][place % Chunk.size].value)
  }

  private func place(of key: Key) -> Int? {
    guard table.isEmpty else { return table.span[0].place(of: key) }
    let few = few.span
    for place in few.indices where few[place].key == key { return place }
    return nil
  }

  /// Adds an entry for a key that has none.
  private mutating func add(_ entry: consuming Entry) -> Int {
    if !table.isEmpty { return table[0].add(entry) }
    few.append(entry)
    guard few.count > Self.most else { return few.count - 1 }
    table = [GrowingTable(few)]
    few = []
    return table[0].count - 1
  }

  /// Forgets the entries that came after so many.
  ///
  /// - Complexity: O(n).
  mutating func truncate(to count: Int) {
    guard count < self.count else { return }
    var kept = GrowingMap()
    for entry in entries.prefix(count) { _ = kept.add(entry) }
    self = kept
  }

  /// The entries in the order in which they came.
  fileprivate var entries: [Entry] { table.isEmpty ? few : table[0].chunks.flatMap(\.self) }
}

private enum Chunk {
  /// Number of entries in all chunks but the last.
  static let size = 64
}

/// Entries in the order in which they came, and a table of hashes that says where each one is.
///
/// The entries are in chunks, so that none moves far when one is added, and that after a copy was taken only
/// the chunks are copied that change. When the table of hashes grows it is filled from the hashes that it
/// keeps, so that no key is hashed twice.
private struct GrowingTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Entry = GrowingMap<Key, Value>.Entry

  /// Where an entry with that hash is. 32 bits for the place keep the table small; memory ends long before.
  private struct Slot: Sendable {
    var hash: UInt32 = 0
    var place = Slot.free

    static var free: UInt32 { .max }
  }

  fileprivate var chunks: [[Entry]] = []
  private(set) var count = 0
  /// A power of two of slots, at most two thirds of them taken. An entry is in the first free slot from where
  /// its hash points to.
  private var slots = Array(repeating: Slot(), count: 32)

  init(_ entries: [Entry]) {
    for entry in entries { _ = add(entry) }
  }

  @inline(__always)
  func place(of key: Key) -> Int? {
    let hash = Self.hash(key)
    let slots = slots.span
    let chunks = chunks.span
    let mask = slots.count - 1
    var index = Int(hash) & mask
    while slots[index].place != Slot.free {
      let place = Int(slots[index].place)
      if slots[index].hash == hash, chunks[place / Chunk.size].span[place % Chunk.size].key == key {
        return place
      }
      index = (index + 1) & mask
    }
    return nil
  }

  @inline(__always)
  func read<Answer>(at place: Int, _ body: (Value) -> Answer) -> Answer {
    let chunks = chunks.span
    return body(chunks[place / Chunk.size].span[place % Chunk.size].value)
  }

  /// Adds an entry for a key that has none.
  mutating func add(_ entry: consuming Entry) -> Int {
    let place = count
    count += 1
    if 3 * count > 2 * slots.count { doubleSlots() }
    fill(Slot(hash: Self.hash(entry.key), place: UInt32(truncatingIfNeeded: place)))
    if place % Chunk.size == 0 {
      chunks.append([entry])
    } else {
      chunks[place / Chunk.size].append(entry)
    }
    return place
  }

  private static func hash(_ key: Key) -> UInt32 { UInt32(truncatingIfNeeded: key.hashValue) }

  private mutating func doubleSlots() {
    let before = slots
    slots = Array(repeating: Slot(), count: 2 * before.count)
    for slot in before where slot.place != Slot.free { fill(slot) }
  }

  private mutating func fill(_ slot: Slot) {
    let mask = slots.count - 1
    var index = Int(slot.hash) & mask
    while slots[index].place != Slot.free { index = (index + 1) & mask }
    slots[index] = slot
  }
}

extension GrowingMap: Sequence {
  /// The entries in the order in which they came.
  func makeIterator() -> AnyIterator<(key: Key, value: Value)> {
    AnyIterator(entries.lazy.map { (key: $0.key, value: $0.value) }.makeIterator())
  }
}

extension GrowingMap: ExpressibleByDictionaryLiteral {
  /// The later one of two values of a key counts.
  init(dictionaryLiteral elements: (Key, Value)...) {
    for (key, value) in elements { set(key, to: value) }
  }
}

extension GrowingMap: Equatable where Value: Equatable {
  static func == (a: GrowingMap, b: GrowingMap) -> Bool {
    guard a.count == b.count else { return false }
    return a.entries.allSatisfy { entry in b.read(entry.key) { $0 == entry.value } ?? false }
  }
}

extension GrowingMap: Hashable where Value: Hashable {
  func hash(into hasher: inout Hasher) {
    dictionary.hash(into: &hasher)
  }
}

// In a snapshot it is what a dictionary is.
extension GrowingMap: Codable where Key: Codable & Comparable, Value: Codable {
  init(from decoder: any Decoder) throws {
    // Sorted, so that the order of a dictionary shows nowhere.
    let values = try [Key: Value](from: decoder)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { set(key, to: value) }
  }

  func encode(to encoder: any Encoder) throws {
    try dictionary.encode(to: encoder)
  }
}

extension GrowingMap {
  private var dictionary: [Key: Value] {
    Dictionary(uniqueKeysWithValues: entries.lazy.map { ($0.key, $0.value) })
  }
}
