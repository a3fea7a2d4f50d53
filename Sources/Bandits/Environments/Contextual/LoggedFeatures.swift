/// The features of logged decisions, and the rewards of the variants that were chosen with them.
///
/// Memory: that of ``FeatureContexts``, and 8 bytes for each reward that is not 0.
public struct LoggedFeatures: Sendable {
  /// The rewards of a variant that was chosen with some features.
  struct Sample: Sendable {
    var variant: Int
    var others: [Double]
    var zeros: Int
  }

  /// The columns.
  public let map: FeatureMap
  /// The number of variants.
  public let variants: Int
  private(set) var contexts: FeatureContexts
  /// By context, the rewards of the variants that were chosen in it.
  private(set) var samples: [[Sample]] = []

  /// Creates an empty collection.
  ///
  /// - Parameters:
  ///   - map: The columns.
  ///   - variants: The number of variants.
  public init(_ map: FeatureMap, variants: Int) {
    self.map = map
    self.variants = variants
    contexts = FeatureContexts(map, variants: variants)
  }

  /// Adds the rewards of decisions with the same features and choice.
  ///
  /// - Parameters:
  ///   - vectors: The features of each variant, or one vector if none depends on the variant.
  ///   - variant: The index of the chosen variant.
  ///   - rewards: The rewards; their order has no effect on draws.
  ///   - zeros: The number of additional zero rewards.
  /// - Precondition: There is a vector for each variant, or one if the features do not depend on it.
  public mutating func add(
    _ vectors: [FeatureVector], variant: Int, rewards: [Double], zeros: Int = 0
  ) {
    let context = contexts.index(of: vectors)
    if context == samples.count { samples.append([]) }
    guard let place = samples[context].firstIndex(where: { $0.variant == variant }) else {
      samples[context].append(Sample(variant: variant, others: rewards, zeros: zeros))
      return
    }
    samples[context][place].others += rewards
    samples[context][place].zeros += zeros
  }

  /// Returns all rewards of each variant.
  func rewards() -> [ObservedRewards] {
    var others = [[Double]](repeating: [], count: variants)
    var zeros = [Int](repeating: 0, count: variants)
    for sample in samples.joined() where others.indices.contains(sample.variant) {
      others[sample.variant] += sample.others
      zeros[sample.variant] += sample.zeros
    }
    return zip(others, zeros).map { ObservedRewards($0, zeros: $1) }
  }

  /// Returns the contexts in an order that depends on the features alone, with the rewards by variant of each.
  func sorted() -> (contexts: FeatureContexts, samples: [[Sample]]) {
    var sorted = FeatureContexts(map, variants: variants)
    var ordered: [[Sample]] = []
    var vectors = [FeatureVector](repeating: FeatureVector(), count: sorted.variants ?? 1)
    for index in contexts.sortedIndices() {
      for variant in vectors.indices {
        contexts.write(variant, of: index, into: &vectors[variant])
      }
      _ = sorted.index(of: vectors)
      ordered.append(samples[index].sorted { $0.variant < $1.variant })
    }
    return (sorted, ordered)
  }
}
