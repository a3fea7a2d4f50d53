public import Specifications

/// A table of tallies by segment: by arm (or any other subject with a code), and by value of the dimension.
public struct SegmentTable<Tally: Sendable>: Sendable {
  private var index = CodeIndex()
  /// By subject, for the first value: the index of its tally plus one, 0 if there is none yet. Without a breakdown, no
  /// hashing is needed.
  private var direct: [UInt32] = []
  /// The tallies, in the order in which their segments first appeared.
  public var tallies: [Tally] = []
  private let initial: Tally
  /// The kinds of the subjects and of the values in a stored table.
  private let (subjects, values): (CodeSpace, CodeSpace)

  /// Creates an empty table of arms and values of the dimension.
  ///
  /// - Parameter initial: The initial tally of a new segment.
  public init(_ initial: Tally) {
    self.init(initial, .arms, .values)
  }

  /// Creates an empty table of other subjects or values.
  package init(_ initial: Tally, _ subjects: CodeSpace, _ values: CodeSpace) {
    (self.initial, self.subjects, self.values) = (initial, subjects, values)
  }

  /// The number of segments.
  public var count: Int { tallies.count }

  /// Returns the index of a segment in ``tallies``, adding the segment if needed.
  ///
  /// - Complexity: O(1) on average.
  public mutating func place(of subject: UInt32, _ value: UInt32) -> Int {
    guard value == 0, subject < 1 << 16 else { return hashed(subject, value) }
    if Int(subject) < direct.count, direct[Int(subject)] != 0 {
      return Int(direct[Int(subject)]) - 1
    }
    let place = hashed(subject, value)
    let more = Int(subject) + 1 - direct.count
    if more > 0 { direct.append(contentsOf: repeatElement(0, count: more)) }
    direct[Int(subject)] = UInt32(place + 1)
    return place
  }

  private mutating func hashed(_ subject: UInt32, _ value: UInt32) -> Int {
    let place = index.index(of: UInt64(value) << 32 | UInt64(subject))
    if place == tallies.count { tallies.append(initial) }
    return place
  }

  /// Returns the tally of a segment; nil if it is not present.
  func find(_ subject: UInt32, _ value: UInt32) -> Tally? {
    index.find(UInt64(value) << 32 | UInt64(subject)).map { tallies[$0] }
  }

  /// Returns the segment at an index.
  public func segment(at place: Int) -> (subject: UInt32, value: UInt32) {
    let key = index.keys[place]
    return (UInt32(truncatingIfNeeded: key), UInt32(truncatingIfNeeded: key >> 32))
  }
}

extension SegmentTable: StateField where Tally: StateField {
  public mutating func merge(_ other: SegmentTable) { merge(other) { $0 } }

  @inline(__always)
  mutating func merge(_ other: SegmentTable, valued newValue: (UInt32) -> UInt32) {
    let isRenewed = values == .values
    for place in other.tallies.indices {
      let (subject, value) = other.segment(at: place)
      let own = self.place(of: subject, isRenewed ? newValue(value) : value)
      tallies[own].merge(other.tallies[place])
    }
  }

  public mutating func subtract(_ other: SegmentTable) {
    for place in other.tallies.indices {
      let (subject, value) = other.segment(at: place)
      tallies[self.place(of: subject, value)].subtract(other.tallies[place])
    }
  }

  /// The indices of the segments that are written, sorted by segment regardless of the order in which they appeared.
  var writtenPlaces: [Int] {
    tallies.indices.filter { !tallies[$0].isOmitted }.sorted { segment(at: $0) < segment(at: $1) }
  }

  public func write(to writer: inout StateWriter) {
    let places = writtenPlaces
    writer.write(UInt64(places.count))
    for place in places {
      let (subject, value) = segment(at: place)
      subject.write(to: &writer)
      value.write(to: &writer)
      tallies[place].write(to: &writer)
    }
  }

  public mutating func read(from reader: inout StateReader) throws(StateError) {
    _ = try readPlaces(from: &reader)
  }

  /// Reads a table, and returns the index of each of its segments, in order.
  mutating func readPlaces(from reader: inout StateReader) throws(StateError) -> [UInt32] {
    var places: [UInt32] = []
    for _ in 0..<(try reader.readCount()) {
      let subject = try reader.readCode(subjects)
      let place = place(of: subject, try reader.readCode(values))
      tallies[place] = initial
      try tallies[place].read(from: &reader)
      places.append(UInt32(truncatingIfNeeded: place))
    }
    return places
  }
}

extension SegmentTable: ValuedField where Tally: StateField {}

extension SegmentTable {
  /// Returns the tallies by segment, for a table whose subjects are arms.
  func segments(_ context: UnitContext) -> [Segment: Tally] {
    var segments: [Segment: Tally] = [:]
    for (place, tally) in tallies.enumerated() {
      let (arm, value) = segment(at: place)
      segments[Segment(arm: context.arms[Int(arm)], value: context.values[Int(value)])] = tally
    }
    return segments
  }
}
