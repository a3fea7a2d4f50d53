package import Events
internal import Specifications

/// An error of a system whose definitions are JSON, with the words in which it tells what is wrong with them.
package protocol DefinitionProblem: Error {
  /// The words of its messages.
  static var wording: DefinitionWording { get }

  /// Creates the error of the value at a path.
  static func invalid(_ path: String, _ reason: String) -> Self
}

/// The words in which a system tells what is wrong with a definition.
package enum DefinitionWording: Sendable {
  /// Paths such as `points.0.code`, and what a value must be.
  case brief
  /// Paths such as `experiments[0].id`, and also what it is, or what to do.
  case full

  fileprivate var missing: String { self == .brief ? "is missing" : "is missing; add it" }

  fileprivate func problem(of text: String, among words: [String]) -> String {
    guard self == .full else { return "must be one of \(words.joined(separator: ", "))" }
    return "is \"\(text)\"; use one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  /// Returns the path of an element of a list.
  func path(of index: Int, in list: String) -> String {
    self == .brief ? "\(list).\(index)" : "\(list)[\(index)]"
  }
}

/// A reader of one value of a definition, with its path for messages, such as `points.0.slots.1.choices`.
package struct DefinitionReader<Problem: DefinitionProblem>: Sendable {
  /// The value.
  package let value: JSONValue
  /// The path of the value; empty for the whole definition.
  package let path: String
  /// Whether unknown members are ignored, as in a log that a later version may have written.
  let isLenient: Bool

  /// Creates a reader of a value.
  package init(_ value: JSONValue, at path: String = "", isLenient: Bool = false) {
    self.value = value
    self.path = path
    self.isLenient = isLenient
  }

  /// Returns the error of the value.
  package func problem(_ reason: String) -> Problem { .invalid(path, reason) }

  private func mismatch(_ expected: String, namesKind: Bool = true) -> Problem {
    problem("must be \(expected)" + (namesKind || isFull ? ", not \(value.kindName)" : ""))
  }

  private var isFull: Bool { Problem.wording == .full }

  // MARK: Members

  /// Returns the members of an object.
  package func members() throws(Problem) -> JSONObject {
    guard let object = value.object else { throw mismatch("an object") }
    return object
  }

  /// Returns the members of an object, all of which must have one of the names.
  package func members(among names: [String]) throws(Problem) -> JSONObject {
    let object = try members()
    if !isLenient, let name = object.names.first(where: { !names.contains($0) }) {
      let remedy = NearestName.remedy(for: name, among: names, lead: "it takes")
      throw .invalid(path(of: name), "is not known here\(remedy)")
    }
    return object
  }

  /// Returns a member, which may be null; nil when it is missing.
  package func member(_ name: String) -> DefinitionReader? {
    value[name].map { DefinitionReader($0, at: path(of: name), isLenient: isLenient) }
  }

  /// Returns a member that is neither missing nor null.
  package func optional(_ name: String) -> DefinitionReader? {
    guard let member = member(name), member.value != .null else { return nil }
    return member
  }

  /// Returns a required member. One that is null is missing too, or, in brief, of the wrong kind.
  package func required(_ name: String) throws(Problem) -> DefinitionReader {
    guard let member = isFull ? optional(name) : member(name) else {
      throw .invalid(path(of: name), Problem.wording.missing)
    }
    return member
  }

  /// Returns the path of a member.
  package func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  // MARK: Elements

  /// Returns the elements of a list.
  package func elements() throws(Problem) -> [DefinitionReader] {
    guard let values = value.array else { throw mismatch("a list") }
    return values.enumerated().map {
      DefinitionReader($1, at: Problem.wording.path(of: $0, in: path), isLenient: isLenient)
    }
  }

  /// Returns the value, which must be an object.
  package func object() throws(Problem) -> DefinitionReader {
    _ = try members()
    return self
  }

  /// Returns the elements of a member, which must be objects; none when it is missing or null.
  package func objects(_ name: String) throws(Problem) -> [DefinitionReader] {
    try optional(name)?.elements().map { (element) throws(Problem) in try element.object() } ?? []
  }

  // MARK: Values

  /// Reads a text.
  package func text() throws(Problem) -> String {
    guard let text = value.string else { throw mismatch("a text") }
    return text
  }

  /// Reads a number.
  package func number() throws(Problem) -> Double {
    guard let number = value.number else { throw mismatch("a number") }
    return number
  }

  /// Reads a whole number.
  package func whole() throws(Problem) -> Int64 {
    guard let number = value.integer else { throw mismatch("a whole number", namesKind: false) }
    return number
  }

  /// Reads a truth value.
  package func flag() throws(Problem) -> Bool {
    guard let flag = value.boolean else { throw mismatch("true or false", namesKind: false) }
    return flag
  }

  /// Reads a text that must be one of the words.
  package func word<Word: RawRepresentable<String> & CaseIterable>(
    _ type: Word.Type
  ) throws(Problem) -> Word {
    let text = try text()
    guard let word = Word(rawValue: text) else {
      throw problem(Problem.wording.problem(of: text, among: Word.allCases.map(\.rawValue)))
    }
    return word
  }

  /// Reads a time in ISO 8601 format.
  package func time() throws(Problem) -> Timestamp {
    let bytes = Array(try text().utf8)
    guard let time = Timestamp(iso8601: bytes.span) else {
      throw problem("must be a time such as 2026-01-02T03:04:05Z")
    }
    return time
  }
}
