/// The data points of a unit as features: the latest value of each kind and key.
///
/// - Complexity: memory O(kinds and keys); O(kinds and keys) for each change.
public struct UnitFeatures: Equatable, Sendable {
  private var byKey: [UInt64: Feature] = [:]
  /// The features, ascending by code.
  public private(set) var features: [Feature] = []

  /// Creates an empty set of features.
  public init() {}

  /// Sets a text, or a boolean as `true` or `false`.
  public mutating func learn(kind: String, key: String, text: String) {
    replace(Feature.code(of: kind, key), by: Feature(kind: kind, key: key, text: text))
  }

  /// Sets a number; one that is not finite only removes the previous value.
  public mutating func learn(kind: String, key: String, number: Double) {
    let feature = Feature(kind: kind, key: key, number: number)
    replace(Feature.code(of: kind, key), by: number.isFinite ? feature : nil)
  }

  private mutating func replace(_ key: UInt64, by new: Feature?) {
    guard byKey[key] != new else { return }
    if let old = byKey[key] {
      let place = place(of: old.code)
      if features.indices.contains(place), features[place].code == old.code {
        features.remove(at: place)
      }
    }
    byKey[key] = new
    guard let new else { return }
    let place = place(of: new.code)
    // Two keys with the same code are one feature; the later one counts.
    if features.indices.contains(place), features[place].code == new.code {
      features[place] = new
    } else {
      features.insert(new, at: place)
    }
  }

  /// Returns the index of a code, or its insertion point.
  private func place(of code: UInt64) -> Int {
    var (low, high) = (0, features.count)
    while low < high {
      let middle = (low + high) / 2
      if features[middle].code < code { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension UnitFeatures: Codable {
  private enum CodingKeys: String, CodingKey { case codes, values }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let codes = try container.decode([Int64].self, forKey: .codes)
    let values = try container.decode([Double].self, forKey: .values)
    guard codes.count == 2 * values.count, values.allSatisfy(\.isFinite) else {
      throw DecodingError.dataCorruptedError(
        forKey: .codes, in: container,
        debugDescription: "is no list of a key and a code for each value")
    }
    for (place, value) in values.enumerated() {
      replace(
        UInt64(bitPattern: codes[2 * place]),
        by: Feature(code: UInt64(bitPattern: codes[2 * place + 1]), value: value))
    }
  }

  /// Encodes the codes of keys and features, ascending by key, and their values.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let sorted = byKey.sorted { $0.key < $1.key }
    try container.encode(
      sorted.flatMap { [Int64(bitPattern: $0.key), Int64(bitPattern: $0.value.code)] },
      forKey: .codes)
    try container.encode(sorted.map(\.value.value), forKey: .values)
  }
}
