/// A table that mostly has few entries, such as the points of an agent. Up to eight are looked through one
/// after the other, which takes a fraction of the time of hashing; with more there is a dictionary too.
///
/// Two tables are equal when they have equal values under the same keys, in whatever order these came.
struct SmallMap<Key: Hashable & Comparable & Sendable, Value: Sendable>: Sendable {
  /// The keys in the order in which they came.
  private(set) var keys: [Key] = []
  /// The value of each key; nil only while it is being changed.
  private var values: [Value?] = []
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

  private mutating func remove(at place: Int) {
    keys.remove(at: place)
    values.remove(at: place)
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
    get { place(of: key).flatMap { values[$0] } }
    _modify {
      let place = place(of: key)
      var value: Value?
      if let place { swap(&value, &values[place]) }
      defer {
        switch (place, value) {
        case (let place?, .some): swap(&value, &values[place])
        case (let place?, nil): remove(at: place)
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
      let place = found ?? keys.count - 1
      var value = values[place].take() ?? fallback()
      defer { values[place] = value }
      yield &value
    }
  }

  /// The keys and values, in the order in which the keys came.
  var entries: [(key: Key, value: Value)] {
    zip(keys, values).compactMap { key, value in value.map { (key, $0) } }
  }

  /// Changes every value in its place.
  mutating func modifyValues(_ body: (inout Value) -> Void) {
    for place in values.indices {
      guard var value = values[place].take() else { continue }
      body(&value)
      values[place] = value
    }
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
