/// A dictionary in the order in which its keys came, made for being asked all the time.
///
/// A few entries are found by comparing, which is quicker than hashing, and take one small piece of memory; more
/// of them are in a table. Two maps with the same entries are equal in whatever order these came.
///
/// It is inlinable, so that each system has it made for its own keys and values.
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

  /// The entries while they are a few.
  @usableFromInline var few: [Entry] = []
  /// All entries once they are more; none or one, so that the map takes two words.
  @usableFromInline var table: [Table] = []

  /// How many entries are compared one by one.
  @inlinable static var most: Int { 8 }

  /// An empty map.
  @inlinable
  package init() {}

  /// A map of entries; of two with the same key the first one stays.
  @inlinable
  package init(_ entries: some Sequence<(Key, Value)>) {
    for (key, value) in entries where place(of: key) == nil {
      _ = add(Entry(key: key, value: value))
    }
  }

  /// Number of entries.
  @inlinable package var count: Int { table.first?.count ?? few.count }

  /// Whether there is no entry.
  @inlinable package var isEmpty: Bool { few.isEmpty && table.isEmpty }

  /// The keys in the order in which they came.
  @inlinable package var keys: [Key] { entries.map(\.key) }

  /// The value of a key; nil when there is none.
  ///
  /// - Complexity: O(1).
  @inlinable package subscript(key: Key) -> Value? { read(key) { $0 } }

  /// Gives a key a value.
  ///
  /// - Complexity: O(1) amortised.
  @inlinable
  package mutating func set(_ key: Key, to value: Value) {
    guard let place = place(of: key) else {
      _ = add(Entry(key: key, value: value))
      return
    }
    change(at: place) { $0 = value }
  }

  /// Looks at a value where it is, without copying it.
  ///
  /// - Returns: What the closure answers; nil when there is no value.
  @inlinable @inline(__always)
  package func read<Answer>(_ key: Key, _ body: (Value) -> Answer) -> Answer? {
    guard let place = place(of: key) else { return nil }
    // Spans, as an array would be kept alive by counting for every look.
    return table.isEmpty ? body(few.span[place].value) : table.span[0].read(at: place, body)
  }

  /// Changes the value of a key where it is, if there is one.
  ///
  /// - Returns: What the closure answers; nil when there is no value.
  @discardableResult @inlinable @inline(__always)
  package mutating func change<Answer>(_ key: Key, _ body: (inout Value) -> Answer) -> Answer? {
    guard let place = place(of: key) else { return nil }
    return change(at: place, body)
  }

  /// Changes the value of a key where it is, having added one if there was none.
  ///
  /// - Returns: What the closure answers.
  @discardableResult @inlinable @inline(__always)
  package mutating func change<Answer>(
    _ key: Key, orAdd value: @autoclosure () -> Value, _ body: (inout Value) -> Answer
  ) -> Answer {
    let place = place(of: key) ?? add(Entry(key: key, value: value()))
    return change(at: place, body)
  }

  /// Changes every value where it is.
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

  /// Removes the entries that came after so many.
  ///
  /// - Complexity: O(n).
  @inlinable
  package mutating func truncate(to count: Int) {
    if count < self.count { keep { $0 < count } }
  }

  @inlinable @inline(__always)
  mutating func change<Answer>(at place: Int, _ body: (inout Value) -> Answer) -> Answer {
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

  /// Adds an entry for a key that has none.
  @inlinable
  mutating func add(_ entry: consuming Entry) -> Int {
    if !table.isEmpty { return table[0].add(entry) }
    few.append(entry)
    guard few.count > Self.most else { return few.count - 1 }
    table = [Table(few)]
    few = []
    return table[0].count - 1
  }

  /// Removes the entries at places that the closure does not name.
  @inlinable
  mutating func keep(where isKept: (Int) -> Bool) {
    var kept = OrderedMap()
    for (place, entry) in entries.enumerated() where isKept(place) { _ = kept.add(entry) }
    self = kept
  }

  /// The entries in the order in which they came.
  @inlinable var entries: [Entry] { table.isEmpty ? few : table[0].chunks.flatMap(\.self) }
}

extension OrderedMap: Sequence {
  /// The entries in the order in which they came.
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

// In a snapshot it is what a dictionary is.
extension OrderedMap: Codable where Key: Codable & Comparable, Value: Codable {
  package init(from decoder: any Decoder) throws {
    // Sorted, so that the order of a dictionary shows nowhere.
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
