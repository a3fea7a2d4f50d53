internal import Events

/// A value of a configuration and its path, such as `experiments[0].id`, for messages.
struct ConfigurationReader {
  let value: JSONValue
  let path: String
  private let object: JSONObject

  /// Wraps a value that must be an object.
  init(_ value: JSONValue, at path: String) throws(ExperimentError) {
    guard case .object(let object) = value else {
      throw .invalidConfiguration(path: path, reason: "must be an object, not \(value.kindName)")
    }
    self.value = value
    self.path = path
    self.object = object
  }

  /// One member, of any kind.
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

    /// An id: a text, or a whole number as its decimal digits.
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

    /// The elements of a list, each of which must be an object.
    func list() throws(ExperimentError) -> [ConfigurationReader] {
      try elements().map { element throws(ExperimentError) in try element.object() }
    }

    /// The elements of a list.
    func elements() throws(ExperimentError) -> [Member] {
      guard let values = value.array else { throw mismatch("a list") }
      return values.enumerated().map { Member(value: $1, path: "\(path)[\($0)]") }
    }
  }

  /// A member; nil when it is not there or null.
  func optional(_ name: String) throws(ExperimentError) -> Member? {
    guard let value = object[name], value != .null else { return nil }
    return Member(value: value, path: path.isEmpty ? name : "\(path).\(name)")
  }

  /// A member that must be there.
  func required(_ name: String) throws(ExperimentError) -> Member {
    guard let member = try optional(name) else {
      throw .invalidConfiguration(
        path: path.isEmpty ? name : "\(path).\(name)", reason: "is missing; add it")
    }
    return member
  }

  /// The objects of a list; none when it is not there.
  func list(_ name: String) throws(ExperimentError) -> [ConfigurationReader] {
    try optional(name)?.list() ?? []
  }

  /// A whole number; nil when it is not there.
  func integer(_ name: String) throws(ExperimentError) -> Int64? { try optional(name)?.integer() }

  /// A truth value; nil when it is not there.
  func flag(_ name: String) throws(ExperimentError) -> Bool? { try optional(name)?.flag() }

  /// All members but the named ones.
  func members(except names: [String]) -> JSONObject {
    JSONObject(object.members.filter { !names.contains($0.name) })
  }
}
