internal import Events

/// The choices of a request in JSON: a text in the multi form (in the single form for one choice), a number
/// of choices, a list of codes, or a list of slots `{"slot":"color","choices":["red","blue"]}`; `null` for
/// those used before.
package enum WireChoices {
  private struct Slot: Codable {
    var slot: String
    var choices: [String]?
  }

  /// Decodes the choices of a single decision.
  package static func single(from decoder: any Decoder) throws -> [SlotChoices] {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() { return [SlotChoices(choices: nil)] }
    if let count = try? container.decode(Int.self) { return try slots(count: count, container) }
    if let codes = try? container.decode(WireCodes.self) {
      return [SlotChoices(choices: codes.codes)]
    }
    return try slots(container)
  }

  /// Decodes the choices of several slots.
  package static func multi(from decoder: any Decoder) throws -> [SlotChoices]? {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() { return nil }
    if let count = try? container.decode(Int.self) { return try slots(count: count, container) }
    if let text = try? container.decode(String.self) { return ChoiceText(multi: text).slots }
    return try slots(container)
  }

  private static func slots(_ container: any SingleValueDecodingContainer) throws -> [SlotChoices] {
    try container.decode([Slot].self).map { SlotChoices(slot: $0.slot, choices: $0.choices) }
  }

  private static func slots(count: Int, _ container: any SingleValueDecodingContainer) throws
    -> [SlotChoices]
  {
    guard let text = ChoiceText(count: count) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: ChoiceText.complaint(aboutCount: count))
    }
    return text.slots
  }

  /// Encodes the choices of a single decision, so that ``single(from:)`` decodes the same.
  static func encode(single slots: [SlotChoices], to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if slots.count == 1, let slot = slots.first, slot.slot == SlotID.standard.rawValue {
      if let codes = slot.choices {
        try container.encode(WireCodes(codes))
      } else {
        try container.encodeNil()
      }
    } else {
      try container.encode(slots.map { Slot(slot: $0.slot, choices: $0.choices) })
    }
  }

  /// Encodes the choices of several slots, so that ``multi(from:)`` decodes the same.
  static func encode(multi slots: [SlotChoices]?, to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    guard let slots else { return try container.encodeNil() }
    let text = slots.map { "\($0.slot):\(($0.choices ?? []).joined(separator: ","))" }
      .joined(separator: "/")
    if ChoiceText(multi: text).slots == slots {
      try container.encode(text)
    } else {
      try container.encode(slots.map { Slot(slot: $0.slot, choices: $0.choices) })
    }
  }
}
