internal import EventLog
internal import Specifications

/// What the situations of the decisions of a log have: the variants in lists of choices, and which attributes have a
/// value anywhere.
struct SituationContents: Sendable, Equatable {
  /// The codes of the variants.
  private(set) var variants: Set<UInt32> = []
  /// For each attribute of the context, whether a decision has it; missing ones are absent.
  private var attributes: [Bool] = []
  /// For each attribute of variants, whether a variant has it.
  private var features: [Bool] = []

  /// Creates the contents of no situations.
  init() {}

  /// Creates the contents of a log.
  init(_ situations: SituationRegister) {
    variants = Set(situations.lists.joined())
    // The first value stands for no value.
    attributes = situations.values.map { $0.count > 1 }
    features = situations.features.map { $0.count > 1 }
  }

  /// Returns whether a decision has an attribute of the context.
  func hasAttribute(_ index: Int) -> Bool { index < attributes.count && attributes[index] }

  /// Returns whether a variant has an attribute.
  func hasFeature(_ index: Int) -> Bool { index < features.count && features[index] }

  /// Adds the contents of other situations.
  mutating func merge(_ other: SituationContents) {
    variants.formUnion(other.variants)
    attributes = Self.union(attributes, other.attributes)
    features = Self.union(features, other.features)
  }

  private static func union(_ a: [Bool], _ b: [Bool]) -> [Bool] {
    (0..<max(a.count, b.count)).map {
      ($0 < a.count && a[$0]) || ($0 < b.count && b[$0])
    }
  }

  func write(to writer: inout StateWriter) {
    writer.write(UInt64(variants.count))
    for variant in variants.sorted() { writer.write(UInt64(variant)) }
    for flags in [attributes, features] {
      writer.write(UInt64(flags.count))
      for flag in flags { writer.write(byte: flag ? 1 : 0) }
    }
  }

  /// Reads contents.
  ///
  /// - Throws: `StateError` if the bytes are invalid.
  init(from reader: inout StateReader, _ codes: StateCodes) throws(StateError) {
    for _ in 0..<(try reader.readCount()) {
      variants.insert(try codes.readName(.variants, &reader))
    }
    for _ in 0..<(try reader.readCount()) { attributes.append(try reader.readByte() == 1) }
    for _ in 0..<(try reader.readCount()) { features.append(try reader.readByte() == 1) }
  }
}
