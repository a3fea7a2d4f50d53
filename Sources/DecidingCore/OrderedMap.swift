/// A dictionary in insertion order, optimized for lookups.
///
/// A few entries are found by linear search, which is faster than hashing, and take one small allocation;
/// more are in a hash table. Two maps with the same entries are equal regardless of their order.
///
/// It is inlinable, so that each system specializes it for its own keys and values; and public, because the compiler
/// inlines nothing that is only of the package into other modules.
package struct OrderedMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline let key: Key
    @usableFromInline var value: Value

    @inlinable
    init(key: Key, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// The entries while they are few.
  @usableFromInline var few: [Entry] = []
  /// All entries once they are more; none or one, so that the map takes two words.
  @usableFromInline var table: [Table] = []

  /// The maximum number of entries for linear search.
  @inlinable static var most: Int { 8 }

  /// Creates an empty map.
  @inlinable
  package init() {}

  /// Creates a map from entries; of two with the same key the first one is kept.
  @inlinable
  package init(_ entries: some Sequence<(Key, Value)>) {
    for (key, value) in entries where place(of: key) == nil {
      _ = add(Entry(key: key, value: value))
    }
  }

  /// The number of entries.
  @inlinable package var count: Int { table.first?.count ?? few.count }

  /// Whether the map is empty.
  @inlinable package var isEmpty: Bool { few.isEmpty && table.isEmpty }

  /// The keys in insertion order.
  @inlinable package var keys: [Key] { entries.map(\.key) }

  /// Returns the value of a key; nil when there is none.
  ///
  /// - Complexity: O(1).
  @inlinable package subscript(key: Key) -> Value? { read(key) { $0 } }

  /// Sets the value of a key.
  ///
  /// - Complexity: O(1) amortized.
  @inlinable
  package mutating func set(_ key: Key, to value: Value) {
    guard let place = place(of: key) else {
      _ = add(Entry(key: key, value: value))
      return
    }
    change(at: place) { $0 = value }
  }

  /// Reads a value in place, without copying it.
  ///
  /// - Returns: The result of the closure; nil when there is no value.
  @inlinable @inline(__always)
  package func read<Answer>(_ key: Key, _ body: (Value) -> Answer) -> Answer? {
    guard let place = place(of: key) else { return nil }
    return read(at: place, body)
  }

  /// Reads the value at a place in insertion order, from 0, without copying it.
  ///
  /// - Returns: The result of the closure.
  /// - Precondition: There are more entries than that.
  @inlinable @inline(__always)
  package func read<Answer>(at place: Int, _ body: (Value) -> Answer) -> Answer {
    // Spans avoid the reference counting that an array would need on every lookup.
    table.isEmpty ? body(few.span[place].value) : table.span[0].read(at: place, body)
  }

  /// Modifies the value of a key in place, if there is one.
  ///
  /// - Returns: The result of the closure; nil when there is no value.
  @discardableResult @inlinable @inline(__always)
  package mutating func change<Answer>(_ key: Key, _ body: (inout Value) -> Answer) -> Answer? {
    guard let place = place(of: key) else { return nil }
    return change(at: place, body)
  }

  /// Modifies the value of a key in place, after adding one if there was none.
  ///
  /// - Returns: The result of the closure.
  @discardableResult @inlinable @inline(__always)
  package mutating func change<Answer>(
    _ key: Key, orAdd value: @autoclosure () -> Value, _ body: (inout Value) -> Answer
  ) -> Answer {
    let place = place(of: key) ?? add(Entry(key: key, value: value()))
    return change(at: place, body)
  }

  /// Modifies every value in place.
  @inlinable
  package mutating func changeAll(_ body: (inout Value) -> Void) {
    for place in 0..<count { change(at: place, body) }
  }

  /// Removes a key and its value; does nothing when there is none.
  ///
  /// - Complexity: O(n).
  @inlinable
  package mutating func remove(_ key: Key) {
    guard let removed = place(of: key) else { return }
    keep { $0 != removed }
  }

  /// Removes all entries after the first `count`.
  ///
  /// - Complexity: O(n).
  @inlinable
  package mutating func truncate(to count: Int) {
    if count < self.count { keep { $0 < count } }
  }

  /// Modifies the value at a place in insertion order, from 0, in place.
  ///
  /// - Returns: The result of the closure.
  /// - Precondition: There are more entries than that.
  @discardableResult @inlinable @inline(__always)
  package mutating func change<Answer>(at place: Int, _ body: (inout Value) -> Answer) -> Answer {
    table.isEmpty
      ? body(&few[place].value)
      : body(&table[0].chunks[place / Table.chunkSize][place % Table.chunkSize].value)
  }

  @inlinable
  func place(of key: Key) -> Int? {
    guard table.isEmpty else { return table.span[0].place(of: key) }
    let few = few.span
    for place in few.indices where few[place].key == key { return place }
    return nil
  }

  /// Adds an entry for a key that is not in the map.
  @inlinable
  mutating func add(_ entry: consuming Entry) -> Int {
    if !table.isEmpty { return table[0].add(entry) }
    few.append(entry)
    guard few.count > Self.most else { return few.count - 1 }
    table = [Table(few)]
    few = []
    return table[0].count - 1
  }

  /// Removes the entries at places for which the closure returns false.
  @inlinable
  mutating func keep(where isKept: (Int) -> Bool) {
    var kept = OrderedMap()
    for (place, entry) in entries.enumerated() where isKept(place) { _ = kept.add(entry) }
    self = kept
  }

  @inlinable var entries: [Entry] { table.isEmpty ? few : table[0].chunks.flatMap(\.self) }
}

extension OrderedMap: Sequence {
  /// Returns an iterator over the entries in insertion order.
  @inlinable
  package func makeIterator() -> AnyIterator<(key: Key, value: Value)> {
    AnyIterator(entries.lazy.map { (key: $0.key, value: $0.value) }.makeIterator())
  }
}

extension OrderedMap: Equatable where Value: Equatable {
  @inlinable
  package static func == (a: OrderedMap, b: OrderedMap) -> Bool {
    guard a.count == b.count else { return false }
    return a.entries.allSatisfy { entry in b.read(entry.key) { $0 == entry.value } ?? false }
  }
}

extension OrderedMap: Hashable where Value: Hashable {
  package func hash(into hasher: inout Hasher) {
    dictionary.hash(into: &hasher)
  }
}

// Encoded as a dictionary.
extension OrderedMap: Codable where Key: Codable & Comparable, Value: Codable {
  package init(from decoder: any Decoder) throws {
    // Sorted, so that the order of a dictionary is never observable.
    let values = try [Key: Value](from: decoder)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { set(key, to: value) }
  }

  package func encode(to encoder: any Encoder) throws {
    try dictionary.encode(to: encoder)
  }
}

extension OrderedMap {
  private var dictionary: [Key: Value] {
    Dictionary(uniqueKeysWithValues: entries.lazy.map { ($0.key, $0.value) })
  }
}
