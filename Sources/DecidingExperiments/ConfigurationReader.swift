internal import Events

/// A reader of one value of a configuration, with its path for messages, such as `experiments[0].id`.
struct ConfigurationReader {
  let value: JSONValue
  let path: String
  private let object: JSONObject

  /// Creates a reader of a value that must be an object.
  init(_ value: JSONValue, at path: String) throws(ExperimentError) {
    guard case .object(let object) = value else {
      throw .invalidConfiguration(path: path, reason: "must be an object, not \(value.kindName)")
    }
    self.value = value
    self.path = path
    self.object = object
  }

  /// A member of any type.
  struct Member {
    let value: JSONValue
    let path: String

    func refusal(_ reason: String) -> ExperimentError {
      .invalidConfiguration(path: path, reason: reason)
    }

    private func mismatch(_ expected: String) -> ExperimentError {
      refusal("must be \(expected), not \(value.kindName)")
    }

    func text() throws(ExperimentError) -> String {
      guard let text = value.string else { throw mismatch("a text") }
      return text
    }

    func number() throws(ExperimentError) -> Double {
      guard let number = value.number else { throw mismatch("a number") }
      return number
    }

    func integer() throws(ExperimentError) -> Int64 {
      guard let integer = value.integer else { throw mismatch("a whole number") }
      return integer
    }

    func flag() throws(ExperimentError) -> Bool {
      guard let flag = value.boolean else { throw mismatch("true or false") }
      return flag
    }

    /// Reads an id: a text, or an integer as its decimal digits.
    func id() throws(ExperimentError) -> String {
      switch value {
      case .string(let text) where !text.isEmpty: return text
      case .string: throw refusal("is empty; give an id")
      case .integer(let number): return String(number)
      default: throw mismatch("an id: a text or a whole number")
      }
    }

    func object() throws(ExperimentError) -> ConfigurationReader {
      try ConfigurationReader(value, at: path)
    }

    /// Reads a list whose elements must all be objects.
    func list() throws(ExperimentError) -> [ConfigurationReader] {
      try elements().map { element throws(ExperimentError) in try element.object() }
    }

    /// Reads the elements of a list.
    func elements() throws(ExperimentError) -> [Member] {
      guard let values = value.array else { throw mismatch("a list") }
      return values.enumerated().map { Member(value: $1, path: "\(path)[\($0)]") }
    }
  }

  /// Returns a member; nil when it is missing or null.
  func optional(_ name: String) throws(ExperimentError) -> Member? {
    guard let value = object[name], value != .null else { return nil }
    return Member(value: value, path: path.isEmpty ? name : "\(path).\(name)")
  }

  /// Returns a required member.
  func required(_ name: String) throws(ExperimentError) -> Member {
    guard let member = try optional(name) else {
      throw .invalidConfiguration(
        path: path.isEmpty ? name : "\(path).\(name)", reason: "is missing; add it")
    }
    return member
  }

  /// Reads a list of objects; empty when it is missing.
  func list(_ name: String) throws(ExperimentError) -> [ConfigurationReader] {
    try optional(name)?.list() ?? []
  }

  /// Reads an integer; nil when it is missing.
  func integer(_ name: String) throws(ExperimentError) -> Int64? { try optional(name)?.integer() }

  /// Reads a Boolean; nil when it is missing.
  func flag(_ name: String) throws(ExperimentError) -> Bool? { try optional(name)?.flag() }

  /// Returns all members except the named ones.
  func members(except names: [String]) -> JSONObject {
    JSONObject(object.members.filter { !names.contains($0.name) })
  }
}
