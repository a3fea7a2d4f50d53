/// The probability of an arm at the next decision, as the decisions before suggest it: (1/mean of 1/√eₛ)², the mean
/// with weights that fall by a tenth from one decision to the one before.
///
/// It follows a policy that learns, and averages over the contexts of a policy that uses them, without knowing which of
/// the two it has.
struct RecentProbability: Sendable, Equatable {
  private var reciprocal = 0.0
  private var count = 0.0

  /// The expected probability; nil before the first decision.
  var value: Double? { count > 0 ? 1 / (reciprocal * reciprocal) : nil }

  /// Adds the probability of the next decision, above 0.
  mutating func add(_ probability: Double) {
    count = min(count + 1, 10)
    reciprocal += (1 / probability.squareRoot() - reciprocal) / count
  }
}
