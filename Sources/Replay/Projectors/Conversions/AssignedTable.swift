internal import Specifications

/// Tallies by variant that units are assigned to, value of the dimension, and another code, with the exposures and
/// units of each variant and value.
struct AssignedTable<Tally: StateField>: ValuedField {
  /// By variant and value of the dimension.
  var segments = SegmentTable(AssignmentCount(), .assignedVariants, .values)
  /// By index of the segment and the other code.
  var tallies: SegmentTable<Tally>
  private let empty: SegmentTable<Tally>

  /// Creates an empty table.
  init(_ initial: Tally, _ codes: CodeSpace) {
    tallies = SegmentTable(initial, .segments, codes)
    empty = tallies
  }

  mutating func merge(_ other: Self) { merge(other) { $0 } }

  mutating func merge(_ other: Self, valued value: (UInt32) -> UInt32) {
    segments.merge(other.segments, valued: value)
    for (place, tally) in other.tallies.tallies.enumerated() {
      tallies.tallies[index(of: place, in: other, value)].merge(tally)
    }
  }

  mutating func subtract(_ other: Self) {
    segments.subtract(other.segments)
    for (place, tally) in other.tallies.tallies.enumerated() {
      tallies.tallies[index(of: place, in: other) { $0 }].subtract(tally)
    }
  }

  /// Returns the index of a tally of another table in this one, with what the closure returns for its value.
  private mutating func index(
    of place: Int, in other: Self, _ newValue: (UInt32) -> UInt32
  ) -> Int {
    let (segment, code) = other.tallies.segment(at: place)
    let (variant, value) = other.segments.segment(at: Int(segment))
    return tallies.place(
      of: UInt32(truncatingIfNeeded: segments.place(of: variant, newValue(value))), code)
  }

  /// Writes the segments with exposures and their tallies; they are numbered as when they are read back, in order.
  func write(to writer: inout StateWriter) {
    segments.write(to: &writer)
    var numbers = [UInt32?](repeating: nil, count: segments.count)
    for (number, place) in segments.writtenPlaces.enumerated() { numbers[place] = UInt32(number) }
    var written = empty
    for (place, tally) in tallies.tallies.enumerated() {
      let (segment, code) = tallies.segment(at: place)
      guard let number = numbers[Int(segment)] else { continue }
      written.tallies[written.place(of: number, code)] = tally
    }
    written.write(to: &writer)
  }

  mutating func read(from reader: inout StateReader) throws(StateError) {
    let places = try segments.readPlaces(from: &reader)
    reader.setTranslation(CodeTranslation(places), of: .segments)
    try tallies.read(from: &reader)
  }
}
