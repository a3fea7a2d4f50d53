import Events

/// The common part of every decision of an Open Bandit file, laid out once at the start of a
/// record's bytes: the experiment, the choices, and the names and item features that rows refer to.
struct OpenBanditTemplate {
  typealias Slice = EventRecord.Slice
  typealias Attribute = EventRecord.Attribute

  private(set) var bytes: [UInt8] = []
  private(set) var experiment = Slice.absent
  /// The choices `0`, `1`, ...; empty when they are unknown.
  private(set) var choices: [Slice] = []
  /// The names of the context columns, in the order of the columns.
  private(set) var contextNames: [Slice] = []
  private(set) var affinityName = Slice.absent
  /// The item features of each choice; empty when choices are unknown or no items were given.
  private(set) var choiceFeatures: [[Attribute]] = []
  /// The item features by item, for files without choices.
  private(set) var itemFeatures: [String: [Attribute]] = [:]
  /// The distinct texts, so that a hash that many items share is copied once for each row.
  private var places: [String: Slice] = [:]

  init(experiment: String, columns: OpenBanditColumns, items: OpenBanditItems) {
    self.experiment = place(experiment)
    choices = columns.affinities.indices.map { place(String($0)) }
    contextNames = columns.context.map { place($0.name) }
    affinityName = place("user-item_affinity")
    if choices.isEmpty {
      for item in items.features.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
        itemFeatures[item] = attributes(items.features[item] ?? [])
      }
    } else if !items.features.isEmpty {
      choiceFeatures = choices.indices.map { attributes(items.features[String($0)] ?? []) }
    }
  }

  private mutating func attributes(_ features: [OpenBanditItems.Feature]) -> [Attribute] {
    features.map { feature in
      let name = place(feature.name)
      switch feature.value {
      case .number(let number): return Attribute(name: name, value: .number(number))
      case .integer(let integer): return Attribute(name: name, value: .integer(integer))
      case .flag(let flag): return Attribute(name: name, value: .flag(flag))
      case .text(let text): return Attribute(name: name, value: .text(place(text)))
      }
    }
  }

  private mutating func place(_ text: String) -> Slice {
    if let slice = places[text] { return slice }
    let slice = Slice(start: bytes.count, count: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
    places[text] = slice
    return slice
  }
}
