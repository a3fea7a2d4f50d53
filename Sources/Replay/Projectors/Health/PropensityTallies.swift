public import Statistics

/// How the decisions of an experiment were logged: which carry a propensity, and whether it can be right.
public struct PropensityTally: Sendable, Equatable {
  /// How far a sum of probabilities may be from 1, and a propensity from the probability of its choice.
  public static let tolerance = 1e-6

  /// Decisions that were made: confirmed and provisional ones.
  public var decisions = 0
  /// Those without a propensity.
  public var withoutPropensity = 0
  /// Those with a propensity that is not above 0 and at most 1.
  public var outOfRange = 0
  /// Those with choices.
  public var withChoices = 0
  /// Those with choices among which the chosen variant is not.
  public var notAmongChoices = 0
  /// Those with a probability for each of their choices.
  public var withProbabilities = 0
  /// Those whose probabilities are not between 0 and 1, or do not add up to 1.
  public var wrongSums = 0
  /// Those whose propensity can be compared with the probability of the chosen variant.
  public var compared = 0
  /// Those of them where the two differ.
  public var different = 0
  /// One over the propensity, of the decisions with a propensity in range and with choices.
  public var inverses = Moments()
  /// One over the propensity less the number of choices that could be chosen.
  public var excesses = Moments()
  /// The greatest magnitude of these differences.
  public var greatestExcess = 0.0
  /// The numbers of choices that could be chosen, added up over the same decisions.
  public var choices = 0

  mutating func addInverse(_ propensity: Double, choices: Int) {
    let inverse = 1 / propensity
    let excess = inverse - Double(choices)
    inverses.add(inverse)
    excesses.add(excess)
    greatestExcess = max(greatestExcess, abs(excess))
    self.choices += choices
  }

  static let counts: [any WritableKeyPath<PropensityTally, Int> & Sendable] = [
    \.decisions, \.withoutPropensity, \.outOfRange, \.withChoices, \.notAmongChoices,
    \.withProbabilities, \.wrongSums, \.compared, \.different, \.choices,
  ]

  mutating func merge(_ other: PropensityTally) {
    for count in Self.counts { self[keyPath: count] += other[keyPath: count] }
    inverses.merge(other.inverses)
    excesses.merge(other.excesses)
    greatestExcess = max(greatestExcess, other.greatestExcess)
  }
}

/// How often a variant was chosen, and how often its logged probabilities say that it should be, over the decisions
/// whose probabilities could be right and that had it among their choices.
public struct CalibrationTally: Sendable, Equatable {
  /// Decisions that chose it.
  public var chosen = 0
  /// Decisions that had it among their choices.
  public var decisions = 0
  /// The sum of its probabilities p.
  public var expected = ExactSum()
  /// The sum of p².
  public var squares = ExactSum()

  /// The variance of the number of decisions that choose it, when the probabilities are right: the sum of p·(1 − p).
  public var variance: Double {
    var rest = expected
    for term in [squares.rounded2.high, squares.rounded2.low] { rest.add(-term) }
    return max(0, rest.value)
  }

  mutating func add(_ probability: Double, isChosen: Bool) {
    decisions += 1
    if isChosen { chosen += 1 }
    expected.add(probability)
    squares.add(product: probability, probability)
  }

  mutating func merge(_ other: CalibrationTally) {
    chosen += other.chosen
    decisions += other.decisions
    expected.merge(other.expected)
    squares.merge(other.squares)
  }
}

/// How decisions were logged, by experiment and by variant.
public struct PropensityTallies: Sendable, Equatable {
  /// A variant of an experiment, as codes of the log.
  public struct Variant: Hashable, Sendable {
    /// Code of the experiment.
    public var experiment: UInt32
    /// Code of the variant.
    public var variant: UInt32

    /// Makes a variant of an experiment.
    public init(experiment: UInt32, variant: UInt32) {
      self.experiment = experiment
      self.variant = variant
    }
  }

  /// By code of the experiment.
  public var experiments: [UInt32: PropensityTally] = [:]
  /// By variant that was among the choices of a decision with probabilities.
  public var variants: [Variant: CalibrationTally] = [:]
}
