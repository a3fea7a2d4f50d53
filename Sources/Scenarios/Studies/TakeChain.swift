import Statistics

/// A Markov chain of takes with random transition probabilities.
///
/// Every option has a positive probability in every context, so the chain forgets its initial state. It begins in its
/// stationary distribution, so every take has the long-run entropy.
struct TakeChain: Sendable {
  /// The number of options.
  let options: Int
  /// The order of the chain: the number of last takes that the next one depends on.
  let order: Int
  /// By context and option, the cumulative probability.
  private let cumulative: [Double]
  /// By context and option.
  private let probabilities: [Double]
  /// By context, the stationary probability.
  private let stationary: [Double]

  /// Draws a chain.
  ///
  /// - Complexity: O(options^(order + 1)).
  init(options: Int, order: Int, using generator: inout some RandomNumberGenerator) {
    self.options = options
    self.order = order
    let contexts = (0..<order).reduce(1) { count, _ in count * options }
    var probabilities: [Double] = []
    var cumulative: [Double] = []
    for _ in 0..<contexts {
      // Squaring makes some options likely and others not; nothing is impossible.
      let weights = (0..<options).map { _ in
        let u = Draw.unit(using: &generator)
        return 0.05 + u * u
      }
      let total = weights.reduce(0, +)
      var sum = 0.0
      for weight in weights {
        probabilities.append(weight / total)
        sum += weight / total
        cumulative.append(sum)
      }
    }
    self.probabilities = probabilities
    self.cumulative = cumulative
    stationary = Self.stationary(probabilities, options: options, contexts: contexts)
  }

  /// Returns the stationary distribution over contexts.
  private static func stationary(_ probabilities: [Double], options: Int, contexts: Int) -> [Double] {
    var shares = [Double](repeating: 1 / Double(contexts), count: contexts)
    for _ in 0..<500 {
      var next = [Double](repeating: 0, count: contexts)
      for context in 0..<contexts {
        for option in 0..<options {
          next[(context * options + option) % contexts] +=
            shares[context] * probabilities[context * options + option]
        }
      }
      var change = 0.0
      for context in 0..<contexts { change += (next[context] - shares[context]).magnitude }
      shares = next
      if change < 1e-15 { break }
    }
    return shares
  }

  /// Draws an initial context.
  func beginning(using generator: inout some RandomNumberGenerator) -> Int {
    let u = Draw.unit(using: &generator)
    var sum = 0.0
    for (context, share) in stationary.enumerated() {
      sum += share
      if u < sum { return context }
    }
    return stationary.count - 1
  }

  /// Draws an option, and updates the context.
  func take(in context: inout Int, using generator: inout some RandomNumberGenerator) -> Int {
    let u = Draw.unit(using: &generator)
    let first = context * options
    var option = 0
    while option < options - 1, u >= cumulative[first + option] { option += 1 }
    context = (first + option) % stationary.count
    return option
  }

  /// The entropy rate: the entropy of a take given those before it, in nats.
  var entropyRate: Double {
    var sum = 0.0
    for (index, probability) in probabilities.enumerated() {
      sum += stationary[index / options] * Self.term(probability)
    }
    return sum
  }

  /// The long-run share of each option.
  var shares: [Double] {
    var shares = [Double](repeating: 0, count: options)
    for (index, probability) in probabilities.enumerated() {
      shares[index % options] += stationary[index / options] * probability
    }
    return shares
  }

  /// The entropy of a take without knowledge of those before it, in nats.
  var entropy: Double { shares.reduce(0) { $0 + Self.term($1) } }

  /// The long-run frequency of the most likely option given the context.
  var bestHitRate: Double {
    var sum = 0.0
    for (context, share) in stationary.enumerated() {
      let best = probabilities[context * options..<(context + 1) * options].max() ?? 0
      sum += share * best
    }
    return sum
  }

  private static func term(_ probability: Double) -> Double {
    probability * ChoiceScores.logLoss([probability], taken: 0, clip: .leastNonzeroMagnitude)
  }
}
