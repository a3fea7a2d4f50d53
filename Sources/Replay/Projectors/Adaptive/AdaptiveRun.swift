internal import Statistics

/// Processes the decisions of a stream in order, for all of its variants at once. A variant is visited by the decisions
/// that list it; those in between, which could not choose it, are added together.
struct AdaptiveRun {
  private let baseline: Int?
  private var means: [AdaptivelyWeightedMean]
  private var contrasts: [AdaptivelyWeightedContrast]
  private var balances: [ChoiceBalance]
  /// For each variant, its probability at the current decision, and how many decisions it has.
  private var own: [Double]
  private var counts: [Int]
  /// The number of decisions.
  private var count = 0
  /// The numbers of the variants by their codes.
  private let places: [UInt32: Int]
  /// For each list of choices, the variant number of each choice, -1 for one that is not a variant of this stream.
  /// Empty until the list is first seen.
  private var numbers: [[Int]] = []

  init(_ variants: [UInt32], _ weighting: AdaptiveWeighting, baseline: Int?) {
    self.baseline = baseline
    places = Dictionary(
      variants.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    own = variants.map { _ in 0 }
    counts = variants.map { _ in 0 }
    means = variants.map { _ in AdaptivelyWeightedMean(weighting) }
    contrasts = baseline == nil ? [] : variants.map { _ in AdaptivelyWeightedContrast(weighting) }
    balances = variants.map { _ in ChoiceBalance() }
  }

  /// Processes the next decision.
  ///
  /// - Complexity: O(choices) on average.
  mutating func take(_ decision: CreditedDecision, _ register: ProbabilityRegister) {
    guard let index = decision.probabilities, let chosen = places[decision.variant] else { return }
    let reward = decision.reward
    let list = find(index, register)
    if isRefused(reward, chosen: chosen) {
      // For every contrast, also those of variants that are not listed.
      for variant in own.indices { add(reward, to: variant, chosen: chosen) }
    } else {
      for variant in numbers[list] where variant >= 0 && counts[variant] <= count {
        add(reward, to: variant, chosen: chosen)
      }
    }
    count += 1
    for variant in numbers[list] where variant >= 0 {
      // A list that names a variant twice has its probabilities together.
      if own[variant] > 0 { balances[variant].add(own[variant], isChosen: variant == chosen) }
      own[variant] = 0
    }
  }

  /// Whether the decision is invalid for the baseline.
  private func isRefused(_ reward: Double, chosen: Int) -> Bool {
    guard let baseline else { return false }
    return !AdaptivelyWeightedMean.isValid(
      reward, isChosen: baseline == chosen, probability: own[baseline])
  }

  private mutating func add(_ reward: Double, to variant: Int, chosen: Int) {
    addUnavailable(to: variant)
    counts[variant] = count + 1
    means[variant].add(reward, isChosen: variant == chosen, probability: own[variant])
    guard let baseline, variant != baseline else { return }
    contrasts[variant].add(
      reward, choice: variant == chosen ? .treatment : baseline == chosen ? .control : .other,
      treatmentProbability: own[variant], controlProbability: own[baseline])
  }

  /// Adds the decisions before the current one that did not list a variant.
  private mutating func addUnavailable(to variant: Int) {
    let missed = count - counts[variant]
    guard missed > 0 else { return }
    means[variant].addUnavailable(missed)
    if baseline != nil, variant != baseline { contrasts[variant].addUnavailable(missed) }
    counts[variant] = count
  }

  /// Finds the probability of each listed variant, and returns the list.
  private mutating func find(_ index: UInt32, _ register: ProbabilityRegister) -> Int {
    let list = register.list(of: index)
    if list >= numbers.count {
      numbers.append(contentsOf: repeatElement([], count: register.lists.count - numbers.count))
    }
    if numbers[list].isEmpty { numbers[list] = register.lists[list].map { places[$0] ?? -1 } }
    for (number, probability) in zip(numbers[list], register.probabilities(of: index))
    where number >= 0 {
      // Probabilities that sum to 1 within a tolerance may exceed it.
      own[number] = min(own[number] + probability, 1)
    }
    return list
  }

  /// The estimates from the decisions so far.
  var estimates: [AdaptiveEstimate] {
    mutating get {
      means.indices.map { variant in
        addUnavailable(to: variant)
        return AdaptiveEstimate(
          mean: means[variant],
          contrast: baseline == nil || variant == baseline ? nil : contrasts[variant],
          choices: balances[variant])
      }
    }
  }
}
