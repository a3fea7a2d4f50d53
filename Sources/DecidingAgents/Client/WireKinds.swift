package import DecidingCore
internal import Events

/// The error of a part of a message.
package struct WireProblem: DefinitionProblem {
  package static let wording = DefinitionWording.brief

  /// The path of the part, such as `query.status`; empty for the whole message.
  package let path: String
  /// What the part must be.
  package let reason: String

  package static func invalid(_ path: String, _ reason: String) -> WireProblem {
    WireProblem(path: path, reason: reason)
  }
}

package typealias WireReader = DefinitionReader<WireProblem>
/// The members of a message.
package typealias WireTable<Owner: Sendable> = DefinitionTable<Owner, WireProblem>
/// A kind of value in a message.
package typealias WireKind<Value: Sendable> = DefinitionKind<Value, WireProblem>

/// The kinds of values in messages. A list is written as the text that it is in a URL where that is read back the same,
/// otherwise as a list, so that even codes that no service would accept are preserved.
package enum Wire {
  /// A text, or a whole number that stands for its digits.
  package static let word = WireKind<String>(JSONSchema.string) { (reader) throws(WireProblem) in
    if case .integer(let number) = reader.value { "\(number)" } else { try reader.text() }
  } write: {
    .string($0)
  }

  /// The id of a session.
  package static let session = word.described("The session; absent for a fresh one")

  /// A truth value, or 1 or 0.
  package static let flag = WireKind<Bool>(JSONSchema.boolean) { (reader) throws(WireProblem) in
    switch reader.value {
    case false, 0, "0", "false": false
    case true, 1, "1", "true": true
    default: throw reader.problem("must be 1 or 0")
    }
  } write: {
    .boolean($0)
  }

  /// A number, or a decimal number as text, which can also be a value that JSON cannot represent, such as `"nan"`.
  package static let number = WireKind<Double>(JSONSchema.number) { (reader) throws(WireProblem) in
    guard let text = reader.value.string else { return try reader.number() }
    // `Double` also reads hexadecimal numbers.
    let isHexadecimal = text.utf8.contains { $0 | 0x20 == UInt8(ascii: "x") }
    guard !isHexadecimal, let number = Double(text) else {
      throw reader.problem("must be a decimal number, not \"\(text)\"")
    }
    return number
  } write: {
    $0.isFinite ? .number($0) : .string("\($0)")
  }

  /// `ok` or `p`, or the full word.
  static let status = WireKind<DecisionRequest.Status>(JSONSchema.word(["ok", "p"])) {
    (reader) throws(WireProblem) in
    switch try reader.text() {
    case "ok", "confirmed": .confirmed
    case "p", "provisional": .provisional
    case let text: throw reader.problem("must be ok or p, not \"\(text)\"")
    }
  } write: {
    $0 == .confirmed ? "ok" : "p"
  }

  /// Codes: `"a,b"` or `["a","b"]`.
  package static let codes = WireKind.list(of: .text).orText("codes") {
    ChoiceText.codes($0[...])
  } as: {
    $0.joined(separator: ",")
  }

  /// Features: `"name:0.33,other"`, `{"name":0.33}` or `[{"name":"name","weight":0.33}]`.
  static let features = WireKind<[AgentFeature]>(["anyOf": [weights.schema, listedFeatures.schema]]) {
    (reader) throws(WireProblem) in
    try (reader.value.object == nil ? listedFeatures : weights).read(reader)
  } write: {
    listedFeatures.write($0)
  }.orText("like name:0.33,other", features) {
    $0.map { "\($0.name):\($0.weight)" }.joined(separator: ",")
  }

  private static let listedFeatures = WireKind.list(
    of: .object(
      WireTable(AgentFeature(""), [.required("name", \.name, .text), .always("weight", \.weight, number)])))

  /// Features by name: `{"name":0.33}`.
  static let weights = map(of: number).map { (weights, _) throws(WireProblem) in
    let names = weights.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return names.map { AgentFeature($0, weight: weights[$0] ?? 1) }
  } from: {
    Dictionary($0.map { ($0.name, $0.weight) }, uniquingKeysWith: { $1 })
  }

  /// Returns nil if a weight is not a number.
  private static func features(_ text: String) -> [AgentFeature]? {
    guard !text.isEmpty else { return [] }
    var features: [AgentFeature] = []
    for code in ChoiceText.codes(text[...]) {
      guard let colon = code.utf8.lastIndex(of: UInt8(ascii: ":")) else {
        features.append(AgentFeature(code))
        continue
      }
      guard let weight = Double(code[code.utf8.index(after: colon)...]) else { return nil }
      features.append(AgentFeature(String(code[..<colon]), weight: weight))
    }
    return features
  }

  /// Traits: `"key:value,key:value"` or `[{"key":"key","value":"value"}]`. A text without a colon has an empty value.
  static let traits = WireKind.list(
    of: .object(
      WireTable(AgentTrait("", ""), [.required("key", \.key, .text), .required("value", \.value, .text)]))
  ).orText("like key:value,key:value") { text in
    guard !text.isEmpty else { return [] }
    return ChoiceText.codes(text[...]).map { code in
      guard let colon = code.utf8.firstIndex(of: UInt8(ascii: ":")) else { return AgentTrait(code, "") }
      return AgentTrait(String(code[..<colon]), String(code[code.utf8.index(after: colon)...]))
    }
  } as: {
    $0.map { "\($0.key):\($0.value)" }.joined(separator: ",")
  }

  /// A choice for each slot: `{"color":"red"}`.
  package static let slotCodes = map(of: .text)

  /// The choices of one slot: codes, a number of choices, a list of slots
  /// `[{"slot":"color","choices":["red","blue"]}]`, or null for those used before.
  package static let choices = WireKind<[SlotChoices]>(choicesSchema, acceptsNull: true) {
    (reader) throws(WireProblem) in
    if reader.value == .null { return [SlotChoices(choices: nil)] }
    if let slots = try counted(reader) { return slots }
    let isCodes = (reader.value.array ?? [reader.value]).allSatisfy { $0.string != nil }
    return isCodes ? [SlotChoices(choices: try codes.read(reader))] : try slots.read(reader)
  } write: {
    guard $0.count == 1, let slot = $0.first, slot.slot == SlotID.standard.rawValue else {
      return slots.write($0)
    }
    return slot.choices.map { codes.write($0) } ?? .null
  }

  /// The choices of several slots: a text in the multi form, a number of choices, or a list of slots.
  package static let slotChoices = WireKind<[SlotChoices]>(choicesSchema) { (reader) throws(WireProblem) in
    if let slots = try counted(reader) { return slots }
    return try textOrSlots.read(reader)
  } write: {
    textOrSlots.write($0)
  }

  private static let choicesSchema: JSONValue = [
    "anyOf": [["type": "integer", "minimum": 1], codes.schema, slots.schema]
  ]

  private static let textOrSlots = slots.orText("choices") {
    ChoiceText(multi: $0).slots
  } as: {
    $0.map { "\($0.slot):\(($0.choices ?? []).joined(separator: ","))" }.joined(separator: "/")
  }

  private static let slots = WireKind.list(
    of: .object(
      WireTable(
        SlotChoices(choices: nil),
        [.required("slot", \.slot, .text), .optional("choices", \.choices, .list(of: .text))])))

  /// Returns as many choices as a number says; nil for any other value.
  private static func counted(_ reader: WireReader) throws(WireProblem) -> [SlotChoices]? {
    guard let count = reader.value.integer.map({ Int(clamping: $0) }) else { return nil }
    guard let text = ChoiceText(count: count) else {
      throw reader.problem(ChoiceText.complaint(aboutCount: count))
    }
    return text.slots
  }

  /// An object with any names.
  package static func map<Element>(of element: WireKind<Element>) -> WireKind<[String: Element]> {
    WireKind(JSONSchema.map(of: element.schema)) { (reader) throws(WireProblem) in
      var values: [String: Element] = [:]
      for name in try reader.members().names { values[name] = try element.read(reader.required(name)) }
      return values
    } write: { values in
      .object(JSONObject(values.map { .init(name: $0, value: element.write($1) ?? .null) }))
    }
  }
}

extension WireKind where Problem == WireProblem {
  /// The kind of values that can also be a text, as in a URL.
  fileprivate func orText(
    _ expected: String, _ parse: @escaping @Sendable (String) -> Value?,
    as text: @escaping @Sendable (Value) -> String
  ) -> Self where Value: Equatable {
    Self(JSONSchema.text(or: schema)) { (reader) throws(WireProblem) in
      guard let text = reader.value.string else { return try read(reader) }
      guard let value = parse(text) else { throw reader.problem("must be \(expected), not \"\(text)\"") }
      return value
    } write: {
      parse(text($0)) == $0 ? .string(text($0)) : write($0)
    }
  }

  /// The kind of values that can also be the text of their JSON, as in a URL.
  var orJSON: Self {
    Self(schema) { (reader) throws(WireProblem) in
      guard let text = reader.value.string else { return try read(reader) }
      do {
        return try read(WireReader(try JSONValue(parsing: text), at: reader.path))
      } catch let error as WireProblem {
        throw error
      } catch {
        throw reader.problem("is not JSON: \(error)")
      }
    } write: {
      write($0)
    }
  }
}
