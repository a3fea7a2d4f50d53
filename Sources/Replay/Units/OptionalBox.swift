/// A large value that is mostly not there, in the room of a pointer.
struct OptionalBox<Value: Sendable>: Sendable {
  /// The value, if there is one.
  private var storage: [Value?] = []

  init() {}

  /// The value, which is changed where it lies.
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
