internal import Statistics

/// What is known when an option is taken or a take is predicted, besides what was learned.
public struct Situation: Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z; nil counts as of the latest event.
  public var time: Int64?
  /// What tells each option apart among all units, in declared order: a hash of its name (``Feature/code(of:)``).
  public var options: [UInt64]
  /// What is known of the unit, ascending by code, each code once.
  public var features: [Feature]

  /// Makes a situation.
  public init(time: Int64?, options: [UInt64], features: [Feature] = []) {
    self.time = time
    self.options = options
    self.features = features
  }

  /// A situation of one unit alone, whose options are told apart by their places.
  public init(places: Int, at time: Int64?) {
    self.init(time: time, options: (0..<UInt64(max(0, places))).map { $0 })
  }
}

/// One thing known of a unit: a data point.
public struct Feature: Hashable, Sendable, Codable {
  /// What tells it apart: a hash of its kind and key, and of its value if that is a text.
  public var code: UInt64
  /// How much of it there is: 1 for a text, the number for a number.
  public var value: Double

  /// Makes a feature.
  public init(code: UInt64, value: Double = 1) {
    self.code = code
    self.value = value
  }

  /// The code of texts in a row, the same on every machine: FNV-1a of 64 bits over their UTF-8, each ended by a byte
  /// that no text has (G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, "The FNV non-cryptographic hash algorithm",
  /// RFC 9923).
  public static func code(of texts: String...) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for text in texts {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash = (hash ^ 0xff) &* 0x100_0000_01b3
    }
    return hash
  }
}

// What a data point is as a feature.
extension Feature {
  /// A text, or a truth value as `true` or `false`: each text of a kind and key is a feature of its own, of which
  /// there is 1.
  public init(kind: String, key: String, text: String) {
    self.init(code: Self.code(of: kind, key, text))
  }

  /// A number: the feature is the kind and key, and there is so much of it.
  public init(kind: String, key: String, number: Double) {
    self.init(code: Self.code(of: kind, key), value: number)
  }

  /// The code of two codes in their order.
  static func code(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var mixer = SplitMix64(seed: first)
    mixer = SplitMix64(seed: mixer.next() ^ second)
    return mixer.next()
  }
}

extension Situation {
  /// The code of the option at a place; nil where the situation has none.
  func code(at place: Int) -> UInt64? { options.indices.contains(place) ? options[place] : nil }
}
