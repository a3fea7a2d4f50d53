internal import Bandits
internal import Events

/// A reader of one part of a definition, with its path for messages: `points.0.slots.1.choices`.
struct DefinitionReader {
  let value: JSONValue
  let path: String
  /// Whether unknown members are ignored, as in a log that a later version may have written.
  let isLenient: Bool

  func problem(_ reason: String) -> AgentError { .invalidDefinition(path: path, reason: reason) }

  func problem(_ key: String, _ reason: String) -> AgentError {
    .invalidDefinition(path: path.isEmpty ? key : "\(path).\(key)", reason: reason)
  }

  /// Returns the members, all of which must be among the keys.
  func object(keys: [String]) throws(AgentError) -> JSONObject {
    guard let object = value.object else {
      throw problem("must be an object, not \(value.kindName)")
    }
    for name in object.names where !isLenient && !keys.contains(name) {
      throw problem(name, "is not known here; it takes \(keys.joined(separator: ", "))")
    }
    return object
  }

  /// Returns a member; nil when it is missing.
  func member(_ key: String) -> DefinitionReader? {
    value[key].map {
      DefinitionReader(
        value: $0, path: path.isEmpty ? key : "\(path).\(key)", isLenient: isLenient)
    }
  }

  /// Returns a member that is neither missing nor null.
  func value(_ key: String) -> DefinitionReader? {
    guard let member = member(key), member.value != .null else { return nil }
    return member
  }

  func required(_ key: String) throws(AgentError) -> DefinitionReader {
    guard let member = member(key) else { throw problem(key, "is missing") }
    return member
  }

  func list<Element>(
    _ key: String, _ element: (DefinitionReader) throws(AgentError) -> Element
  ) throws(AgentError) -> [Element]? {
    guard let member = value(key) else { return nil }
    return try member.elements(element)
  }

  func elements<Element>(
    _ element: (DefinitionReader) throws(AgentError) -> Element
  ) throws(AgentError) -> [Element] {
    guard let values = value.array else { throw problem("must be a list, not \(value.kindName)") }
    var elements: [Element] = []
    for (index, value) in values.enumerated() {
      elements.append(
        try element(
          DefinitionReader(value: value, path: "\(path).\(index)", isLenient: isLenient)))
    }
    return elements
  }

  func text() throws(AgentError) -> String {
    guard let text = value.string else { throw problem("must be a text, not \(value.kindName)") }
    return text
  }

  func number() throws(AgentError) -> Double {
    guard let number = value.number else {
      throw problem("must be a number, not \(value.kindName)")
    }
    return number
  }

  func whole() throws(AgentError) -> Int64 {
    guard let number = value.integer else { throw problem("must be a whole number") }
    return number
  }

  func flag() throws(AgentError) -> Bool {
    guard let flag = value.boolean else { throw problem("must be true or false") }
    return flag
  }

  func word<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) throws(AgentError) -> Word
  where Word.RawValue == String {
    guard let word = Word(rawValue: try text()) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw problem("must be one of \(words)")
    }
    return word
  }

  /// Reads a policy that was learned from a log.
  func learnedPolicy() throws(AgentError) -> LearnedPolicy {
    do {
      return try LearnedPolicy(value.decoded())
    } catch let error as DecodingError {
      throw problem("cannot be read: \(JSONValue.explanation(of: error))")
    } catch {
      throw problem("is not a learned policy: \(error)")
    }
  }

  /// Reads a time in ISO 8601 format.
  func time() throws(AgentError) -> Timestamp {
    let bytes = Array(try text().utf8)
    guard let time = Timestamp(iso8601: bytes.span) else {
      throw problem("must be a time such as 2026-01-02T03:04:05Z")
    }
    return time
  }
}
