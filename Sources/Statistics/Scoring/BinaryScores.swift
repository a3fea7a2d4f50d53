/// Mergeable sums for scoring predicted probabilities of binary outcomes.
public struct BinaryScores: Sendable, Equatable {
  /// The number of predictions.
  public private(set) var count = 0
  /// The number of predictions whose event occurred.
  public private(set) var positives = 0
  private var squares = ExactSum()
  private var losses = ExactSum()
  /// The log loss clips probabilities to this distance from 0 and 1.
  public let clip: Double

  /// Creates the scores of no predictions.
  public init(clip: Double = 1e-15) { self.clip = clip }

  /// Adds a prediction.
  ///
  /// - Parameters:
  ///   - probability: The predicted probability, in 0 ... 1.
  ///   - outcome: Whether the event occurred.
  public mutating func add(_ probability: Double, outcome: Bool) {
    count += 1
    positives += outcome ? 1 : 0
    let miss = probability - (outcome ? 1 : 0)
    squares.add(product: miss, miss)
    let p = min(1 - clip, max(clip, probability))
    losses.add(outcome ? -Double.log(p) : -Double.log(onePlus: -p))
  }

  /// Adds all the predictions of another instance.
  public mutating func merge(_ other: BinaryScores) {
    count += other.count
    positives += other.positives
    squares.merge(other.squares)
    losses.merge(other.losses)
  }

  /// The Brier score: the mean squared difference of prediction and outcome (G. W. Brier, 1950); nil without
  /// predictions.
  public var brier: Double? { count > 0 ? squares.value / Double(count) : nil }

  /// The log loss: the mean −ln of the probability of the outcome, in nats; nil without predictions.
  public var logLoss: Double? { count > 0 ? losses.value / Double(count) : nil }
}
