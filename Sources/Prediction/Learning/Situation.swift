internal import Statistics

/// The circumstances of a take or prediction: the time, the options and the features of the unit.
public struct Situation: Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z; nil for the time of the latest event.
  public var time: Int64?
  /// The identifier of each option across units, in declared order: a hash of its name (``Feature/code(of:)``).
  public var options: [UInt64]
  /// The features of the unit, ascending by code, each code once.
  public var features: [Feature]

  /// Creates a situation.
  public init(time: Int64?, options: [UInt64], features: [Feature] = []) {
    self.time = time
    self.options = options
    self.features = features
  }

  /// Creates a situation of a single unit, whose options are identified by their indices.
  public init(places: Int, at time: Int64?) {
    self.init(time: time, options: (0..<UInt64(max(0, places))).map { $0 })
  }
}

/// A feature of a unit: a data point.
public struct Feature: Hashable, Sendable, Codable {
  /// The identifier: a hash of its kind and key, and of its value if that is a text.
  public var code: UInt64
  /// The value: 1 for a text, the number for a number.
  public var value: Double

  /// Creates a feature.
  public init(code: UInt64, value: Double = 1) {
    self.code = code
    self.value = value
  }

  /// Returns the code of a sequence of texts, the same on every machine: 64-bit FNV-1a over their UTF-8, each
  /// followed by a byte that does not occur in UTF-8 (G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, "The FNV
  /// non-cryptographic hash algorithm", RFC 9923).
  public static func code(of texts: String...) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for text in texts {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash = (hash ^ 0xff) &* 0x100_0000_01b3
    }
    return hash
  }
}

// Features of data points.
extension Feature {
  /// Creates the feature of a text, or of a boolean as `true` or `false`: each text of a kind and key is a feature of
  /// its own, with value 1.
  public init(kind: String, key: String, text: String) {
    self.init(code: Self.code(of: kind, key, text))
  }

  /// Creates the feature of a number: the feature is the kind and key, and the number is its value.
  public init(kind: String, key: String, number: Double) {
    self.init(code: Self.code(of: kind, key), value: number)
  }

  /// Returns the code of an ordered pair of codes.
  static func code(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var mixer = SplitMix64(seed: first)
    mixer = SplitMix64(seed: mixer.next() ^ second)
    return mixer.next()
  }
}

extension Situation {
  /// Returns the code of the option at an index; nil if there is none.
  func code(at place: Int) -> UInt64? { options.indices.contains(place) ? options[place] : nil }
}
