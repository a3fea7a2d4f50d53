public import Specifications
public import Statistics

/// How the decisions of an experiment were logged: how many carry a propensity, and how many of those are valid.
public struct PropensityTally: Sendable, Equatable {
  /// The tolerance for a sum of probabilities to equal 1, and for a propensity to equal the probability of its choice.
  public static let tolerance = 1e-6

  /// Confirmed and provisional decisions.
  public var decisions = 0
  /// Decisions without a propensity.
  public var withoutPropensity = 0
  /// Decisions with a propensity that is not above 0 and at most 1.
  public var outOfRange = 0
  /// Decisions with choices.
  public var withChoices = 0
  /// Decisions whose variant is not among their choices.
  public var notAmongChoices = 0
  /// Decisions with a probability for each of their choices.
  public var withProbabilities = 0
  /// Decisions whose probabilities are not between 0 and 1, or do not sum to 1.
  public var wrongSums = 0
  /// Decisions whose propensity can be compared with the probability of the chosen variant.
  public var compared = 0
  /// Decisions among them where the two differ.
  public var different = 0
  /// The inverse propensities of the decisions with a valid propensity and with choices.
  public var inverses = Moments()
  /// The inverse propensity minus the number of possible choices, over the same decisions.
  public var excesses = Moments()
  /// The largest magnitude of these differences.
  public var greatestExcess = 0.0
  /// The sum of the numbers of possible choices over the same decisions.
  public var choices = 0

  mutating func addInverse(_ propensity: Double, choices: Int) {
    let inverse = 1 / propensity
    let excess = inverse - Double(choices)
    inverses.add(inverse)
    excesses.add(excess)
    greatestExcess = max(greatestExcess, abs(excess))
    self.choices += choices
  }
}

extension PropensityTally: StateFields {
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&decisions, other.decisions)
    visit(&withoutPropensity, other.withoutPropensity)
    visit(&outOfRange, other.outOfRange)
    visit(&withChoices, other.withChoices)
    visit(&notAmongChoices, other.notAmongChoices)
    visit(&withProbabilities, other.withProbabilities)
    visit(&wrongSums, other.wrongSums)
    visit(&compared, other.compared)
    visit(&different, other.different)
    visit(&choices, other.choices)
    visit(&inverses, other.inverses)
    visit(&excesses, other.excesses)
    visit.greatest(&greatestExcess, other.greatestExcess)
  }

  public var isOmitted: Bool { decisions <= 0 }
}

/// How often a variant was chosen, compared with its logged probabilities, over the decisions with valid probabilities
/// that had it among their choices.
public struct CalibrationTally: Sendable, Equatable {
  /// Decisions that chose the variant.
  public var chosen = 0
  /// Decisions that had the variant among their choices.
  public var decisions = 0
  /// The sum of its probabilities p.
  public var expected = ExactSum()
  /// The sum of p².
  public var squares = ExactSum()

  /// The variance of the number of decisions that choose the variant, if the probabilities are right: the sum of p·(1
  /// − p).
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
}

extension CalibrationTally: StateFields {
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&chosen, other.chosen)
    visit(&decisions, other.decisions)
    visit(&expected, other.expected)
    visit(&squares, other.squares)
  }

  public var isOmitted: Bool { decisions <= 0 }
}

/// How decisions were logged, by experiment and by variant.
public struct PropensityTallies: Sendable, Equatable {
  /// A variant of an experiment, as codes of the log.
  public struct Variant: Hashable, Sendable {
    /// The code of the experiment.
    public var experiment: UInt32
    /// The code of the variant.
    public var variant: UInt32

    /// Creates a variant of an experiment.
    public init(experiment: UInt32, variant: UInt32) {
      self.experiment = experiment
      self.variant = variant
    }
  }

  /// The tallies by code of the experiment.
  public var experiments: [UInt32: PropensityTally] = [:]
  /// The calibration by variant that was among the choices of a decision with probabilities.
  public var variants: [Variant: CalibrationTally] = [:]
  /// The decisions with the variant among their choices, with or without probabilities.
  public var listings: [Variant: Int] = [:]

  /// Creates tallies of no decision.
  public init() {}

  /// Returns the choices of an experiment's decisions; nil if not all of them had the same.
  package func choices(of experiment: UInt32) -> [UInt32]? {
    guard let tally = experiments[experiment], tally.notAmongChoices == 0 else { return nil }
    let listings = listings.filter { $0.key.experiment == experiment }
    guard listings.values.allSatisfy({ $0 == tally.decisions }) else { return nil }
    return listings.map(\.key.variant)
  }
}
