internal import Specifications
internal import Statistics

/// The distributions of the rewards of variants given the features of a decision: the logged rewards of decisions with
/// the same features, where there are some; elsewhere those of a reward model.
struct FeaturedRewards: Sendable {
  /// The logged rewards of a variant in a context.
  private struct Entry: Sendable {
    var variant: Int
    var rewards: ObservedRewards
    /// The predicted quantity.
    var prediction: Double
  }

  /// The residuals of a variant's rewards, less their mean.
  private struct Residuals: Sendable {
    /// The entries of the variant, and the number of its rewards up to each.
    var entries: [Int] = []
    var ends: [Int] = []
    var mean = 0.0
  }

  let contexts: FeatureContexts
  let variantCount: Int
  /// The number of decisions in each context, as probabilities.
  let shares: AliasTable
  /// The highest mean in each context.
  let optima: [Double]
  /// The range of all rewards that can be drawn.
  let range: ClosedRange<Double>
  /// By context, then by variant.
  private let means: [Double]
  private let entries: [Entry]
  /// The start of the entries of each context, followed by their number.
  private let starts: [Int]
  private let residuals: [Residuals]
  /// Whether all logged rewards are 0 or 1.
  private let isBinary: Bool

  /// The maximum number of means.
  private static let mostMeans = 100_000_000

  /// Fits the model to the rewards.
  ///
  /// - Throws: `SpecificationError` if the model cannot be fitted, predicts no numbers or takes too much memory.
  init(_ logged: LoggedFeatures, _ model: any RewardModel) throws(SpecificationError) {
    let (contexts, samples) = logged.sorted()
    (self.contexts, variantCount) = (contexts, logged.variants)
    guard contexts.count <= Self.mostMeans / max(1, variantCount) else {
      throw SpecificationError(
        "there are \(contexts.count) different features of \(variantCount) variants; leave some features out"
      )
    }
    var entries: [Entry] = []
    var starts = [0]
    for own in samples {
      entries += own.map {
        Entry(
          variant: $0.variant, rewards: ObservedRewards($0.others, zeros: $0.zeros), prediction: 0)
      }
      starts.append(entries.count)
    }
    let isBinary = entries.allSatisfy { $0.rewards.isBinary }
    let fitted = try Self.fit(model, logged.map, logged.variants, contexts, entries, starts)
    var means = try Self.predictions(fitted, contexts, variants: variantCount)
    if isBinary { for index in means.indices { means[index] = min(max(means[index], 0), 1) } }
    for context in samples.indices {
      for index in starts[context]..<starts[context + 1] {
        entries[index].prediction = means[context * variantCount + entries[index].variant]
      }
    }
    let residuals = Self.residuals(entries, variants: variantCount)
    range =
      isBinary ? 0...1 : Self.range(entries, starts, means, residuals, variants: variantCount)
    for context in samples.indices {
      for entry in entries[starts[context]..<starts[context + 1]] {
        means[context * variantCount + entry.variant] = entry.rewards.mean
      }
    }
    optima = Self.optima(means, contexts.count, variants: variantCount)
    shares = AliasTable(
      weights: samples.map { Double($0.reduce(0) { $0 + $1.others.count + $1.zeros }) })
    (self.means, self.entries, self.starts) = (means, entries, starts)
    (self.residuals, self.isBinary) = (residuals, isBinary)
  }

  // MARK: The model

  /// Fits the model to all rewards, each with a weight of 1.
  private static func fit(
    _ model: any RewardModel, _ map: FeatureMap, _ variants: Int, _ contexts: FeatureContexts,
    _ entries: [Entry], _ starts: [Int]
  ) throws(SpecificationError) -> any FittedRewardModel {
    var fit = try model.makeFit(
      RewardProblem(slots: 1, variants: variants, columns: map.columnCount))
    repeat {
      feed(&fit, contexts, entries, starts)
    } while try fit.finishPass()
    return try fit.fitted()
  }

  private static func feed(
    _ fit: inout some RewardFit, _ contexts: FeatureContexts, _ entries: [Entry], _ starts: [Int]
  ) {
    var vector = FeatureVector()
    for context in 0..<contexts.count {
      for entry in entries[starts[context]..<starts[context + 1]] {
        contexts.write(entry.variant, of: context, into: &vector)
        for reward in entry.rewards.others {
          fit.add(RewardRow(slot: 0, variant: entry.variant, reward: reward), vector)
        }
        for _ in 0..<entry.rewards.zeros {
          fit.add(RewardRow(slot: 0, variant: entry.variant, reward: 0), vector)
        }
      }
    }
  }

  /// Returns the predictions by context, then by variant.
  private static func predictions(
    _ model: any FittedRewardModel, _ contexts: FeatureContexts, variants: Int
  ) throws(SpecificationError) -> [Double] {
    var predictions: [Double] = []
    predictions.reserveCapacity(contexts.count * variants)
    var vector = FeatureVector()
    for context in 0..<contexts.count {
      for variant in 0..<variants {
        contexts.write(variant, of: context, into: &vector)
        let prediction = model.reward(of: variant, in: 0, vector)
        guard abs(prediction) <= 1e100 else {
          throw SpecificationError(
            "the reward model predicts \(prediction), and rewards are numbers up to 1e100; write standardized(NAME) "
              + "instead of number(NAME)")
        }
        predictions.append(prediction)
      }
    }
    return predictions
  }

