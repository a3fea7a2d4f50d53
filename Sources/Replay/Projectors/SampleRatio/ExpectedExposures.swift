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

    fileprivate mutating func add(_ probability: Double, units: Int) {
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

    fileprivate mutating func add(_ choices: [UInt32], _ probabilities: [Double], units: Int) {
      for (variant, probability) in zip(choices, probabilities) where probability > 0 {
        variants[variant, default: Variant()].add(probability, units: units)
      }
    }

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

  /// The first exposures in a row with the same choices that were not added to the variants yet.
  private var latest = Latest()

  /// A number of first exposures with the same choices.
  private struct Latest: Sendable, Equatable {
    /// Whether probabilities were logged.
    var isLogged = false
    /// The index of the choices or probabilities in the register.
    var index = ProbabilityRegister.wrong
    var units = 0
    var variants: [UInt32] = []
    /// By choice; without logged probabilities the same for each.
    var probabilities: [Double] = []
  }

  /// Whether the source of the exposures stores the choices and probabilities that their decisions logged; databases do
  /// not.
  package var isStored = true

  /// Creates an empty value.
  public init() {}

  /// Creates the expectation of units whose decisions all had the same choices, without probabilities.
  package init(units: Int, choices: some Collection<UInt32>) {
    listed.units = units
    listed.add(Array(choices), Self.equal(choices.count), units: units)
  }

  private static func equal(_ choices: Int) -> [Double] {
    Array(repeating: 1 / Double(choices), count: choices)
  }

  /// Adds the probabilities in the event right before a first exposure, if they are logged and valid, or else its
  /// choices.
  mutating func add(
    before exposure: Int, of history: Span<UnitEvent>, _ register: ProbabilityRegister
  ) {
    guard exposure > 0 else { return }
    let (kind, index) = (history[exposure - 1].kind, history[exposure - 1].subject)
    let isLogged = kind == .probabilities
    guard isLogged || kind == .choices, index != ProbabilityRegister.wrong else { return }
    if isLogged { logged.units += 1 } else { listed.units += 1 }
    if latest.index != index || latest.isLogged != isLogged {
      settle()
      let variants = register.lists[register.list(of: index)]
      latest = Latest(
        isLogged: isLogged, index: index, variants: variants,
        probabilities: isLogged
          ? Array(register.probabilities(of: index)) : Self.equal(variants.count))
    }
    latest.units += 1
  }

  /// Adds the latest exposures to their variants.
  mutating func settle() {
    let (choices, probabilities, units) = (latest.variants, latest.probabilities, latest.units)
    if latest.isLogged {
      logged.add(choices, probabilities, units: units)
    } else {
      listed.add(choices, probabilities, units: units)
    }
    latest = Latest()
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    var other = other
    other.settle()
    settle()
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
    for (place, var tally) in tallies.enumerated() where !tally.isOmitted {
      tally.settle()
      let (number, value) = segment(at: place)
      let segment = Segment(arm: places.names[Int(number)], value: context.values[Int(value)])
      result[segment] = tally
    }
    return result
  }
}
