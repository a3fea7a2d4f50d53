/// Counts of the options that were taken after each of several keys, such as the takes before them.
struct KeyedTallies: OptionPool {
  private var tallies: [UInt64: OptionTally] = [:]

  /// The tally of the options taken after the key.
  subscript(_ key: UInt64) -> OptionTally { tallies[key] ?? OptionTally() }

  /// Counts a take of the option with the code after the key.
  mutating func add(_ code: UInt64, after key: UInt64) {
    tallies[key, default: OptionTally()].add(code)
  }

  init() {}

  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    while !list.isAtEnd {
      let key = UInt64(bitPattern: try list.decode(Int64.self))
      guard tallies.updateValue(try list.decode(OptionTally.self), forKey: key) == nil else {
        throw DecodingError.dataCorruptedError(
          in: list, debugDescription: "has a key that stood before")
      }
    }
  }

  /// Encodes a list of keys and the options taken after them, ascending by key.
  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for (key, tally) in tallies.sorted(by: { $0.key < $1.key }) {
      try list.encode(Int64(bitPattern: key))
      try list.encode(tally)
    }
  }
}
