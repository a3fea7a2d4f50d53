internal import EventLog
internal import Statistics

/// The expected number of first exposures of each variant of a place, from the logged probabilities of all choices.
public struct ExpectedExposures: Sendable, Equatable {
  /// The expectation for one variant.
  public struct Variant: Sendable, Equatable {
    private var probabilities = FixedPointSum()
    private var squares = FixedPointSum()

    /// The sum of its probabilities p.
    public var sum: Double { probabilities.value }

    /// The sum of p·(1 − p): the variance of the number of units, whether or not the policy learned from earlier ones.
    public var variance: Double { max(0, probabilities.value - squares.value) }

    fileprivate mutating func add(_ probability: Double) {
      guard let p = FixedPointSum.steps(of: probability),
        let square = FixedPointSum.steps(of: probability * probability)
      else { return }
      probabilities.add(p)
      squares.add(square)
    }

    fileprivate mutating func merge(_ other: Variant) {
      probabilities.merge(other.probabilities)
      squares.merge(other.squares)
    }
  }

  /// First exposures with a probability for each choice.
  public private(set) var units = 0
  /// By code of the variant, including variants that no unit was exposed to.
  public private(set) var variants: [UInt32: Variant] = [:]

  /// Whether the source of the exposures stores the probabilities that their decisions logged; databases do not.
  package var isStored = true

  /// Creates an empty value.
  public init() {}

  /// Adds the probabilities in the event right before a first exposure, if they are logged and valid.
  mutating func add(
    before exposure: Int, of history: Span<UnitEvent>, _ register: ProbabilityRegister
  ) {
    guard exposure > 0, history[exposure - 1].kind == .probabilities else { return }
    let index = history[exposure - 1].subject
    guard index != ProbabilityRegister.wrong else { return }
    units += 1
    for (variant, probability) in zip(
      register.lists[register.list(of: index)], register.probabilities(of: index))
    where probability > 0 {
      variants[variant, default: Variant()].add(probability)
    }
  }

  mutating func merge(_ other: ExpectedExposures) {
    units += other.units
    isStored = isStored && other.isStored
    variants.merge(other.variants) { mine, theirs in
      var merged = mine
      merged.merge(theirs)
      return merged
    }
  }
}

// MARK: State

extension ExpectedExposures.Variant {
  fileprivate func write(to writer: inout StateWriter) {
    probabilities.write(to: &writer)
    squares.write(to: &writer)
  }

  fileprivate init(from reader: inout StateReader) throws(StateError) {
    probabilities = try FixedPointSum(from: &reader)
    squares = try FixedPointSum(from: &reader)
  }
}

extension ExpectedExposures {
  fileprivate func write(to writer: inout StateWriter) {
    writer.write(tally: units)
    writer.write(UInt64(variants.count))
    for (variant, sums) in variants.sorted(by: { $0.key < $1.key }) {
      writer.write(UInt64(variant))
      sums.write(to: &writer)
    }
  }

  fileprivate init(from reader: inout StateReader, _ codes: StateCodes) throws(StateError) {
    self.init()
    units = try reader.readTally()
    for _ in 0..<(try reader.readCount()) {
      let variant = try codes.readName(.variants, &reader)
      variants[variant] = try Variant(from: &reader)
    }
  }
}

extension SegmentTable<ExpectedExposures> {
  /// Writes the tallies of places with units.
  func writePlaces(to writer: inout StateWriter) {
    write(to: &writer, where: { $0.units > 0 }) { $0.write(to: &$1) }
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
    for (place, tally) in tallies.enumerated() where tally.units > 0 {
      let (number, value) = segment(at: place)
      let segment = Segment(arm: places.names[Int(number)], value: context.values[Int(value)])
      result[segment] = tally
    }
    return result
  }
}
