internal import EventLog
internal import Specifications

/// Reads the numbers of places in a stored state.
struct StoredPlaces {
  /// The codes of the state.
  let codes: StateCodes
  private let indices: [UInt32]?
  private let count: Int

  /// Looks up all places.
  ///
  /// - Throws: `StateError` if the context lacks one of them.
  init(_ codes: StateCodes) throws(StateError) {
    self.codes = codes
    indices = try codes.indices { Places($0).names }
    count = Places(codes.storedArms).count
  }

  /// Reads the number of a place.
  ///
  /// - Throws: `StateError` if there is no such place.
  func read(_ reader: inout StateReader) throws(StateError) -> UInt32 {
    let place = try reader.readCount(below: count)
    return indices?[place] ?? UInt32(place)
  }

  /// Reads a place and the code of a variant.
  ///
  /// - Throws: `StateError` if there is no such place or variant.
  func readVariant(_ reader: inout StateReader) throws(StateError) -> PlaceVariant {
    PlaceVariant(place: try read(&reader), variant: try codes.readName(.variants, &reader))
  }
}

extension PlaceVariant {
  func write(to writer: inout StateWriter) {
    writer.write(UInt64(place))
    writer.write(UInt64(variant))
  }

  /// Returns whether a place comes first, or the same with a lower variant.
  static func precedes(_ a: PlaceVariant, _ b: PlaceVariant) -> Bool {
    (a.place, a.variant) < (b.place, b.variant)
  }
}
