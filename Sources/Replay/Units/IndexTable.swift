/// The hash table of a register: finds the dense index of a value, which the register itself keeps.
///
/// Open addressing with linear probing, at most half full. Memory: 8 to 16 bytes for each index.
package struct IndexTable: Sendable {
  /// Where a value is, or belongs.
  package struct Location {
    /// The index of the value; nil if the table does not have it.
    package var index: Int?
    @usableFromInline var place: Int

    @usableFromInline
    init(index: Int?, place: Int) { (self.index, self.place) = (index, place) }
  }

  /// An index plus one, 0 if free.
  @usableFromInline var places = [UInt32](repeating: 0, count: 16)
  /// The number of indices.
  @usableFromInline package var count = 0

  /// Creates a table without indices.
  package init() {}

  /// Finds a value.
  ///
  /// - Parameters:
  ///   - code: The hash code of the value, see ``code(_:)``.
  ///   - isSame: Whether the value is the one with an index.
  /// - Returns: Where it is, or belongs.
  /// - Complexity: O(1) on average.
  @inlinable @inline(__always)
  package func find(_ code: Int, _ isSame: (Int) -> Bool) -> Location {
    let last = places.count - 1
    var place = code & last
    while places[place] != 0 {
      let index = Int(places[place]) - 1
      if isSame(index) { return Location(index: index, place: place) }
      place = (place + 1) & last
    }
    return Location(index: nil, place: place)
  }

  /// Gives the value that belongs at a location the next index. A table that is then full must grow.
  ///
  /// - Parameter location: What ``find(_:_:)`` returned since the table was changed last.
  @inlinable @inline(__always)
  package mutating func add(at location: Location) {
    count += 1
    places[location.place] = UInt32(count)
  }

  /// Whether more than half of the places are taken.
  package var isFull: Bool {
    @inlinable @inline(__always) get { count * 2 > places.count }
  }

  /// Doubles the places.
  ///
  /// - Parameter codes: The hash codes of all values by their indices.
  @inlinable
  package mutating func grow(_ codes: some Sequence<Int>) {
    places = Array(repeating: 0, count: places.count * 2)
    for (index, code) in codes.enumerated() {
      var place = code & (places.count - 1)
      while places[place] != 0 { place = (place + 1) & (places.count - 1) }
      places[place] = UInt32(index + 1)
    }
  }

  /// Removes all indices and keeps the memory.
  package mutating func removeAll() {
    for place in places.indices { places[place] = 0 }
    count = 0
  }

  /// Returns a hash code of two words, which is the same in every run.
  @inlinable @inline(__always)
  package static func code(_ first: UInt64, _ second: UInt64) -> Int {
    var mixed = first &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 29 ^ second) &* 0xBF58_476D_1CE4_E5B9
    return code(mixed)
  }

  /// Returns a hash code of the product of a word and an odd number.
  @inlinable @inline(__always)
  package static func code(_ mixed: UInt64) -> Int {
    Int(truncatingIfNeeded: (mixed ^ mixed >> 32) & 0x7FFF_FFFF_FFFF_FFFF)
  }
}
