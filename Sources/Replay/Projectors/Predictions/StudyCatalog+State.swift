internal import Prediction
internal import Specifications

extension StudyCatalog {
  /// An option by the names of its study and its own.
  private struct OptionKey: Hashable, Comparable {
    var study: NameKey
    var name: NameKey

    static func < (a: OptionKey, b: OptionKey) -> Bool {
      a.study == b.study ? a.name < b.name : a.study < b.study
    }
  }

  private var optionKeys: [OptionKey] {
    zip(studyOfOption, options).map {
      OptionKey(study: NameKey(studies[Int($0)]), name: NameKey($1))
    }
  }

  /// Creates the catalog of all names of some catalogs, in bytewise order; the first value is for unknown.
  init(union catalogs: [StudyCatalog]) {
    let studies = catalogs.flatMap(\.studies).distinctNames
    let places = Self.places(studies.map(NameKey.init))
    self.init(
      studies: studies,
      options: Set(catalogs.flatMap(\.optionKeys)).sorted().map {
        (places[$0.study] ?? 0, $0.name.text)
      }, values: [nil] + catalogs.flatMap { $0.values.compactMap { $0 } }.distinctNames)
  }

  private static func places<Key: Hashable>(_ keys: [Key]) -> [Key: UInt32] {
    Dictionary(
      keys.enumerated().map { ($1, UInt32(truncatingIfNeeded: $0)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns whether both have the same names with the same numbers.
  func hasSameNames(as other: StudyCatalog) -> Bool {
    studies.map(NameKey.init) == other.studies.map(NameKey.init)
      && optionKeys == other.optionKeys
      && values.map { $0.map(NameKey.init) } == other.values.map { $0.map(NameKey.init) }
  }

  /// Returns the numbers of a catalog that has all names of this one.
  func translation(to other: StudyCatalog) -> CatalogTranslation {
    func numbers<Key: Hashable>(_ mine: [Key], _ theirs: [Key]) -> [UInt32] {
      let places = Self.places(theirs)
      return mine.map { places[$0] ?? 0 }
    }
    return CatalogTranslation(
      studies: numbers(studies.map(NameKey.init), other.studies.map(NameKey.init)),
      options: numbers(optionKeys, other.optionKeys),
      values: numbers(
        values.map { $0.map(NameKey.init) }, other.values.map { $0.map(NameKey.init) }))
  }

  // MARK: State

  /// Writes the names.
  func write(to writer: inout StateWriter) {
    writer.write(UInt64(studies.count))
    for study in studies { StateContext.write(Array(study.utf8), to: &writer) }
    writer.write(UInt64(options.count))
    for (study, option) in zip(studyOfOption, options) {
      writer.write(UInt64(study))
      StateContext.write(Array(option.utf8), to: &writer)
    }
    writer.write(UInt64(values.count))
    for value in values.dropFirst() { StateContext.write(Array((value ?? "").utf8), to: &writer) }
  }

  /// Reads names.
  ///
  /// - Throws: `StateError` if the bytes are not the names of a catalog, or one occurs twice.
  init(from reader: inout StateReader) throws(StateError) {
    var studies: [String] = []
    for _ in 0..<(try reader.readCount()) { studies.append(try Self.readText(&reader)) }
    var options: [(study: UInt32, name: String)] = []
    for _ in 0..<(try reader.readCount()) {
      let study = UInt32(try reader.readCount(below: studies.count))
      options.append((study, try Self.readText(&reader)))
    }
    var values: [String?] = [nil]
    let count = try reader.readCount()
    guard count > 0 else { throw StateError("a catalog has no values") }
    for _ in 1..<count { values.append(try Self.readText(&reader)) }
    self.init(studies: studies, options: options, values: values)
    guard studies.distinctNames.count == studies.count,
      Set(optionKeys).count == options.count,
      values.compactMap({ $0 }).distinctNames.count == count - 1
    else { throw StateError("a name of a catalog occurs twice") }
  }

  private static func readText(_ reader: inout StateReader) throws(StateError) -> String {
    String(decoding: try StateContext.readBytes(&reader), as: UTF8.self)
  }
}
