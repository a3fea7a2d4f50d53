internal import Statistics

/// Processes the decisions of a stream in order, for all of its variants at once.
struct AdaptiveRun {
  /// The codes of the variants.
  private let variants: [UInt32]
  private let baseline: Int?
  private var means: [AdaptivelyWeightedMean]
  private var contrasts: [AdaptivelyWeightedContrast]
  /// For each variant, its probability at the current decision.
  private var own: [Double]
  /// For each list of choices, the variant number of each choice, -1 for one that is not a variant of this stream.
  /// Empty until the list is first seen.
  private var numbers: [[Int]] = []

  init(_ variants: [UInt32], _ weighting: AdaptiveWeighting, baseline: Int?) {
    self.variants = variants
    self.baseline = baseline
    own = variants.map { _ in 0 }
    means = variants.map { _ in AdaptivelyWeightedMean(weighting) }
    contrasts = baseline == nil ? [] : variants.map { _ in AdaptivelyWeightedContrast(weighting) }
  }

  /// Processes the next decision.
  mutating func take(
    _ reward: Double, chosen: Int, _ index: UInt32, of register: ProbabilityRegister
  ) {
    find(index, register)
    for variant in variants.indices {
      means[variant].add(reward, isChosen: variant == chosen, probability: own[variant])
      guard let baseline, variant != baseline else { continue }
      contrasts[variant].add(
        reward, choice: variant == chosen ? .treatment : baseline == chosen ? .control : .other,
        treatmentProbability: own[variant], controlProbability: own[baseline])
    }
  }

  /// Finds the probability of each variant; the probabilities of a variant that is listed twice are added.
  private mutating func find(_ index: UInt32, _ register: ProbabilityRegister) {
    let list = register.list(of: index)
    if list >= numbers.count {
      numbers.append(contentsOf: repeatElement([], count: register.lists.count - numbers.count))
    }
    if numbers[list].isEmpty {
      numbers[list] = register.lists[list].map { variants.firstIndex(of: $0) ?? -1 }
    }
    for variant in own.indices { own[variant] = 0 }
    for (number, probability) in zip(numbers[list], register.probabilities(of: index))
    where number >= 0 {
      // Probabilities that sum to 1 within a tolerance may exceed it.
      own[number] = min(own[number] + probability, 1)
    }
  }

  /// The estimates from the decisions so far.
  var estimates: [AdaptiveEstimate] {
    variants.indices.map { variant in
      AdaptiveEstimate(
        mean: means[variant],
        contrast: baseline == nil || variant == baseline ? nil : contrasts[variant])
    }
  }
}
