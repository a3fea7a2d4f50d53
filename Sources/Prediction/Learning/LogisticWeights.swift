internal import Statistics

/// The weights of a logistic regression that all units share, in 2^bits hashed slots.
///
/// Two weights that hash to the same slot share one value: K. Weinberger, A. Dasgupta, J. Langford, A. Smola and
/// J. Attenberg, *Feature hashing for large scale multitask learning*, ICML 2009,
/// https://doi.org/10.1145/1553374.1553516.
///
/// - Complexity: memory O(slots in use), at most 2^bits weights and 2^bits scales.
public struct LogisticWeights: OptionPool {
  /// A weight, and the sum of the squared gradients that changed it.
  private struct Slot: Equatable {
    var weight = 0.0
    var squares = 0.0
  }

  /// The logarithm to base 2 of the number of slots.
  public let bits: Int
  private var slots: [UInt32: Slot] = [:]
  /// The largest magnitude seen of a feature, by its slot, after the inverse hyperbolic sine.
  private var scales: [UInt32: Double] = [:]

  init(bits: Int) { self.bits = bits }

  /// Returns the weight of a code; nil if none was learned.
  func weight(_ code: UInt64) -> Double? { slots[slot(code)]?.weight }

  /// Moves a weight against the gradient of the loss.
  ///
  /// The step is rate × g ÷ √(sum of the g² so far), with g = gradient + l2 × weight: J. Duchi, E. Hazan and Y.
  /// Singer, *Adaptive subgradient methods for online learning and stochastic optimization*, JMLR 12, 2011.
  mutating func descend(_ code: UInt64, gradient: Double, rate: Double, l2: Double) {
    let number = slot(code)
    var slot = slots[number] ?? Slot()
    let gradient = gradient + l2 * slot.weight
    slot.squares += gradient * gradient
    // The addend avoids a division by zero for a gradient whose square underflows.
    slot.weight -= rate * gradient / (slot.squares.squareRoot() + 1e-12)
    slots[number] = slot
  }

  /// Returns a feature's value scaled to -1 ... 1: asinh(value) ÷ the largest such magnitude seen of the feature,
  /// including this one; nil for 0 and for values that are not finite.
  func scaled(_ feature: Feature) -> Double? {
    guard feature.value.isFinite, feature.value != 0 else { return nil }
    let squashed = Double.asinh(feature.value)
    let scale = max(scales[slot(feature.code)] ?? 0, squashed.magnitude)
    return scale > 0 ? squashed / scale : nil
  }

  /// Updates the scale of a feature.
  mutating func learnScale(of feature: Feature) {
    guard feature.value.isFinite else { return }
    let squashed = Double.asinh(feature.value).magnitude
    if squashed > scales[slot(feature.code)] ?? 0 { scales[slot(feature.code)] = squashed }
  }

  private func slot(_ code: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: code >> UInt64(64 - bits))
  }
}

extension LogisticWeights: Codable {
  private enum CodingKeys: String, CodingKey { case bits, slots, weights, squares, scaled, scales }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    bits = try container.decode(Int.self, forKey: .bits)
    let numbers = try container.decode([UInt32].self, forKey: .slots)
    let weights = try container.decode([Double].self, forKey: .weights)
    let squares = try container.decode([Double].self, forKey: .squares)
    let scaled = try container.decode([UInt32].self, forKey: .scaled)
    let magnitudes = try container.decode([Double].self, forKey: .scales)
    let isSound =
      Logistic.bitsRange.contains(bits) && numbers.count == weights.count
      && numbers.count == squares.count && scaled.count == magnitudes.count
      && (numbers + scaled).allSatisfy { UInt64($0) >> UInt64(bits) == 0 }
      && weights.allSatisfy { $0.magnitude <= 1e9 }
      && squares.allSatisfy { $0 >= 0 && $0.isFinite }
      && magnitudes.allSatisfy { $0 > 0 && $0 <= 1e3 }
    guard isSound else {
      throw container.damaged(.slots, "are no weights that can be")
    }
    for place in numbers.indices {
      slots[numbers[place]] = Slot(weight: weights[place], squares: squares[place])
    }
    for place in scaled.indices { scales[scaled[place]] = magnitudes[place] }
  }

  /// Encodes the slots in use, ascending, with their weights and squares, and the same for scales.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let slots = slots.sorted { $0.key < $1.key }
    let scales = scales.sorted { $0.key < $1.key }
    try container.encode(bits, forKey: .bits)
    try container.encode(slots.map(\.key), forKey: .slots)
    try container.encode(slots.map(\.value.weight), forKey: .weights)
    try container.encode(slots.map(\.value.squares), forKey: .squares)
    try container.encode(scales.map(\.key), forKey: .scaled)
    try container.encode(scales.map(\.value), forKey: .scales)
  }
}
