import Statistics

/// A Markov chain of takes: each depends on so many before it, by probabilities that were drawn once.
///
/// Every option has a chance in every context, so the chain forgets where it began. It begins in its stationary
/// distribution, so every take has the entropy that it has in the long run.
struct TakeChain: Sendable {
  /// How many options there are.
  let options: Int
  /// How many of the last takes the next one depends on.
  let order: Int
  /// By context and option, the probability of it and of those before it.
  private let cumulative: [Double]
  /// By context and option.
  private let probabilities: [Double]
  /// By context: how often it is met.
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
      // The square makes some options likely and others not; nothing is impossible.
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

  /// What the distribution over contexts comes to.
  private static func stationary(_ probabilities: [Double], options: Int, contexts: Int) -> [Double]
  {
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

  /// A context to begin with.
  func beginning(using generator: inout some RandomNumberGenerator) -> Int {
    let u = Draw.unit(using: &generator)
    var sum = 0.0
    for (context, share) in stationary.enumerated() {
      sum += share
      if u < sum { return context }
    }
    return stationary.count - 1
  }

  /// Takes an option, and moves on to the context that it makes.
  func take(in context: inout Int, using generator: inout some RandomNumberGenerator) -> Int {
    let u = Draw.unit(using: &generator)
    let first = context * options
    var option = 0
    while option < options - 1, u >= cumulative[first + option] { option += 1 }
    context = (first + option) % stationary.count
    return option
  }

  /// The entropy of a take once those before it are known, in nats.
  var entropyRate: Double {
    var sum = 0.0
    for (index, probability) in probabilities.enumerated() {
      sum += stationary[index / options] * Self.term(probability)
    }
    return sum
  }

  /// How often each option is taken.
  var shares: [Double] {
    var shares = [Double](repeating: 0, count: options)
    for (index, probability) in probabilities.enumerated() {
      shares[index % options] += stationary[index / options] * probability
    }
    return shares
  }

  /// The entropy of a take when nothing is known, in nats.
  var entropy: Double { shares.reduce(0) { $0 + Self.term($1) } }

  /// How often the likeliest option is taken.
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
