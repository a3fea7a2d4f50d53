internal import Specifications

/// A large optional value that is usually nil, stored in the space of a pointer.
struct OptionalBox<Value: Sendable>: Sendable {
  /// The value, if there is one.
  private var storage: [Value?] = []

  init() {}

  /// The value, which is mutated in place.
  var value: Value? {
    get { storage.first ?? nil }
    _modify {
      if storage.isEmpty {
        var made: Value?
        yield &made
        if made != nil { storage = [made] }
      } else {
        yield &storage[0]
      }
    }
  }
}

extension OptionalBox: StateField where Value: StateField {
  mutating func merge(_ other: Self) { value.merge(other.value) }

  mutating func subtract(_ other: Self) { value.subtract(other.value) }

  func write(to writer: inout StateWriter) { value.write(to: &writer) }

  mutating func read(from reader: inout StateReader) throws(StateError) {
    try value.read(from: &reader)
  }
}

extension OptionalBox: Equatable where Value: Equatable {
  static func == (left: OptionalBox, right: OptionalBox) -> Bool { left.value == right.value }
}
