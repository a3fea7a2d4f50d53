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

extension OptionalBox: Equatable where Value: Equatable {
  static func == (left: OptionalBox, right: OptionalBox) -> Bool { left.value == right.value }
}
