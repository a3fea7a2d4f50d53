internal import EventLog
internal import Statistics

/// The variants of each place with a decision that an evaluation uses: the choices of decisions that were logged without
/// any.
struct PlaceVariants: Sendable, Equatable {
  /// By number of the place, the codes of its variants, ascending.
  private(set) var variants: [[UInt32]] = []

  /// Adds a variant of a place.
  mutating func insert(_ variant: UInt32, at place: UInt32) {
    let more = Int(place) + 1 - variants.count
    if more > 0 { variants.append(contentsOf: repeatElement([], count: more)) }
    let index = variants[Int(place)].firstIndex { $0 >= variant } ?? variants[Int(place)].count
    guard index == variants[Int(place)].count || variants[Int(place)][index] != variant else {
      return
    }
    variants[Int(place)].insert(variant, at: index)
  }

  /// Adds all variants of another instance.
  mutating func merge(_ other: PlaceVariants) {
    for (place, variants) in other.variants.enumerated() {
      for variant in variants { insert(variant, at: UInt32(truncatingIfNeeded: place)) }
    }
  }

  func write(to writer: inout StateWriter) {
    let used = variants.indices.filter { !variants[$0].isEmpty }
    writer.write(UInt64(used.count))
    for place in used {
      writer.write(UInt64(place))
      writer.write(UInt64(variants[place].count))
      for variant in variants[place] { writer.write(UInt64(variant)) }
    }
  }

  init() {}

  /// Reads the variants of places.
  ///
  /// - Throws: `StateError` if the bytes are invalid.
  init(from reader: inout StateReader, _ places: StoredPlaces) throws(StateError) {
    for _ in 0..<(try reader.readCount()) {
      let place = Int(try places.read(&reader))
      var codes: Set<UInt32> = []
      for _ in 0..<(try reader.readCount()) {
        codes.insert(try places.codes.readName(.variants, &reader))
      }
      let more = place + 1 - variants.count
      if more > 0 { variants.append(contentsOf: repeatElement([], count: more)) }
      variants[place] = codes.sorted()
    }
  }

  /// Returns the variants of a place.
  func variants(at place: UInt32) -> [UInt32] {
    Int(place) < variants.count ? variants[Int(place)] : []
  }
}
