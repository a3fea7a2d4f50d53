internal import EventLog
internal import Replay
public import Specifications
public import Statistics

/// The logged propensities of the decisions that an evaluation uses, by place and variant: whether they can be right,
/// and whether one fixed policy can have logged them.
///
/// - Complexity: about 400 bytes for each place and variant, and 8 to 16 more for each distinct propensity up to
///   ``mostDistinct``.
public struct LoggingTally: StateFields {
  /// The number of distinct propensities of a place and variant up to which they are counted.
  public static let mostDistinct = 1_000

  /// The decisions of a place and variant.
  public struct Variant: StateFields, Equatable {
    /// The propensities.
    public private(set) var propensities = Moments()
    /// The smallest one.
    public private(set) var least = Double.infinity
    /// The greatest one.
    public private(set) var greatest = -Double.infinity
    private var distinctValues = DistinctPropensities()

    /// The number of distinct propensities, at most ``LoggingTally/mostDistinct``.
    public var distinct: Int { distinctValues.count }

    mutating func add(_ propensity: Double, times: Int) {
      propensities.add(propensity, times: times)
      least = min(least, propensity)
      greatest = max(greatest, propensity)
      distinctValues.insert(propensity)
    }

    public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&propensities, other.propensities)
      visit.least(&least, other.least)
      visit.greatest(&greatest, other.greatest)
      visit(&distinctValues, other.distinctValues)
    }

    public static func == (a: Variant, b: Variant) -> Bool {
      a.propensities == b.propensities && a.least == b.least && a.greatest == b.greatest
        && a.distinct == b.distinct
    }
  }

  /// The decisions of a place.
  public struct Place: StateFields, Equatable {
    /// The numbers 1/p of all its decisions, for propensities p.
    public private(set) var inverses = Moments()
    /// The numbers 1/p − K of the decisions with K logged choices (those with a probability above zero, if logged).
    private var excesses = Moments()
    /// The numbers 1/p of the decisions without logged choices.
    private var unlisted = Moments()
    private var choices = 0
    /// The number of variants that were chosen at the place: the choices of decisions without logged ones.
    public internal(set) var variants = 0

    /// The mean number of choices of a decision, which is the mean of 1/p if the propensities are right.
    public var meanChoices: Double? {
      guard inverses.count > 0 else { return nil }
      return (Double(choices) + Double(variants) * Double(unlisted.count)) / Double(inverses.count)
    }

    /// The difference of both means over its standard error; nil if that is zero or there are fewer than two decisions.
    public var statistic: Double? {
      let parts = [(excesses, 0.0), (unlisted, Double(variants))].filter { $0.0.count > 0 }
      let squares = parts.reduce(0.0) { $0 + Double($1.0.count) * ($1.0.variance ?? 0) }
      guard squares > 0 else { return nil }
      let excess = parts.reduce(0.0) { $0 + $1.0.sum - $1.1 * Double($1.0.count) }
      return excess / squares.squareRoot()
    }

    mutating func add(_ propensity: Double, choices: Int?, times: Int) {
      inverses.add(1 / propensity, times: times)
      if let choices {
        excesses.add(1 / propensity - Double(choices), times: times)
        self.choices += choices * times
      } else {
        unlisted.add(1 / propensity, times: times)
      }
    }

    public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&inverses, other.inverses)
      visit(&excesses, other.excesses)
      visit(&unlisted, other.unlisted)
      visit(&choices, other.choices)
    }

    public var isOmitted: Bool { inverses.count == 0 }
  }

  /// By number of the place.
  public private(set) var places: [Place] = []
  /// By place and variant.
  public private(set) var variants: [PlaceVariant: Variant] = [:]
  /// The times of the first and the last decision, in microseconds since 1970-01-01T00:00:00Z; nil without decisions.
  public var times: ClosedRange<Int64>? { logged.times }
  private var logged = LoggedTimes()

  init() {}

  /// The number of places and variants with decisions.
  public var pairs: Int { variants.count }

  /// The number of places and variants whose decisions have more than one propensity.
  public var varyingPairs: Int { variants.values.count { $0.distinct > 1 } }

  /// Adds a number of decisions of a kind, without their times.
  ///
  /// - Parameters:
  ///   - row: One of the decisions.
  ///   - choices: The number of its choices; nil if they were not logged.
  ///   - times: The number of decisions.
  mutating func add(_ row: CreditedDecision, choices: Int?, times: Int) {
    let place = Int(row.place)
    if place >= places.count {
      places.append(contentsOf: repeatElement(Place(), count: place + 1 - places.count))
    }
    places[place].add(row.propensity, choices: choices, times: times)
    variants[PlaceVariant(place: row.place, variant: row.variant), default: Variant()]
      .add(row.propensity, times: times)
  }

  /// Adds the times of some decisions, which are in order.
  mutating func add(timesOf rows: [CreditedDecision]) {
    if let first = rows.first?.time, let last = rows.last?.time { add(times: first, last) }
  }

  /// Adds a range of times; does nothing if it is empty.
  mutating func add(times first: Int64, _ last: Int64) {
    if first <= last { logged.merge(LoggedTimes(times: first...last)) }
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit.list(&places, other.places, by: .places, Place())
    visit.entries(&variants, other.variants, .numbers, Variant())
    visit(&logged, other.logged)
  }

  public func validate() throws(StateError) {
    guard variants.keys.allSatisfy({ $0.place < places.count }) else {
      throw StateError("a variant has no place")
    }
  }

  /// Sets the numbers of variants of all places.
  mutating func finish() {
    for key in variants.keys { places[Int(key.place)].variants += 1 }
  }
}