  private static func residuals(_ entries: [Entry], variants: Int) -> [Residuals] {
    var residuals = [Residuals](repeating: Residuals(), count: variants)
    var sums = [ExactSum](repeating: ExactSum(), count: variants)
    for (index, entry) in entries.enumerated() {
      let before = residuals[entry.variant].ends.last ?? 0
      residuals[entry.variant].entries.append(index)
      residuals[entry.variant].ends.append(before + entry.rewards.count)
      for reward in entry.rewards.others { sums[entry.variant].add(reward - entry.prediction) }
      sums[entry.variant].add(-entry.prediction, times: entry.rewards.zeros)
    }
    for variant in residuals.indices {
      guard let count = residuals[variant].ends.last else { continue }
      residuals[variant].mean = sums[variant].value / Double(count)
    }
    return residuals
  }

  private static func range(
    _ entries: [Entry], _ starts: [Int], _ means: [Double], _ residuals: [Residuals],
    variants: Int
  ) -> ClosedRange<Double> {
    var bounds: [Double] = []
    var predicted = [ClosedRange<Double>?](repeating: nil, count: variants)
    for context in 0..<starts.count - 1 {
      let own = entries[starts[context]..<starts[context + 1]]
      for variant in 0..<variants where !own.contains(where: { $0.variant == variant }) {
        let mean = means[context * variants + variant]
        let known = predicted[variant] ?? mean...mean
        predicted[variant] = min(known.lowerBound, mean)...max(known.upperBound, mean)
      }
    }
    for (variant, residuals) in residuals.enumerated() {
      for entry in residuals.entries.map({ entries[$0] }) {
        guard let range = entry.rewards.range else { continue }
        bounds += [range.lowerBound, range.upperBound]
        guard let predicted = predicted[variant] else { continue }
        bounds.append(
          predicted.lowerBound + (range.lowerBound - entry.prediction - residuals.mean))
        bounds.append(
          predicted.upperBound + (range.upperBound - entry.prediction - residuals.mean))
      }
    }
    return bounds.range ?? 0...0
  }

  private static func optima(_ means: [Double], _ contexts: Int, variants: Int) -> [Double] {
    (0..<contexts).map { context in
      means[context * variants..<(context + 1) * variants].reduce(-.infinity) { max($0, $1) }
    }
  }

  // MARK: Drawing

  /// Returns the mean reward of a variant in a context.
  func mean(_ variant: Int, in context: Int) -> Double {
    means[context * variantCount + variant]
  }

  /// Draws a reward of a variant in a context.
  func draw(
    _ variant: Int, in context: Int, using random: inout some RandomNumberGenerator
  ) -> Double {
    for index in starts[context]..<starts[context + 1] where entries[index].variant == variant {
      return entries[index].rewards.draw(&random)
    }
    let mean = mean(variant, in: context)
    if isBinary { return Draw.bernoulli(mean, using: &random) ? 1 : 0 }
    return mean + residual(variant, using: &random)
  }

  /// Draws one of the residuals of a variant uniformly.
  private func residual(
    _ variant: Int, using random: inout some RandomNumberGenerator
  ) -> Double {
    let own = residuals[variant]
    guard let count = own.ends.last, count > 0 else { return 0 }
    let place = Draw.index(below: count, using: &random)
    var (low, high) = (0, own.ends.count)
    while low < high {
      let middle = (low + high) / 2
      if own.ends[middle] <= place { low = middle + 1 } else { high = middle }
    }
    let entry = entries[own.entries[low]]
    return entry.rewards.draw(&random) - entry.prediction - own.mean
  }
}

/// A run in which each step has the features of a logged decision.
struct FeaturedRun: ChangingRun {
  private let source: FeaturedRewards
  private let choices: RewardStream
  private let rewards: RewardStream
  private var place = 0
  private var step = 0
  private(set) var context = Context()

  init(_ source: FeaturedRewards, _ key: StreamKey) {
    self.source = source
    choices = RewardStream(key.adding("segments"))
    rewards = RewardStream(key)
  }

  var variantCount: Int { source.variantCount }

  mutating func begin(_ step: Int) {
    self.step = step
    var random = choices.generator(UInt64(truncatingIfNeeded: step))
    place = source.shares.draw(using: &random)
    source.contexts.write(place, into: &context)
  }

  func mean(_ variant: Int) -> Double { source.mean(variant, in: place) }

  var optimum: Double { source.optima[place] }

  mutating func reward(_ variant: Int) -> Double {
    var random = rewards.generator(UInt64(truncatingIfNeeded: step &* variantCount &+ variant))
    return source.draw(variant, in: place, using: &random)
  }
}
