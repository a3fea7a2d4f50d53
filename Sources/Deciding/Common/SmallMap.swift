/// A table that mostly has few entries, such as the points of an agent. Up to eight are looked through one
/// after the other, which takes a fraction of the time of hashing; with more there is a dictionary too.
///
/// Two tables are equal when they have equal values under the same keys, in whatever order these came.
struct SmallMap<Key: Hashable & Comparable & Sendable, Value: Sendable>: Sendable {
  /// The keys in the order in which they came.
  private(set) var keys: [Key] = []
  /// The value of each key.
  private var values: [Value] = []
  /// Where each key stands; empty while there are few.
  private var places: [Key: Int] = [:]

  private static var few: Int { 8 }

  /// An empty table.
  init() {}

  /// A table of entries whose keys differ; of two with the same key the first one stays.
  init(_ entries: some Sequence<(Key, Value)>) {
    for (key, value) in entries where place(of: key) == nil { append(key, value) }
  }

  var isEmpty: Bool { keys.isEmpty }

  @inline(__always)
  private func place(of key: Key) -> Int? {
    keys.count <= Self.few ? keys.firstIndex { $0 == key } : places[key]
  }

  private mutating func append(_ key: Key, _ value: Value) {
    keys.append(key)
    values.append(value)
    if keys.count > Self.few { index() }
  }

  /// Takes a value out, in constant time: the last one stands in its place until it is put back.
  private mutating func take(at place: Int) -> Value {
    values.swapAt(place, values.count - 1)
    return values.removeLast()
  }

  private mutating func put(_ value: consuming Value, at place: Int) {
    values.append(value)
    values.swapAt(place, values.count - 1)
  }

  /// Removes the key whose value was taken out.
  private mutating func remove(takenFrom place: Int) {
    keys.remove(at: place)
    // The last value stands where the taken one was, and belongs at the end again.
    if place < values.count { values.append(values.remove(at: place)) }
    places = [:]
    if keys.count > Self.few { index() }
  }

  /// Brings the places up to date after a key was added, or all of them when there are none.
  private mutating func index() {
    for place in places.count..<keys.count { places[keys[place]] = place }
  }

  /// The value of a key, changed in its place; nil when there is none. Setting nil removes it.
  ///
  /// - Complexity: O(1); O(n) to remove.
  subscript(key: Key) -> Value? {
    get { place(of: key).map { values[$0] } }
    _modify {
      let place = place(of: key)
      var value = place.map { take(at: $0) }
      defer {
        switch (place, value) {
        case (let place?, let changed?): put(changed, at: place)
        case (let place?, nil): remove(takenFrom: place)
        case (nil, let fresh?): append(key, fresh)
        case (nil, nil): break
        }
      }
      yield &value
    }
  }

  /// The value of a key, changed in its place; the fallback is added when there is none.
  ///
  /// - Complexity: O(1).
  subscript(key: Key, default fallback: @autoclosure () -> Value) -> Value {
    get { self[key] ?? fallback() }
    _modify {
      let found = place(of: key)
      if found == nil { append(key, fallback()) }
      yield &values[found ?? keys.count - 1]
    }
  }

  /// Looks at a value where it is, without copying it.
  ///
  /// - Returns: What the closure answers; nil when there is no value.
  @inline(__always)
  func read<Answer>(_ key: Key, _ body: (borrowing Value) -> Answer) -> Answer? {
    guard let place = place(of: key) else { return nil }
    return body(values.span[place])
  }

  /// The keys and values, in the order in which the keys came.
  var entries: [(key: Key, value: Value)] {
    zip(keys, values).map { (key: $0, value: $1) }
  }

  /// Changes every value in its place.
  mutating func modifyValues(_ body: (inout Value) -> Void) {
    for place in values.indices { body(&values[place]) }
  }
}

extension SmallMap: Equatable where Value: Equatable {
  static func == (a: SmallMap, b: SmallMap) -> Bool {
    a.keys.count == b.keys.count && a.keys.allSatisfy { a[$0] == b[$0] }
  }
}

extension SmallMap: Encodable where Key: CodingKeyRepresentable & Encodable, Value: Encodable {
  func encode(to encoder: any Encoder) throws {
    try Dictionary(entries.map { ($0.key, $0.value) }) { a, _ in a }.encode(to: encoder)
  }
}

extension SmallMap: Decodable where Key: CodingKeyRepresentable & Decodable, Value: Decodable {
  init(from decoder: any Decoder) throws {
    let values = try [Key: Value](from: decoder)
    self.init(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }
}