/// The times of the first and the last decision.
private struct LoggedTimes: StateField {
  var times: ClosedRange<Int64>?

  mutating func merge(_ other: LoggedTimes) {
    guard let mine = times, let more = other.times else { return times = times ?? other.times }
    times = min(mine.lowerBound, more.lowerBound)...max(mine.upperBound, more.upperBound)
  }

  func write(to writer: inout StateWriter) {
    writer.write(byte: times == nil ? 0 : 1)
    guard let times else { return }
    writer.write(signed: times.lowerBound)
    writer.write(signed: times.upperBound)
  }

  mutating func read(from reader: inout StateReader) throws(StateError) {
    guard try reader.readByte() == 1 else { return }
    let (first, last) = (try reader.readSigned(), try reader.readSigned())
    guard first <= last else { throw StateError("times are in the wrong order") }
    times = first...last
  }
}

/// Distinct propensities, until there are more than are counted.
private struct DistinctPropensities: StateField {
  /// The propensities; empty if there are too many.
  private var seen: Set<Double> = []
  private var hasMany = false

  /// Their number, at most ``LoggingTally/mostDistinct``.
  var count: Int { hasMany ? LoggingTally.mostDistinct : seen.count }

  mutating func insert(_ propensity: Double) {
    guard !hasMany else { return }
    seen.insert(propensity)
    guard seen.count > LoggingTally.mostDistinct else { return }
    (seen, hasMany) = ([], true)
  }

  mutating func merge(_ other: DistinctPropensities) {
    if other.hasMany { (seen, hasMany) = ([], true) }
    for propensity in other.seen { insert(propensity) }
  }

  func write(to writer: inout StateWriter) {
    writer.write(UInt64(hasMany ? LoggingTally.mostDistinct + 1 : seen.count))
    for propensity in seen.sorted() { writer.write(propensity) }
  }

  mutating func read(from reader: inout StateReader) throws(StateError) {
    let count = try reader.readCount(below: LoggingTally.mostDistinct + 2)
    hasMany = count > LoggingTally.mostDistinct
    while !hasMany, seen.count < count {
      let propensity = try reader.readDouble()
      guard propensity > 0, seen.insert(propensity).inserted else {
        throw StateError("a propensity occurs twice")
      }
    }
  }
}

/// A variant at a place of an experiment.
public struct PlaceVariant: Hashable, Sendable {
  /// The number of the place: point and slot.
  public var place: UInt32
  /// The code of the variant.
  public var variant: UInt32
}

extension PlaceVariant: StateKey {
  public static func < (a: PlaceVariant, b: PlaceVariant) -> Bool {
    (a.place, a.variant) < (b.place, b.variant)
  }

  public func write(to writer: inout StateWriter) {
    place.write(to: &writer)
    variant.write(to: &writer)
  }

  /// Reads a variant of a place.
  ///
  /// - Throws: `StateError` if there is no such place or variant.
  public init(from reader: inout StateReader, _ space: CodeSpace) throws(StateError) {
    place = try reader.readCode(.places)
    variant = try reader.readCode(.names(.variants))
  }
}
