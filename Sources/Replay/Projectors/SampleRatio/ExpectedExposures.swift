internal import EventLog
public import Specifications
internal import Statistics

/// The expected number of first exposures of each variant of a place, from the logged probabilities of all choices, and
/// from the choices alone where no probabilities were logged.
public struct ExpectedExposures: StateFields, Equatable {
  /// The expectation for one variant.
  public struct Variant: StateFields, Equatable {
    private var probabilities = FixedPointSum()
    private var squares = FixedPointSum()
    /// The units that had it among their choices.
    public private(set) var units = 0

    /// The sum of its probabilities p.
    public var sum: Double { probabilities.value }

    /// The sum of p·(1 − p): the variance of the number of units, whether or not the policy learned from earlier ones.
    public var variance: Double { max(0, probabilities.value - squares.value) }

    fileprivate mutating func add(_ probability: Double, units: Int = 1) {
      guard let p = FixedPointSum.steps(of: probability),
        let square = FixedPointSum.steps(of: probability * probability)
      else { return }
      self.units += units
      probabilities.add(p &* Int128(units))
      squares.add(square &* Int128(units))
    }

    public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&units, other.units)
      visit(&probabilities, other.probabilities)
      visit(&squares, other.squares)
    }
  }

  /// The expectations for the variants of a place, over some first exposures.
  public struct Sums: StateFields, Equatable {
    /// The first exposures.
    public fileprivate(set) var units = 0
    /// By code of the variant, including variants that no unit was exposed to.
    public fileprivate(set) var variants: [UInt32: Variant] = [:]

    public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&units, other.units)
      visit.entries(&variants, other.variants, .names(.variants), Variant())
    }
  }

  /// Over the first exposures with a probability for each choice.
  public private(set) var logged = Sums()
  /// Over the first exposures with choices but without probabilities, with equal probabilities for the choices of each.
  public private(set) var listed = Sums()
  /// Whether the choices of these were the same for each.
  public var hasEqualLists: Bool { listed.variants.values.allSatisfy { $0.units == listed.units } }

  /// Whether the source of the exposures stores the choices and probabilities that their decisions logged; databases do
  /// not.
  package var isStored = true

  /// Creates an empty value.
  public init() {}

  /// Creates the expectation of units whose decisions all had the same choices, without probabilities.
  package init(units: Int, choices: some Collection<UInt32>) {
    add(choices, units: units)
  }

  private mutating func add(_ choices: some Collection<UInt32>, units: Int = 1) {
    listed.units += units
    for variant in choices {
      listed.variants[variant, default: Variant()].add(1 / Double(choices.count), units: units)
    }
  }

  /// Adds the probabilities in the event right before a first exposure, if they are logged and valid, or else its
  /// choices.
  mutating func add(
    before exposure: Int, of history: Span<UnitEvent>, _ register: ProbabilityRegister
  ) {
    guard exposure > 0 else { return }
    let (kind, index) = (history[exposure - 1].kind, history[exposure - 1].subject)
    if kind == .choices { add(register.lists[register.list(of: index)]) }
    guard kind == .probabilities, index != ProbabilityRegister.wrong else { return }
    logged.units += 1
    for (variant, probability) in zip(
      register.lists[register.list(of: index)], register.probabilities(of: index))
    where probability > 0 {
      logged.variants[variant, default: Variant()].add(probability)
    }
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    // What is written is stored.
    isStored = isStored && other.isStored
    visit(&logged, other.logged)
    visit(&listed, other.listed)
  }

  /// Whether no exposure had choices.
  public var isOmitted: Bool { logged.units <= 0 && listed.units <= 0 }
}

extension [Segment: ExpectedExposures] {
  /// Notes, of a log that is known by its units and tallies, the choices of decisions, and the places whose choices
  /// changed or have logged probabilities, which are in neither.
  ///
  /// - Parameters:
  ///   - segments: The segments with exposures.
  ///   - tallies: How the decisions were logged.
  package mutating func noteUnstored(
    of segments: some Sequence<Segment>, _ tallies: PropensityTallies
  ) {
    for var segment in segments {
      guard let tally = tallies.experiments[segment.arm.experiment], tally.withChoices > 0 else {
        continue
      }
      segment.arm.variant = 0
      guard self[segment] == nil else { continue }
      var exposures = ExpectedExposures()
      if tally.withProbabilities == 0, let choices = tallies.choices(of: segment.arm.experiment) {
        exposures = ExpectedExposures(units: 1, choices: choices)
      } else {
        exposures.isStored = false
      }
      self[segment] = exposures
    }
  }
}

extension SegmentTable where Tally == ExpectedExposures {
  /// Returns the tallies by experiment, point and slot (an arm with variant 0) and value, given a table whose subjects
  /// are the numbers of places.
  func places(_ context: UnitContext, _ places: Places) -> [Segment: ExpectedExposures] {
    var result: [Segment: ExpectedExposures] = [:]
    for (place, tally) in tallies.enumerated() where !tally.isOmitted {
      let (number, value) = segment(at: place)
      let segment = Segment(arm: places.names[Int(number)], value: context.values[Int(value)])
      result[segment] = tally
    }
    return result
  }
}
