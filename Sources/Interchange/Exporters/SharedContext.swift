import Events

/// The contexts of the decisions of one group, split by where formats write them.
struct SharedContext {
  private static let prefix = Array("_slot.".utf8)
  private static let rootNames = ["pdrop", "_skipLearn", "_ba"]

  /// The attributes that belong to the event and not to what the policy saw, of the first decision.
  private(set) var root: [EventRecord.Attribute] = []
  /// The attributes that all decisions have, of the first decision.
  private(set) var all: [EventRecord.Attribute] = []
  /// The attributes of each slot, with `_slot.` removed from their names.
  private(set) var slots: [[EventRecord.Attribute]] = []
  /// The other attributes of each decision.
  private(set) var own: [[EventRecord.Attribute]] = []

  init(_ group: DecisionGroup) {
    let texts = group.decisions.map { decision in
      Set(group.decisions.count == 1 ? [] : decision.context.map { Self.text($0, decision) })
    }
    for (index, decision) in group.decisions.enumerated() {
      var (mine, others) = ([EventRecord.Attribute](), [EventRecord.Attribute]())
      for attribute in decision.context {
        let name = decision.bytes[attribute.name.range]
        if group.hasSlots, name.starts(with: Self.prefix) {
          var inner = attribute
          inner.name = EventRecord.Slice(
            start: name.startIndex + Self.prefix.count, count: name.count - Self.prefix.count)
          mine.append(inner)
          continue
        }
        let text = group.decisions.count == 1 ? [] : Self.text(attribute, decision)
        guard group.decisions.count == 1 || texts.allSatisfy({ $0.contains(text) }) else {
          others.append(attribute)
          continue
        }
        guard index == 0 else { continue }
        if Self.rootNames.contains(where: { $0.utf8.elementsEqual(name) }) {
          root.append(attribute)
        } else {
          all.append(attribute)
        }
      }
      slots.append(mine)
      own.append(others)
    }
  }

  private static func text(_ attribute: EventRecord.Attribute, _ record: EventRecord) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONBytes.append(key: record.bytes[attribute.name.range], to: &bytes)
    JSONBytes.append(attribute.value, record, to: &bytes)
    return bytes
  }
}

extension EventRecord {
  /// The choices, the chosen one first.
  var ranking: [Slice] {
    let chosen = bytes[self[.variant].range]
    return [self[.variant]]
      + knownChoices.filter { !bytes[$0.range].elementsEqual(chosen) }
  }

  /// Returns an attribute of the metadata; nil if there is none of that name.
  func metadata(named name: String) -> Value? {
    metadata.first { bytes[$0.name.range].elementsEqual(name.utf8) }?.value
  }

  /// Whether a value is a text.
  func isText(_ value: Value, _ text: String) -> Bool {
    guard case .text(let slice) = value else { return false }
    return bytes[slice.range].elementsEqual(text.utf8)
  }
}
