/// The tie-breaking rule for options with the same predicted probability as the option taken.
public enum TieRule: String, Sendable, CaseIterable {
  /// The option taken ranks first among its equals.
  case optimistic
  /// The option taken ranks last among its equals.
  case pessimistic
  /// The mean of both: the midrank.
  case average
  /// Ties are broken by the order in which the options were declared.
  case declared

  /// Returns the rank of an option among the probabilities, counted from 1.
  ///
  /// - Complexity: O(n).
  public func rank(of option: Int, among probabilities: [Double]) -> Double {
    let own = probabilities[option]
    let greater = probabilities.filter { $0 > own }.count
    let equal = probabilities.filter { $0 == own }.count
    switch self {
    case .optimistic: return Double(greater + 1)
    case .pessimistic: return Double(greater + equal)
    case .average: return Double(greater) + Double(equal + 1) / 2
    case .declared:
      return Double(greater + 1 + probabilities.prefix(option).filter { $0 == own }.count)
    }
  }
}

/// Scores of a predicted distribution over options, given the option taken.
public enum ChoiceScores {
  /// Returns the log loss: −ln of the probability of the option taken, in nats, clipped away from 0.
  public static func logLoss(_ probabilities: [Double], taken: Int, clip: Double = 1e-15) -> Double {
    -Double.log(min(1, max(clip, probabilities[taken])))
  }

  /// Returns the multiclass Brier score: the sum over the options of the squared difference to the outcome, in 0 ... 2.
  public static func brier(_ probabilities: [Double], taken: Int) -> Double {
    var sum = 0.0
    for (option, p) in probabilities.enumerated() {
      let miss = p - (option == taken ? 1 : 0)
      sum += miss * miss
    }
    return sum
  }

  /// Returns the ranked probability score (E. S. Epstein, 1969) for ordered options: the sum of squared differences of
  /// the cumulative distributions, over the number of options less one.
  public static func rankedProbability(_ probabilities: [Double], taken: Int) -> Double {
    guard probabilities.count > 1 else { return 0 }
    var (cumulative, sum) = (0.0, 0.0)
    for (option, p) in probabilities.enumerated().dropLast() {
      cumulative += p
      let miss = cumulative - (option >= taken ? 1 : 0)
      sum += miss * miss
    }
    return sum / Double(probabilities.count - 1)
  }

  /// Returns the discounted gain (DCG) of the option taken: 1/log₂(rank + 1) up to rank `k`, otherwise 0.
  public static func discountedGain(rank: Double, k: Double) -> Double {
    rank <= k ? 1 / Double.log2(rank + 1) : 0
  }
}
