internal import EventLog
internal import Specifications

/// The variants of each place with a decision that an evaluation uses: the choices of decisions that were logged without
/// any.
struct PlaceVariants: Sendable, Equatable {
  /// By number of the place, the codes of its variants.
  private var codes: [Set<UInt32>] = []

  /// By number of the place, the codes of its variants, ascending.
  var variants: [[UInt32]] { codes.map { $0.sorted() } }

  /// All variants, of any place.
  var all: Set<UInt32> { codes.reduce(into: []) { $0.formUnion($1) } }

  /// Adds a variant of a place.
  mutating func insert(_ variant: UInt32, at place: UInt32) {
    reach(place)
    codes[Int(place)].insert(variant)
  }

  private mutating func reach(_ place: UInt32) {
    let more = Int(place) + 1 - codes.count
    if more > 0 { codes.append(contentsOf: repeatElement([], count: more)) }
  }

  /// Adds all variants of another instance.
  mutating func merge(_ other: PlaceVariants) {
    for (place, variants) in other.codes.enumerated() where !variants.isEmpty {
      reach(UInt32(truncatingIfNeeded: place))
      codes[place].formUnion(variants)
    }
  }

  func write(to writer: inout StateWriter) {
    let used = codes.indices.filter { !codes[$0].isEmpty }
    writer.write(UInt64(used.count))
    for place in used {
      writer.write(UInt64(place))
      writer.write(UInt64(codes[place].count))
      for variant in codes[place].sorted() { writer.write(UInt64(variant)) }
    }
  }

  init() {}

  /// Reads the variants of places.
  ///
  /// - Throws: `StateError` if the bytes are invalid.
  init(from reader: inout StateReader, _ places: StoredPlaces) throws(StateError) {
    for _ in 0..<(try reader.readCount()) {
      let place = try places.read(&reader)
      reach(place)
      for _ in 0..<(try reader.readCount()) {
        codes[Int(place)].insert(try places.codes.readName(.variants, &reader))
      }
    }
  }

  /// Returns whether a place has a variant.
  func contains(_ variant: UInt32, at place: UInt32) -> Bool {
    Int(place) < codes.count && codes[Int(place)].contains(variant)
  }

  /// Returns whether a place has no variant.
  func isEmpty(at place: UInt32) -> Bool { Int(place) >= codes.count || codes[Int(place)].isEmpty }
}
