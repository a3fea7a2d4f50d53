internal import EventLog
internal import Replay
internal import Specifications

/// The contents of the situations of a log's decisions: the variants in lists of choices, and which attributes have a
/// value anywhere.
struct SituationContents: StateFields, Equatable {
  private var codes = VariantSet()
  /// The codes of the variants.
  var variants: Set<UInt32> { codes.variants }
  /// For each attribute of the context, whether a decision has it; missing ones are absent.
  private var attributes: [Bool] = []
  /// For each attribute of variants, whether a variant has it.
  private var features: [Bool] = []

  /// Creates the contents of no situations.
  init() {}

  /// Creates the contents of a log.
  init(_ situations: SituationRegister) {
    codes.variants = Set(situations.lists.joined())
    // The first value stands for no value.
    attributes = (0..<situations.attributeCount).map { situations.values(of: $0).count > 1 }
    features = situations.features.map { $0.count > 1 }
  }

  /// Returns whether a decision has an attribute of the context.
  func hasAttribute(_ index: Int) -> Bool { index < attributes.count && attributes[index] }

  /// Returns whether a variant has an attribute.
  func hasFeature(_ index: Int) -> Bool { index < features.count && features[index] }

  mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&codes, other.codes)
    visit.list(&attributes, other.attributes, false)
    visit.list(&features, other.features, false)
  }
}
