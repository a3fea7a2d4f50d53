public import Specifications
internal import Statistics

/// The numbers of a catalog as those of another one that has all its studies, options and values of the dimension.
package struct CatalogTranslation: Sendable {
  /// By number of a study.
  package let studies: [UInt32]
  /// By number of an option.
  package let options: [UInt32]
  /// By number of a value.
  package let values: [UInt32]

  /// Creates a translation from the numbers elsewhere.
  package init(studies: [UInt32], options: [UInt32], values: [UInt32]) {
    (self.studies, self.options, self.values) = (studies, options, values)
  }
}

extension PredictionTallies: StateField {
  /// Merges tallies whose plan has another catalog.
  package mutating func merge(_ other: PredictionTallies, _ translation: CatalogTranslation) {
    for tally in other.slots {
      let study = translation.studies[Int(tally.study)]
      let slot = Int(slot(study, translation.values[Int(tally.value)]))
      var moved = tally
      moved.options = slots[slot].options.map { _ in Agreement.Option() }
      for (option, place) in other.placeInStudy.enumerated()
      where other.plan.catalog.studyOfOption[option] == tally.study {
        moved.options[Int(placeInStudy[Int(translation.options[option])])] =
          tally.options[Int(place)]
      }
      slots[slot].merge(moved)
    }
  }

  /// Writes the tallies, by the numbers of the catalog.
  public func write(to writer: inout StateWriter) {
    writer.write(UInt64(slots.count))
    for tally in slots.sorted(by: { ($0.study, $0.value) < ($1.study, $1.value) }) {
      writer.write(UInt64(tally.study))
      writer.write(UInt64(tally.value))
      tally.write(to: &writer)
    }
  }

  public mutating func read(from reader: inout StateReader) throws(StateError) {
    for _ in 0..<(try reader.readCount()) {
      let study = UInt32(try reader.readCount(below: plan.catalog.studies.count))
      let value = UInt32(try reader.readCount(below: plan.catalog.values.count))
      let slot = Int(slot(study, value))
      guard slot == slots.count - 1, slots[slot].units == 0, slots[slot].total.events == 0 else {
        throw StateError("a study occurs twice")
      }
      try slots[slot].read(from: &reader)
    }
  }
}
