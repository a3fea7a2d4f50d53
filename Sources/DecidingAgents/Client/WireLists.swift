internal import Events

// The lists of a request in JSON: as the comma-separated text of a URL when that round-trips, otherwise as a
// JSON list, so that even codes that no service would accept are preserved.

/// Codes: `"a,b"` or `["a","b"]`.
package struct WireCodes: Codable {
  package var codes: [String]

  init(_ codes: [String]) { self.codes = codes }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      codes = ChoiceText.codes(text[...])
    } else {
      codes = try container.decode([String].self)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let text = codes.joined(separator: ",")
    if ChoiceText.codes(text[...]) == codes {
      try container.encode(text)
    } else {
      try container.encode(codes)
    }
  }
}

/// Features: `"name:0.33,other"` or `[{"name":"name","weight":0.33}]`.
package struct WireFeatures: Codable {
  private struct Entry: Codable {
    var name: String
    var weight: WireNumber?
  }

  package var features: [AgentFeature]

  init(_ features: [AgentFeature]) { self.features = features }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      guard let features = Self.features(text) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "must be like name:0.33,other, not \"\(text)\"")
      }
      self.features = features
    } else {
      features = try container.decode([Entry].self).map {
        AgentFeature($0.name, weight: $0.weight?.number ?? 1)
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let text = features.map { "\($0.name):\($0.weight)" }.joined(separator: ",")
    if Self.features(text) == features {
      try container.encode(text)
    } else {
      try container.encode(features.map { Entry(name: $0.name, weight: WireNumber($0.weight)) })
    }
  }

  /// Parses `name:0.33,other`; nil if a weight is not a number.
  package static func features(_ text: String) -> [AgentFeature]? {
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
}

/// Traits: `"key:value,key:value"` or `[{"key":"key","value":"value"}]`.
package struct WireTraits: Codable {
  private struct Entry: Codable {
    var key: String
    var value: String
  }

  package var traits: [AgentTrait]

  init(_ traits: [AgentTrait]) { self.traits = traits }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      traits = Self.traits(text)
    } else {
      traits = try container.decode([Entry].self).map { AgentTrait($0.key, $0.value) }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let text = traits.map { "\($0.key):\($0.value)" }.joined(separator: ",")
    if Self.traits(text) == traits {
      try container.encode(text)
    } else {
      try container.encode(traits.map { Entry(key: $0.key, value: $0.value) })
    }
  }

  /// Parses `key:value,key:value`. A trait without a colon has an empty value.
  package static func traits(_ text: String) -> [AgentTrait] {
    guard !text.isEmpty else { return [] }
    return ChoiceText.codes(text[...]).map { code in
      guard let colon = code.utf8.firstIndex(of: UInt8(ascii: ":")) else {
        return AgentTrait(code, "")
      }
      return AgentTrait(String(code[..<colon]), String(code[code.utf8.index(after: colon)...]))
    }
  }
}

/// A number, or a decimal number as text, which can also represent values that JSON cannot, such as `"nan"`.
package struct WireNumber: Codable {
  package var number: Double

  init(_ number: Double) { self.number = number }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let text = try? container.decode(String.self) else {
      number = try container.decode(Double.self)
      return
    }
    guard let read = Double(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "must be a decimal number, not \"\(text)\"")
    }
    number = read
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if number.isFinite {
      try container.encode(number)
    } else {
      try container.encode("\(number)")
    }
  }
}
