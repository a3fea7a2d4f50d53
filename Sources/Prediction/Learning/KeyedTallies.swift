/// Counts of the options that were taken after each of several keys, such as the takes before them.
struct KeyedTallies: OptionPool {
  private var tallies = CodeMap<OptionTally>()

  /// Counts a take of the option with the code after the key.
  mutating func add(_ code: UInt64, after key: UInt64) {
    tallies.change(key, orAdd: OptionTally()) { $0.add(code) }
  }

  /// Counts a take after each number of last takes, from none to a number of them.
  @inline(__always)
  mutating func add(_ code: UInt64, after recent: RecentTakes, upTo most: Int) {
    for length in 0..<min(recent.count, most) + 1 { add(code, after: recent.key(length)) }
  }

  /// Updates expected shares of takes by the counts after a key, see
  /// ``OptionTally/refine(_:from:in:strength:)``.
  func refine(
    _ shares: inout MutableSpan<Double>, from start: Int, after key: UInt64,
    in situation: Situation, strength: Double
  ) -> Double {
    guard let number = tallies.number(of: key) else { return 0 }
    let values = tallies.values.span
    return values[number].refine(&shares, from: start, in: situation, strength: strength)
  }
}

extension KeyedTallies {
  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    while !list.isAtEnd {
      let key = UInt64(bitPattern: try list.decode(Int64.self))
      guard tallies.number(of: key) == nil else {
        throw DecodingError.dataCorruptedError(
          in: list, debugDescription: "has a key that stood before")
      }
      let tally = try list.decode(OptionTally.self)
      tallies.change(key, orAdd: tally) { _ in }
    }
  }

  /// Encodes a list of keys and the options taken after them, ascending by key.
  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for (key, tally) in tallies.sorted {
      try list.encode(Int64(bitPattern: key))
      try list.encode(tally)
    }
  }
}
