/// Something of every segment: of an arm (or whatever else has a code), and of a value of the dimension.
public struct SegmentTable<Tally: Sendable>: Sendable {
  private var index = CodeIndex()
  /// By subject, for the first value: its place plus one, 0 where it is not known yet. Nothing needs to be hashed when
  /// nothing is broken down.
  private var direct: [UInt32] = []
  /// The tallies, in the order in which their segments appeared first.
  public var tallies: [Tally] = []
  private let initial: Tally

  /// No segments.
  ///
  /// - Parameter initial: What a new segment begins with.
  public init(_ initial: Tally) {
    self.initial = initial
  }

  /// How many segments there are.
  public var count: Int { tallies.count }

  /// The place of a segment in ``tallies``; it is made if it is not there.
  ///
  /// - Complexity: O(1) on average.
  public mutating func place(of subject: UInt32, _ value: UInt32) -> Int {
    guard value == 0, subject < 1 << 16 else { return find(subject, value) }
    if Int(subject) < direct.count, direct[Int(subject)] != 0 {
      return Int(direct[Int(subject)]) - 1
    }
    let place = find(subject, value)
    let more = Int(subject) + 1 - direct.count
    if more > 0 { direct.append(contentsOf: repeatElement(0, count: more)) }
    direct[Int(subject)] = UInt32(place + 1)
    return place
  }

  private mutating func find(_ subject: UInt32, _ value: UInt32) -> Int {
    let place = index.index(of: UInt64(value) << 32 | UInt64(subject))
    if place == tallies.count { tallies.append(initial) }
    return place
  }

  /// The segment of a place.
  public func segment(at place: Int) -> (subject: UInt32, value: UInt32) {
    let key = index.keys[place]
    return (UInt32(truncatingIfNeeded: key), UInt32(truncatingIfNeeded: key >> 32))
  }

  /// Takes the tallies of another table.
  public mutating func merge(_ other: SegmentTable, _ merge: (Tally, inout Tally) -> Void) {
    for place in other.tallies.indices {
      let (subject, value) = other.segment(at: place)
      merge(other.tallies[place], &tallies[self.place(of: subject, value)])
    }
  }
}
