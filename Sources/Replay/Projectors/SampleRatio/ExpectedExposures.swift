internal import EventLog
internal import Specifications
internal import Statistics

/// The expected number of first exposures of each variant of a place, from the logged probabilities of all choices, and
/// from the choices alone where no probabilities were logged.
public struct ExpectedExposures: Sendable, Equatable {
  /// The expectation for one variant.
  public struct Variant: Sendable, Equatable {
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

    fileprivate mutating func merge(_ other: Variant) {
      units += other.units
      probabilities.merge(other.probabilities)
      squares.merge(other.squares)
    }
  }

  /// The expectations for the variants of a place, over some first exposures.
  public struct Sums: Sendable, Equatable {
    /// The first exposures.
    public fileprivate(set) var units = 0
    /// By code of the variant, including variants that no unit was exposed to.
    public fileprivate(set) var variants: [UInt32: Variant] = [:]

    fileprivate mutating func merge(_ other: Sums) {
      units += other.units
      variants.merge(other.variants) { mine, theirs in
        var merged = mine
        merged.merge(theirs)
        return merged
      }
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

  mutating func merge(_ other: ExpectedExposures) {
    isStored = isStored && other.isStored
    logged.merge(other.logged)
    listed.merge(other.listed)
  }
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

// MARK: State

extension ExpectedExposures.Variant {
  fileprivate func write(to writer: inout StateWriter) {
    writer.write(tally: units)
    probabilities.write(to: &writer)
    squares.write(to: &writer)
  }

  fileprivate init(from reader: inout StateReader) throws(StateError) {
    units = try reader.readTally()
    probabilities = try FixedPointSum(from: &reader)
    squares = try FixedPointSum(from: &reader)
  }
}

extension ExpectedExposures.Sums {
  fileprivate func write(to writer: inout StateWriter) {
    writer.write(tally: units)
    writer.write(UInt64(variants.count))
    for (variant, sums) in variants.sorted(by: { $0.key < $1.key }) {
      writer.write(UInt64(variant))
      sums.write(to: &writer)
    }
  }

  fileprivate init(from reader: inout StateReader, _ codes: StateCodes) throws(StateError) {
    units = try reader.readTally()
    for _ in 0..<(try reader.readCount()) {
      let variant = try codes.readName(.variants, &reader)
      variants[variant] = try ExpectedExposures.Variant(from: &reader)
    }
  }
}

extension ExpectedExposures {
  /// Whether an exposure had choices.
  fileprivate var isFilled: Bool { logged.units > 0 || listed.units > 0 }

  fileprivate func write(to writer: inout StateWriter) {
    logged.write(to: &writer)
    listed.write(to: &writer)
  }

  fileprivate init(from reader: inout StateReader, _ codes: StateCodes) throws(StateError) {
    logged = try Sums(from: &reader, codes)
    listed = try Sums(from: &reader, codes)
  }
}

extension SegmentTable<ExpectedExposures> {
  /// Writes the tallies of places with units.
  func writePlaces(to writer: inout StateWriter) {
    write(to: &writer, where: { $0.isFilled }) { $0.write(to: &$1) }
  }

  /// Reads tallies whose subjects are the numbers of places.
  ///
  /// - Throws: `StateError` if the bytes are not such tallies.
  mutating func readPlaces(
    from reader: inout StateReader, _ codes: StateCodes
  ) throws(StateError) {
    let places = try codes.indices { Places($0).names }
    let limit = Places(codes.storedArms).count
    try read(
      from: &reader,
      subject: { (reader) throws(StateError) in
        let place = try reader.readCount(below: limit)
        return places?[place] ?? UInt32(place)
      }, value: { (reader) throws(StateError) in try codes.readValue(&reader) }
    ) { (reader) throws(StateError) in try ExpectedExposures(from: &reader, codes) }
  }
}

extension SegmentTable where Tally == ExpectedExposures {
  /// Returns the tallies by experiment, point and slot (an arm with variant 0) and value, given a table whose subjects
  /// are the numbers of places.
  func places(_ context: UnitContext, _ places: Places) -> [Segment: ExpectedExposures] {
    var result: [Segment: ExpectedExposures] = [:]
    for (place, tally) in tallies.enumerated() where tally.isFilled {
      let (number, value) = segment(at: place)
      let segment = Segment(arm: places.names[Int(number)], value: context.values[Int(value)])
      result[segment] = tally
    }
    return result
  }
}
