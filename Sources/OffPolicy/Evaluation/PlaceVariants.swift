internal import EventLog
internal import Replay
internal import Specifications

/// The variants of each place with a decision that an evaluation uses: the choices of decisions that were logged
/// without any.
struct PlaceVariants: StateFields, Equatable {
  private var places: [VariantSet] = []

  /// By number of the place, the codes of its variants, ascending.
  var variants: [[UInt32]] { places.map { $0.variants.sorted() } }

  /// All variants, of any place.
  var all: Set<UInt32> { places.reduce(into: []) { $0.formUnion($1.variants) } }

  /// Adds a variant of a place.
  mutating func insert(_ variant: UInt32, at place: UInt32) {
    let more = Int(place) + 1 - places.count
    if more > 0 { places.append(contentsOf: repeatElement(VariantSet(), count: more)) }
    places[Int(place)].variants.insert(variant)
  }

  mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit.list(&places, other.places, by: .places, VariantSet())
  }

  /// Returns whether a place has a variant.
  func contains(_ variant: UInt32, at place: UInt32) -> Bool {
    Int(place) < places.count && places[Int(place)].variants.contains(variant)
  }

  /// Returns whether a place has no variant.
  func isEmpty(at place: UInt32) -> Bool {
    Int(place) >= places.count || places[Int(place)].variants.isEmpty
  }
}

/// The codes of some variants.
struct VariantSet: StateField, Equatable {
  var variants: Set<UInt32> = []

  mutating func merge(_ other: VariantSet) { variants.formUnion(other.variants) }

  var isOmitted: Bool { variants.isEmpty }

  func write(to writer: inout StateWriter) {
    writer.write(UInt64(variants.count))
    for variant in variants.sorted() { variant.write(to: &writer) }
  }

  mutating func read(from reader: inout StateReader) throws(StateError) {
    for _ in 0..<(try reader.readCount()) {
      variants.insert(try reader.readCode(.names(.variants)))
    }
  }
}
