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
    if let old = byKey[key] { set(old.code, to: nil) }
    byKey[key] = new
    // Two keys with the same code are one feature; the later one counts.
    if let new { set(new.code, to: new) }
  }

  private mutating func set(_ code: UInt64, to feature: Feature?) {
    let place = features.firstPlace { $0.code >= code }
    let isKnown = place < features.count && features[place].code == code
    features.replaceSubrange(
      place..<place + (isKnown ? 1 : 0), with: feature.map { [$0] } ?? [])
  }
}

extension UnitFeatures: Codable {
  private enum CodingKeys: String, CodingKey { case codes, values }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let codes = try container.decode([Int64].self, forKey: .codes)
    let values = try container.decode([Double].self, forKey: .values)
    guard codes.count == 2 * values.count, values.allSatisfy(\.isFinite) else {
      throw container.damaged(.codes, "is no list of a key and a code for each value")
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
